import { stat } from 'node:fs/promises'
import { basename, dirname, extname, join, normalize } from 'node:path'
import { mime } from '@fastify/send'
import fastifyStatic from '@fastify/static'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'

/** What we build, and nothing else: a file of another kind is not sent. */
const kinds = new Set('.css .html .ico .jpg .js .json .png .svg .webmanifest .webp .woff2'.split(' '))

// The library's table is of before RFC 9239, which names scripts text/javascript.
mime.define({ 'text/javascript': ['js'] }, true)

/** The encodings a browser accepts among those we write, best first. */
export function acceptedEncodings(request: FastifyRequest): ('br' | 'gzip')[] {
  const accepted = String(request.headers['accept-encoding'] ?? '')
  const refused = (name: string) => new RegExp(`\\b${name}\\s*;\\s*q=0(\\.0*)?\\s*(,|$)`).test(accepted)
  return (['br', 'gzip'] as const).filter(
    (name) => new RegExp(`\\b${name}\\b`).test(accepted) && !refused(name),
  )
}

/** Path of a file inside a folder; null for whatever would leave it. */
export function inside(folder: string, path: string): string | null {
  if (path.includes('\0') || path.includes('\\')) return null
  const clean = normalize(`/${path}`)
  if (clean !== `/${path}` || /(^|\/)\./.test(path) || path.endsWith('/')) return null
  return join(folder, clean)
}

/** Lets replies send files; which address has which file is the gateway's to say, and each call names its own folder. */
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
 * Sends a file that never changes, in the form that was compressed when it was built; parts of it and 304 as asked for.
 * False when there is none.
 */
export async function sendImmutable(reply: FastifyReply, path: string): Promise<boolean> {
  const found = await stat(path).catch(() => null)
  if (!found?.isFile() || !kinds.has(extname(path))) return false
  await reply.sendFile(basename(path), dirname(path))
  return true
}
