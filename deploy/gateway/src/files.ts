import { stat } from 'node:fs/promises'
import { basename, dirname, extname, join, normalize } from 'node:path'
import { mime } from '@fastify/send'
import fastifyStatic from '@fastify/static'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'

/** The types of files that the build makes. Files of other types are not sent. */
const kinds = new Set('.css .html .ico .jpg .js .json .png .svg .wasm .webmanifest .webp .woff2'.split(' '))

// The library's table is older than RFC 9239, which names the type of scripts text/javascript.
mime.define({ 'text/javascript': ['js'] }, true)

/** The types of files that a module may have. A page is not among them. */
export const moduleKinds = new Set('.css .jpg .js .json .png .svg .wasm .webp .woff2'.split(' '))

/** The encodings that the browser accepts and the build writes, best first. */
export function acceptedEncodings(request: FastifyRequest): ('br' | 'gzip')[] {
  const accepted = String(request.headers['accept-encoding'] ?? '')
  const refused = (name: string) => new RegExp(`\\b${name}\\s*;\\s*q=0(\\.0*)?\\s*(,|$)`).test(accepted)
  return (['br', 'gzip'] as const).filter(
    (name) => new RegExp(`\\b${name}\\b`).test(accepted) && !refused(name),
  )
}

/** Path of a file inside a folder; null for a path that leaves the folder. */
export function inside(folder: string, path: string): string | null {
  if (path.includes('\0') || path.includes('\\')) return null
  const clean = normalize(`/${path}`)
  if (clean !== `/${path}` || /(^|\/)\./.test(path) || path.endsWith('/')) return null
  return join(folder, clean)
}

/** Registers the plugin that sends files. The gateway maps addresses to files, and each call names a folder. */
export async function registerFiles(app: FastifyInstance, distDir: string): Promise<void> {
  await app.register(fastifyStatic, {
    root: distDir,
    serve: false,
    preCompressed: true,
    immutable: true,
    maxAge: '365d',
  })
}

/**
 * Sends an immutable file in the form that was compressed at build time. Supports range requests and 304.
 * With `private` only the caller's own browser may cache it. Returns false if the file does not exist.
 */
export async function sendImmutable(
  reply: FastifyReply,
  path: string,
  caches: 'public' | 'private' = 'public',
): Promise<boolean> {
  const found = await stat(path).catch(() => null)
  if (!found?.isFile() || !kinds.has(extname(path))) return false
  if (caches === 'private') reply.header('cache-control', 'private, max-age=31536000, immutable')
  await reply.sendFile(basename(path), dirname(path), { cacheControl: caches === 'public' })
  return true
}
