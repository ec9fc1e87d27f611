import { readFile, stat } from 'node:fs/promises'
import { extname, join, normalize } from 'node:path'
import type { FastifyReply, FastifyRequest } from 'fastify'

const types: Record<string, string> = {
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.ico': 'image/x-icon',
  '.jpg': 'image/jpeg',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.webmanifest': 'application/manifest+json',
  '.webp': 'image/webp',
  '.woff2': 'font/woff2',
}

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

const modified = async (path: string) => {
  const found = await stat(path).catch(() => null)
  return found?.isFile() ? found : null
}

/** Sends a file that never changes, in the form that was compressed when it was built. False when there is none. */
export async function sendImmutable(
  request: FastifyRequest,
  reply: FastifyReply,
  path: string,
): Promise<boolean> {
  const plain = await modified(path)
  const type = types[extname(path)]
  if (!plain || !type) return false
  reply.headers({
    'content-type': type,
    'cache-control': 'public, max-age=31536000, immutable',
    vary: 'Accept-Encoding',
  })
  let chosen = path
  for (const encoding of acceptedEncodings(request)) {
    const packed = `${path}.${encoding === 'br' ? 'br' : 'gz'}`
    if (!(await modified(packed))) continue
    chosen = packed
    reply.header('content-encoding', encoding)
    break
  }
  const etag = `"${plain.size.toString(36)}-${Math.trunc(plain.mtimeMs).toString(36)}${extname(chosen)}"`
  reply.header('etag', etag)
  if (request.headers['if-none-match'] === etag) await reply.code(304).send()
  else await reply.send(await readFile(chosen))
  return true
}
