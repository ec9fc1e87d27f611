import { createHash } from 'node:crypto'
import { readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { acceptedEncodings } from './files.ts'

/** Reads a file and caches it until it changes on disk. */
export function watchedFile(path: string): () => Promise<{ text: string; etag: string } | null> {
  let cached: { stamp: string; text: string; etag: string } | null = null
  return async () => {
    const found = await stat(path).catch(() => null)
    if (!found) return null
    const stamp = `${found.mtimeMs}-${found.size}-${found.ino}`
    if (cached?.stamp !== stamp) {
      const text = await readFile(path, 'utf8')
      cached = {
        stamp,
        text,
        etag: `"${createHash('sha256').update(text).digest('base64url').slice(0, 22)}"`,
      }
    }
    return cached
  }
}

/** The value of a preference cookie that the shell sets in the browser, if it is allowed. */
function preference<T extends string>(
  request: FastifyRequest,
  name: string,
  allowed: readonly T[],
): T | undefined {
  const found = new RegExp(`(?:^|;\\s*)${name}=([a-z]+)`).exec(request.headers.cookie ?? '')?.[1]
  return allowed.find((word) => word === found)
}

/** The language of a page: the one in the address, else the one chosen before, else the browser's. */
export function wantedLanguage(request: FastifyRequest): 'en' | 'fr' {
  const { lang } = request.query as { lang?: unknown }
  if (lang === 'en' || lang === 'fr') return lang
  const chosen = preference(request, 'portal_locale', ['en', 'fr'] as const)
  if (chosen) return chosen
  for (const tag of String(request.headers['accept-language'] ?? '').split(',')) {
    const language = tag.trim().slice(0, 2).toLowerCase()
    if (language === 'fr' || language === 'en') return language
  }
  return 'en'
}

/** Puts the chosen theme on `<html>`, so that the first paint has it. */
export function withTheme(html: string, request: FastifyRequest): string {
  const theme = preference(request, 'portal_theme', ['light', 'dark'] as const)
  return theme ? html.replace('<html ', `<html data-theme="${theme}" `) : html
}

/** Marks the page as under development. The shell then enables the federation dev tools. */
export const forDevelopment = (html: string): string => html.replace('<html ', '<html data-development ')

/** Sends a page made for this request, compressed at a fast level. */
export async function sendText(request: FastifyRequest, reply: FastifyReply, text: string): Promise<void> {
  reply.header('vary', 'Accept-Encoding, Accept-Language, Cookie')
  const [encoding] = acceptedEncodings(request)
  if (!encoding) return void (await reply.send(text))
  const params = {
    [constants.BROTLI_PARAM_QUALITY]: 9,
    // With Brotli's default window, clearing its tables takes twenty times as long as compressing a page.
    [constants.BROTLI_PARAM_LGWIN]: 17,
    [constants.BROTLI_PARAM_SIZE_HINT]: Buffer.byteLength(text),
  }
  const body = encoding === 'br' ? brotliCompressSync(text, { params }) : gzipSync(text, { level: 6 })
  await reply.header('content-encoding', encoding).send(body)
}

/** Reads a built page by its name, such as `shell/login.fr.html`. */
export type ReadPage = (name: string) => ReturnType<ReturnType<typeof watchedFile>>

/** Reads built pages and caches each. */
export function pageReader(distDir: string): ReadPage {
  const readers = new Map<string, ReturnType<typeof watchedFile>>()
  return (name) => {
    const reader = readers.get(name) ?? watchedFile(join(distDir, name))
    readers.set(name, reader)
    return reader()
  }
}
