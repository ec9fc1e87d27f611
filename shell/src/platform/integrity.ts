import type { ModuleBuild } from '@portal/sdk/manifest'
import { lazyFile } from '@portal/ui/lazy'

/**
 * The hashes of all files that the page may run: of the shell's lazy files, from a record beside them, and of modules, from the
 * registry. The bundler's own integrity does not cover what the federation runtime inserts, and a hash inside a module's
 * entry could be changed together with it. A file of a module that has no hash here is not fetched.
 */
const known = new Map<string, string>()
/** Addresses of builds on a partner's machine. The gateway has to allow them. */
const elsewhere = new Set<string>()
/** Calls that are still under way, so that a retry can give up on them. */
const fetching = new Map<string, AbortController>()
/** Addresses of modules that did not arrive or were refused since the last time somebody asked. */
const failed = new Set<string>()

/** Fetches a file and checks its hash. A file that does not arrive, or has another hash, is noted as failed. */
export async function fetchTrusted(path: string, integrity: string | undefined): Promise<Response> {
  if (integrity) known.set(path, integrity)
  const giveUp = new AbortController()
  fetching.set(path, giveUp)
  try {
    // The options equal those of the preload in the page. Otherwise the browser would fetch the file twice.
    const answer = await fetch(path, { ...(integrity && { integrity }), signal: giveUp.signal })
    if (answer.ok) return answer
    throw new Error(`${path} was answered ${answer.status}.`)
  } catch (fault) {
    failed.add(path)
    throw fault
  } finally {
    fetching.delete(path)
  }
}

/** Aborts the calls below `base` that are still under way. */
export function abortFetches(base: string): void {
  for (const [path, giveUp] of fetching) if (path.startsWith(base)) giveUp.abort()
}

/** Adds the hashes of one build's files to the map. */
export function trustBuild(build: Pick<ModuleBuild, 'base' | 'files'>): void {
  if (!build.base.startsWith('/')) elsewhere.add(build.base)
  for (const [file, integrity] of Object.entries(build.files)) known.set(build.base + file, integrity)
}

/**
 * The hashes of the shell's lazy files are in a file of their own, fetched with the first of them: in the entry, which every
 * visit waits for, they would be a twelfth of its size.
 */
const ownHashes = lazyFile(async () => {
  const record = document.querySelector<HTMLLinkElement>('link[data-hashes]')
  if (!record) return
  const answer = await fetch(record.href, { integrity: record.integrity })
  const hashes: Record<string, string> = await answer.json()
  for (const [file, integrity] of Object.entries(hashes)) known.set(`/assets/${file}`, integrity)
})

/** The hash that the document itself lists for a file. */
const listed = (path: string) =>
  document.head.querySelector<HTMLLinkElement>(`link[href="${path}"][integrity]`)?.integrity

/** Fetches the record of hashes, unless the document lists the file. */
export const knowHash = async (path: string): Promise<unknown> => listed(path) || ownHashes.fetch()

/** The hash that a file of a module must have; none when the registry does not name it. */
export const integrityFor = (path: string): string | undefined => known.get(path)

/** Counts a file of a module as failed. */
export const addFailed = (path: string): void => void failed.add(path)

/** Addresses below `base` that failed since the last call. */
export function takeFailed(base: string): string[] {
  const mine = [...failed].filter((path) => path.startsWith(base))
  for (const path of mine) failed.delete(path)
  return mine
}

/** The address of what an element fetches, without its query; with its origin where that is another one. */
export function pathOf(element: HTMLScriptElement | HTMLLinkElement): string | undefined {
  const address = element instanceof HTMLScriptElement ? element.src : element.href
  if (!address) return undefined
  const url = new URL(address, location.href)
  return url.origin === location.origin ? url.pathname : url.origin + url.pathname
}

/** Whether a file is a module's; the others that have a hash are the shell's own. */
export const isModules = (path: string): boolean =>
  path.startsWith('/modules/') || [...elsewhere].some((base) => path.startsWith(base))

/** Gives an element that fetches a file of a module or of the shell the file's hash. */
export function seal(element: HTMLScriptElement | HTMLLinkElement): void {
  const path = pathOf(element)
  if (!path) return
  const hash = known.get(path) ?? (isModules(path) ? impossibleHash : listed(path))
  // Integrity-Policy counts a hash only on a request in CORS mode.
  if (hash) Object.assign(element, { crossOrigin: 'anonymous', integrity: hash })
}

/** An impossible hash for unknown files of a module, so that the browser refuses the file and the loader sees an ordinary error. */
const impossibleHash = `sha384-${'A'.repeat(64)}`
