import { basename, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Rspack } from '@rsbuild/core'

/** A chunk: its scripts and styles, its names, and the `import()` requests that ask for it. */
export type Chunks = { files: string[]; styles: string[]; requests: string[] }[]

/** Reads the chunks out of a finished build. */
export function chunksOf(stats: Rspack.Stats | Rspack.MultiStats | undefined): Chunks {
  const json = stats?.toJson({ all: false, chunks: true, chunkOrigins: true, ids: true })
  const builds = json?.children?.length ? json.children : json ? [json] : []
  return builds.flatMap((build) =>
    (build.chunks ?? [])
      .filter((chunk) => !chunk.initial)
      .map((chunk) => ({
        files: (chunk.files ?? []).filter((file) => file.endsWith('.js')),
        styles: (chunk.files ?? []).filter((file) => file.endsWith('.css')),
        requests: [...(chunk.names ?? []), ...(chunk.origins ?? []).map((origin) => origin.request ?? '')],
      })),
  )
}

type Route = { path: string; page: () => unknown }

/** The addresses of a module with the file that each imports; the module is read as Node reads it, none of it runs. */
async function routesOf(dir: string): Promise<{ path: string; request: string }[]> {
  const { default: module } = (await import(pathToFileURL(join(dir, 'src/module.ts')).href)) as {
    default: { routes(host: unknown): Route[] }
  }
  return module.routes({}).flatMap(({ path, page }) => {
    const request = /import\(\s*(?:\/\*.*?\*\/\s*)?['"]([^'"]+)['"]/s.exec(String(page))?.[1]
    return request ? [{ path, request }] : []
  })
}

/** What each page of a module needs besides the entry. Without it pages still open, one round trip later. */
export async function findPreloads(dir: string, chunks: Chunks): Promise<Record<string, string[]>> {
  const filesFor = (request: string) =>
    chunks.filter(({ requests }) => requests.includes(request)).flatMap(({ files }) => files)
  const found: Record<string, string[]> = {
    '*': filesFor('module'),
    en: filesFor('./locales/en.ts'),
    fr: filesFor('./locales/fr.ts'),
  }
  try {
    for (const { path, request } of await routesOf(dir)) found[path] = filesFor(request)
  } catch (fault) {
    console.warn(
      `${basename(dir)}: pages are not fetched early (${fault instanceof Error ? fault.message : fault}).`,
    )
  }
  return found
}
