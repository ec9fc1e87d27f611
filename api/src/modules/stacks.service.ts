import { originalPositionFor, TraceMap } from '@jridgewell/trace-mapping'
import type { PortalRegistry } from '@portal/registry'
import { perBuild } from './per-build.ts'

/** How many lines of a stack are kept. */
const kept = 30

/**
 * The lines of a stack that name a place in code, as every browser writes them, and nothing else: no message, which may
 * name somebody, no origin, no query and no fragment.
 */
export const cleanStack = (stack: string): string =>
  stack
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => /^\S.*:\d+:\d+\)?$/.test(line) && /^at |@|^[\w./:-]+$/.test(line))
    .map((line) =>
      line
        .replace(/[?#][^\s)]*?(:\d+:\d+\)?)$/, '$1')
        .replace(/[a-z][a-z-]*:\/\/[^/\s)]*/g, '')
        .replace(/\/modules\/mfe-[a-z0-9-]+\/[a-f0-9]{12}\//g, ''),
    )
    .slice(0, kept)
    .join('\n')

type Sources = Map<string, TraceMap>

/**
 * Names the places of stacks in the sources of a module's team: `at src/visits/VisitsPage.tsx:42:7`. Lines of which nothing
 * is known, such as those of the shell, of React, or of a build without source maps, stay as they are.
 */
export function openStacks(registry: PortalRegistry) {
  const sourcesOf = perBuild(async (name, build): Promise<Sources | null> => {
    const text = await registry.builds.maps(name, build)
    if (!text) return null
    const maps = Object.entries(JSON.parse(text.toString()) as Record<string, string>)
    return new Map(maps.map(([script, map]) => [script, new TraceMap(map)]))
  })

  return async (name: string, build: string, stack: string): Promise<string> => {
    if (stack === '') return stack
    const sources = await sourcesOf(name, build).catch(() => null)
    return sources
      ? stack
          .split('\n')
          .map((line) => inSources(line, sources))
          .join('\n')
      : stack
  }
}
export type Stacks = ReturnType<typeof openStacks>

function inSources(line: string, sources: Sources): string {
  const [, script = '', row, column] = /([\w.-]+):(\d+):(\d+)\)?$/.exec(line) ?? []
  const map = sources.get(script)
  if (!map || Number(row) < 1 || Number(column) < 1) return line
  // Browsers count columns from one, source maps from nought.
  const place = originalPositionFor(map, { line: Number(row), column: Number(column) - 1 })
  return place.source === null ? line : `at ${place.source}:${place.line}:${place.column + 1}`
}
