import type { ModuleBuild } from '@portal/sdk/manifest'
import { moduleFor, preloadsFor } from '@portal/sdk/registry'
import type { Builds } from './builds.ts'
import type { Shown } from './live.ts'
import type { ReadPage } from './pages.ts'

/**
 * The preloads of the shell's pages, by language and address. `*` stands for every page of a module, `framed` for the page
 * around an isolated one.
 */
type Early = Record<'en' | 'fr', Record<string, string>>

const fetched = (href: string, hints = '') =>
  `<link rel="preload" as="fetch"${hints} href="${href}" crossorigin="anonymous">`

/** The preloads of a module's page: build.json, which has the hashes of the files, then the files of this page. */
function modulePreloads(build: ModuleBuild, path: string, locale: string): string {
  const { base, files } = build
  const parts = preloadsFor(build, path, locale)
    .filter((file) => files[file])
    .map(
      (file) =>
        `<link rel="preload" as="${file.endsWith('.css') ? 'style' : 'script'}" href="${base}${file}" integrity="${files[file]}" crossorigin="anonymous">`,
    )
  return [fetched(`${base}build.json`), ...parts].join('')
}

/** The same for a module that runs in a frame: the portal fetches its files, and gives their text to the frame. */
const framePreloads = (build: ModuleBuild, path: string, locale: string): string =>
  ['build.json', ...preloadsFor(build, path, locale)]
    .map((file) => fetched(build.base + file, ' fetchpriority="low"'))
    .join('')

/** Preloads of the page at an address, so that its files are fetched in parallel with the shell. */
export function pagePreloads(read: ReadPage, builds: Builds) {
  async function ofShell(locale: 'en' | 'fr') {
    const pages = await read('shell/early.json')
    return pages ? (JSON.parse(pages.text) as Early)[locale] : {}
  }

  return async (path: string, locale: 'en' | 'fr', modules: { modules: Shown[] }) => {
    const own = await ofShell(locale)
    if (own[path]) return own[path]
    const module = moduleFor(modules, path)
    const build = module && (await builds.buildOf(module))
    if (module?.isolated) return (own.framed ?? '') + (build ? framePreloads(build, path, locale) : '')
    return build ? (own['*'] ?? '') + modulePreloads(build, path, locale) : ''
  }
}
