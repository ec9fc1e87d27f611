import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { inlineJson } from '@portal/sdk/frame-page'
import { frameScript } from '@portal/sdk/frames'
import { carriedContracts, nameOfMajor } from '@portal/sdk/majors'
import { integrityOf } from './files.ts'
import type { Chunks } from './preloads.ts'

type Drawn = Record<string, { title: string; content: string }>

const attribute = (tag: string, name: string) => new RegExp(`${name}="([^"]+)"`).exec(tag)?.[1]

/** The links by which the sign-in page prefetches the files of the portal while the person types. */
function prefetches(html: string): string {
  return [...html.matchAll(/<script[^>]+src="[^"]+"[^>]*>/g)]
    .map(([tag]) => prefetch(attribute(tag, 'src') ?? ''))
    .join('')
}

const prefetch = (href: string) => `<link rel="prefetch" as="script" href="${href}">`

/** `<link>`s that make the browser fetch files of the shell early, with the hashes they must have. */
async function preloads(staged: string, files: string[]): Promise<string> {
  const links = files.map(async (file) => {
    const integrity = integrityOf(await readFile(join(staged, file)), 'sha256')
    return `<link rel="preload" as="script" href="/assets/${file}" integrity="${integrity}" crossorigin="anonymous">`
  })
  return (await Promise.all(links)).join('')
}

/**
 * The hashes of the shell's lazy files: one record, which is fetched with the first of them. `initial` are files that another page
 * begins with: what it shares with a lazy piece of this one is lazy here.
 */
async function hashRecord(staged: string, chunks: Chunks, initial: string[]): Promise<string> {
  const lazy = chunks.flatMap((chunk) => [...chunk.files, ...chunk.styles])
  const files = [...new Set([...lazy, ...initial])].sort()
  const entries = await Promise.all(
    files.map(async (file) => [file, integrityOf(await readFile(join(staged, file)), 'sha256')]),
  )
  const record = JSON.stringify(Object.fromEntries(entries))
  const integrity = integrityOf(record, 'sha256')
  const name = `hashes.${createHash('sha256').update(record).digest('hex').slice(0, 10)}.json`
  await writeFile(join(staged, name), record)
  return `<link data-hashes rel="prefetch" as="fetch" crossorigin href="/assets/${name}" integrity="${integrity}">`
}

/** The hashes of what a page itself asks for. */
async function sealed(staged: string, html: string): Promise<string> {
  let result = html
  for (const [tag] of html.matchAll(/<(?:script|link)\b[^>]*>/g)) {
    const file = /(?:src|href)="\/assets\/([^"]+\.(?:js|css))"/.exec(tag)?.[1]
    if (!file) continue
    const integrity = integrityOf(await readFile(join(staged, file)), 'sha256')
    const bare = tag.slice(0, -1).replace(' crossorigin="anonymous"', '')
    result = result.replace(tag, `${bare} integrity="${integrity}" crossorigin="anonymous">`)
  }
  return result
}

/** Styles that a page needs before it is drawn; the loader finds them there and does not ask again. */
async function stylesheets(staged: string, files: string[]): Promise<string> {
  const links = files.map(async (file) => {
    const integrity = integrityOf(await readFile(join(staged, file)), 'sha256')
    return `<link rel="stylesheet" href="/assets/${file}" integrity="${integrity}" crossorigin="anonymous">`
  })
  return (await Promise.all(links)).join('')
}

/** The files of the chunks with these requests, without the files that the page begins with. */
const filesOf = (chunks: Chunks, ...requests: string[]) =>
  chunks
    .filter((chunk) => requests.some((each) => chunk.requests.includes(each)))
    .flatMap(({ files }) => files)

/** Pieces of the shell that pages of modules ask for by name; a frame gets them from the portal, like its first files. */
const piecesOfFrames = [
  'federation',
  'data',
  'forms',
  '@radix-ui/react-dropdown-menu',
  'screens',
  'lazy',
  'fixed-part',
  'states',
  ...carriedContracts.map(({ contract }) => nameOfMajor(contract)),
]

/** Scripts and style sheets that the template of a page asks for. */
const filesIn = (templates: Map<string, string>, page: string): string[] =>
  [...(templates.get(page) ?? '').matchAll(/<(?:script|link)\b[^>]*>/g)].flatMap(
    ([tag]) => /(?:src|href)="\/assets\/([^"]+\.(?:js|css))"/.exec(tag)?.[1] ?? [],
  )

/** The portal fetches what it gives to a frame, after what it needs itself. */
const fetched = (file: string) =>
  `<link rel="preload" as="fetch" fetchpriority="low" href="/assets/${file}" crossorigin="anonymous">`

/**
 * What the page of a frame has in its head: the loader, the names of the files it begins with, and the hashes of all that
 * the portal may give to it, for its policy.
 */
