import { existsSync, readdirSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import type { ServerResponse } from 'node:http'
import { join } from 'node:path'

/** Files by path. */
export type Files = Map<string, Buffer>

/**
 * Bundles a page of this command with React and the packages of the folder `dir`: the page of `dev --alone`, or the
 * gallery. `prefix` is where its files are found: './' for a page that may lie in any folder.
 */
export async function pageFiles(name: 'alone' | 'gallery', dir: string, prefix = '/'): Promise<Files> {
  const { buildOnce } = await import('@portal/build/build-once')
  const { aloneConfig } = await import('@portal/build/rsbuild')
  const folder = join(dir, 'node_modules/.cache/portal', name)
  const packed = join(import.meta.dirname, name, 'page.jsx')
  const entry = existsSync(packed) ? packed : join(import.meta.dirname, name, 'page.tsx')
  const mode = name === 'alone' ? 'development' : 'production'
  const config = aloneConfig(dir, { entry, folder, assetPrefix: prefix, mode })
  await (await buildOnce(dir, config)).close()
  const names = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((found) => found.isFile())
    .map((found) => join(found.parentPath, found.name))
  const files = names.map(
    async (file): Promise<[string, Buffer]> => [
      file.slice(folder.length).replaceAll('\\', '/'),
      await readFile(file),
    ],
  )
  return new Map(await Promise.all(files))
}

const types: Record<string, string> = {
  js: 'text/javascript',
  css: 'text/css',
  json: 'application/json',
  html: 'text/html',
  svg: 'image/svg+xml',
  png: 'image/png',
  jpg: 'image/jpeg',
  webp: 'image/webp',
  wasm: 'application/wasm',
  woff2: 'font/woff2',
}

/** The media type of a file. */
const typeOf = (path: string): string => types[path.split('.').at(-1) ?? ''] ?? 'application/octet-stream'

/** The same as a header: a browser compiles WebAssembly only of exactly its type. */
export const contentTypeOf = (path: string): string =>
  /^(text|application\/json)/.test(typeOf(path)) ? `${typeOf(path)}; charset=utf-8` : typeOf(path)

/** Sends a file. A path without extension gets the page. */
export function answerFile(files: Files, url: string | undefined, reply: ServerResponse): void {
  const pathname = decodeURIComponent(url?.split('?')[0] ?? '/')
  const page = /\.[a-z0-9]+$/.test(pathname) ? pathname : '/index.html'
  const content = files.get(page)
  reply.setHeader('cache-control', 'no-store')
  if (!content) {
    reply.writeHead(404, { 'content-type': 'text/plain' }).end('Not here.')
    return
  }
  reply.writeHead(200, { 'content-type': contentTypeOf(page) }).end(content)
}
