import { createHash } from 'node:crypto'
import { readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { acceptedEncodings } from './files.ts'

/** A file that is read again when it changed on disk, without a restart. */
export function watchedFile(path: string): () => Promise<{ text: string; etag: string } | null> {
  let held: { stamp: string; text: string; etag: string } | null = null
  return async () => {
    const found = await stat(path).catch(() => null)
    if (!found) return null
    const stamp = `${found.mtimeMs}-${found.size}-${found.ino}`
    if (held?.stamp !== stamp) {
      const text = await readFile(path, 'utf8')
      held = { stamp, text, etag: `"${createHash('sha256').update(text).digest('base64url').slice(0, 22)}"` }
    }
    return held
  }
}

/** A word of a cookie that the shell sets in the browser, if it is one of those allowed. */
function preference<T extends string>(
  request: FastifyRequest,
  name: string,
  allowed: readonly T[],
): T | undefined {
  const found = new RegExp(`(?:^|;\\s*)${name}=([a-z]+)`).exec(request.headers.cookie ?? '')?.[1]
  return allowed.find((word) => word === found)
}

/** The language of a first answer: the one asked for, the one chosen before, else the browser's. */
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

/** Says on `<html>` that somebody works on what this page runs: the shell then tells the federation dev tools of it. */
export const forDevelopment = (html: string): string => html.replace('<html ', '<html data-development ')

/** JSON inside a script element: nothing in it can end the element. */
export const inlineJson = (id: string, json: string): string =>
  `<script type="application/json" id="${id}">${json.replaceAll('<', '\\u003c')}</script>`

/** Sends a page that was put together for this answer, compressed as well as a moment allows. */
export async function sendText(request: FastifyRequest, reply: FastifyReply, text: string): Promise<void> {
  reply.header('vary', 'Accept-Encoding, Accept-Language, Cookie')
  const [encoding] = acceptedEncodings(request)
  if (!encoding) return void (await reply.send(text))
  const params = {
    [constants.BROTLI_PARAM_QUALITY]: 9,
    // With the window it takes by itself, clearing its tables costs twenty times as much as compressing a page.
    [constants.BROTLI_PARAM_LGWIN]: 17,
    [constants.BROTLI_PARAM_SIZE_HINT]: Buffer.byteLength(text),
  }
  const body = encoding === 'br' ? brotliCompressSync(text, { params }) : gzipSync(text, { level: 6 })
  await reply.header('content-encoding', encoding).send(body)
}

/** Reader of one built page. */
export const pageReader = (distDir: string, name: string) => watchedFile(join(distDir, name))