async function frameHead(staged: string, templates: Map<string, string>, chunks: Chunks, locale: string) {
  const own = filesIn(templates, 'isolated')
  const words = (language: string) => filesOf(chunks, `./locales/${language}.ts`)
  const styles = own.filter((file) => file.endsWith('.css'))
  const scripts = [...words(locale), ...own.filter((file) => file.endsWith('.js'))]
  const lazy = [...words('en'), ...words('fr'), ...filesOf(chunks, ...piecesOfFrames)]
  const given: Record<string, string> = {}
  for (const file of new Set([...scripts, ...lazy])) {
    const text = await readFile(join(staged, file), 'utf8')
    given[`/assets/${file}`] = integrityOf(frameScript(text, `/assets/${file}`), 'sha256')
  }
  const [loader = ''] = filesIn(templates, 'frame-loader')
  const code = (await readFile(join(staged, loader), 'utf8')).trim()
  const first = JSON.stringify([...styles, ...scripts].map((file) => `/assets/${file}`))
  given.loader = integrityOf(code, 'sha256')
  return `<script data-first='${first}'>${code}</script>${inlineJson('given', JSON.stringify(given))}`
}

/** Turns each page's template into one file per language, with the text it shows before any script has come. */
export async function drawPages(staged: string, chunks: Chunks): Promise<void> {
  const drawer = join(`${staged}-pages`, 'pages.mjs')
  if (!existsSync(drawer)) return
  const { pagesIn, shellPages } = (await import(`${pathToFileURL(drawer).href}?${Date.now()}`)) as {
    pagesIn(locale: string): Drawn
    shellPages: Record<string, { chunk: string }>
  }
  const templates = new Map<string, string>()
  for (const file of await readdir(staged)) {
    if (file.endsWith('.html'))
      templates.set(
        file.replace('.html', ''),
        await sealed(staged, await readFile(join(staged, file), 'utf8')),
      )
  }
  const ofPortal = filesIn(templates, 'portal')
  const ofFrames = filesIn(templates, 'isolated').filter((file) => !ofPortal.includes(file))
  const hashes = await hashRecord(staged, chunks, ofFrames)
  const frame = (templates.get('isolated') ?? '').replace(
    /<(script|link)\b[^>]*\/assets\/[^>]*>(<\/script>)?/g,
    '',
  )
  // Every page of a module needs it, and none of the shell's own.
  const runtime = filesOf(chunks, 'federation')
  for (const locale of ['en', 'fr']) {
    const drawn = pagesIn(locale)
    for (const [name, template] of templates) {
      // It is a part of the page of a frame.
      if (name === 'frame-loader') continue
      const { title = '', content = '' } = drawn[name] ?? {}
      const head =
        name === 'isolated'
          ? (await frameHead(staged, templates, chunks, locale)) +
            hashes.replace(' rel="prefetch" as="fetch"', '')
          : name === 'portal'
            ? (await preloads(staged, filesOf(chunks, `./locales/${locale}.ts`))) + hashes
            : name === 'login'
              ? prefetches(templates.get('portal') ?? '') +
                runtime.map((file) => prefetch(`/assets/${file}`)).join('')
              : ''
      const html = (name === 'isolated' ? frame : template)
        .replace('<html lang="en">', `<html lang="${locale}">`)
        .replace('__TITLE__', () => title)
        .replace('__HEAD__', () => head)
        .replace('__PAGE__', () => content)
      await writeFile(join(staged, `${name}.${locale}.html`), html.replace(/>\s*\n\s*</g, '><'))
    }
  }
  // Pages of the shell's own that have a chunk of their own: the gateway adds it to theirs.
  const stylesOf = (request: string) =>
    chunks.filter(({ requests }) => requests.includes(request)).flatMap((chunk) => chunk.styles)
  const styles = await stylesheets(staged, stylesOf('screens'))
  const inPortal = filesIn(templates, 'portal')
  const onlyInFrames = filesIn(templates, 'isolated').filter((file) => !inPortal.includes(file))
  const early: Record<string, Record<string, string>> = {}
  for (const locale of ['en', 'fr']) {
    const heads: Record<string, string> = {
      '*': styles + (await preloads(staged, runtime)),
      // A page that begins with an isolated module.
      framed:
        (await preloads(staged, filesOf(chunks, 'frames'))) +
        [...onlyInFrames, ...stylesOf('screens'), ...filesOf(chunks, 'screens'), ...runtime]
          .map(fetched)
          .join(''),
    }
    for (const [path, { chunk }] of Object.entries(shellPages))
      heads[path] =
        styles +
        (await stylesheets(staged, stylesOf(chunk))) +
        (await preloads(staged, filesOf(chunks, chunk, `pages-${locale}`)))
    early[locale] = heads
  }
  await writeFile(join(staged, 'early.json'), JSON.stringify(early))
  await Promise.all([...templates.keys()].map((name) => rm(join(staged, `${name}.html`))))
  await rm(`${staged}-pages`, { recursive: true, force: true })
}
