import { readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { decodedMappings, TraceMap } from '@jridgewell/trace-mapping'
import { mapsFile } from '@portal/sdk/registry'
import { filesBelow, integrityOf } from './files.ts'

type SourceMap = { sources: string[]; mappings: string }

/**
 * Where a source is, as its team calls it: `src/notes/NotesPage.tsx`, `@portal/ui/src/Table.tsx`, `recharts/es6/Line.js`. No
 * folder of the machine that built it is in it, so that the same commit makes the same file everywhere.
 */
const sourceName = (source: string): string =>
  source.includes('data:')
    ? // What the federation plugin writes into the entry, as an address with all of its code.
      'federation-runtime'
    : (source.split('node_modules/').at(-1) ?? source)
        .replace(/^webpack:\/\/[^/]*\//, '')
        .replace(/^(\.{1,2}\/)+/, '')
        .replace(/\?.*$/, '')

/**
 * Moves the source maps of a finished bundle into one file, `sources.map`, by the names of its scripts. It is published
 * with the build and never sent to browsers. It says where everything is, and has no source code. Returns its hash, or
 * nothing if the bundler made no maps.
 */
export async function collectMaps(staged: string): Promise<string | undefined> {
  const maps: Record<string, SourceMap & { version: 3; names: [] }> = {}
  for (const file of filesBelow(staged).filter((each) => each.endsWith('.js.map'))) {
    const path = join(staged, file)
    const { sources, mappings } = JSON.parse(await readFile(path, 'utf8')) as SourceMap
    const script = file.replaceAll('\\', '/').slice(0, -'.map'.length)
    maps[script] = { version: 3, sources: sources.map(sourceName), names: [], mappings }
    await rm(path)
  }
  if (Object.keys(maps).length === 0) return undefined
  const text = JSON.stringify(maps)
  await writeFile(join(staged, mapsFile), text)
  return integrityOf(text, 'sha256')
}

/** The package of a source, or the source itself if it is the module's own. */
function ownerOf(source: string): string {
  const [first = '', second = ''] = source.split('/')
  if (first === 'src') return source
  return first.startsWith('@') ? `${first}/${second}` : first
}

/**
 * What a script is made of, heaviest first: packages, and the module's own sources one by one. A character of the script
 * belongs to the source that the mapping before it names.
 */
export async function sourcesByWeight(
  folder: string,
  script: string,
  code: string,
): Promise<{ name: string; bytes: number }[]> {
  const text = await readFile(join(folder, mapsFile), 'utf8').catch(() => '{}')
  const map = (JSON.parse(text) as Record<string, SourceMap & { version: 3; names: [] }>)[script]
  if (!map) return []
  const weights = new Map<string, number>()
  const lines = code.split('\n')
  for (const [at, segments] of decodedMappings(new TraceMap(map)).entries()) {
    for (const [index, segment] of segments.entries()) {
      const source = segment.length > 1 ? map.sources[segment[1] as number] : undefined
      if (!source) continue
      const end = segments[index + 1]?.[0] ?? lines[at]?.length ?? 0
      weights.set(ownerOf(source), (weights.get(ownerOf(source)) ?? 0) + end - segment[0])
    }
  }
  return [...weights].map(([name, bytes]) => ({ name, bytes })).sort((a, b) => b.bytes - a.bytes)
}
