import { buildsOf } from './builds.ts'
import type { Generations } from './generations.ts'
import type { Entry, Generation } from './schemas.ts'

/** One change of the live build of a module. */
export type Change = {
  generation: number
  at: string
  by: string
  what: Generation['what'] | 'publish'
  version: string
  build: string
}

/** Changes of one module, newest first; the last hundred. */
export async function historyOf(generations: Generations, name: string): Promise<Change[]> {
  const found: Change[] = []
  let after: Generation | undefined
  for await (const one of generations.down()) {
    if (after) found.push(...changesOf(name, after, one))
    after = one
    if (found.length === 100) return found
  }
  if (after) found.push(...changesOf(name, after, undefined))
  return found
}

/** What a generation has changed of a module: one change, or none. */
function changesOf(name: string, one: Generation, before: Generation | undefined): Change[] {
  const [now, then] = [entryOf(one, name), entryOf(before, name)]
  const entry = now ?? then
  const concerned = one.module === name || (one.what === 'release' && now?.build !== then?.build)
  if (!entry || !concerned) return []
  const { version, build } = one.what === 'canary' ? (entry.canary?.module ?? entry) : changed(entry, then)
  return [{ generation: one.generation, at: one.at, by: one.by, what: one.what, version, build }]
}

/** The build that a change was about: of several majors the one that was not live before. */
function changed(entry: Entry, before: Entry | undefined) {
  const known = before ? buildsOf(before).map(({ build }) => build) : []
  return buildsOf(entry).find(({ build }) => !known.includes(build)) ?? entry
}

/** Differences between two generations, by module; null if one of them does not exist. */
export async function differences(generations: Generations, from: number, to: number) {
  const [a, b] = await Promise.all([generations.read(from), generations.read(to)])
  if (!a || !b) return null
  const names = [...new Set([...a.modules, ...b.modules].map((each) => each.name))].sort()
  const modules = names.flatMap((name) => {
    const [before, after] = [shown(entryOf(a, name)), shown(entryOf(b, name))]
    return JSON.stringify(before) === JSON.stringify(after) ? [] : [{ name, before, after }]
  })
  return { from, to, shell: { before: a.shell, after: b.shell }, modules }
}

/** The fields of an entry that people compare. */
function shown(entry: Entry | undefined) {
  if (!entry) return null
  const { version, build, disabled, pinned, canary, beside } = entry
  const newer = canary && { version: canary.module.version, percent: canary.percent, roles: canary.roles }
  const others = beside?.map((each) => each.version)
  return {
    ...{ version, build, disabled, pinned: pinned ?? false, canary: newer ?? null },
    ...(others && { beside: others }),
  }
}

const entryOf = (one: Generation | undefined, name: string) => one?.modules.find((each) => each.name === name)
