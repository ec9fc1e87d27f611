import * as v from 'valibot'
import { movedOn } from './refusals.ts'
import { Generation } from './schemas.ts'
import type { Store } from './store.ts'

const fileOf = (number: number) => `generations/${String(number).padStart(8, '0')}.json`
const pointer = 'current.json'
const kept = 500

const nothing: Generation = {
  generation: 0,
  at: new Date(0).toISOString(),
  by: '',
  what: 'release',
  shell: null,
  previous_shell: null,
  release: {},
  modules: [],
}

/** The fields of a generation that a change replaces. */
export type Next = Pick<Generation, 'what' | 'by' | 'module' | 'step'> &
  Partial<Pick<Generation, 'modules' | 'shell' | 'previous_shell' | 'release'>>

export type Generations = ReturnType<typeof openGenerations>

/**
 * The generations of a store. The file with the highest number is live. Creating the next file makes the change, and of
 * two concurrent changes only one succeeds. `current.json` says where to start looking; the next reader corrects it if
 * a crash left it outdated.
 */
export function openGenerations(store: Store, fault: (message: string) => void = () => {}) {
  const cache = new Map<number, Generation>()
  /** The number of the highest file. `live` is the highest file that can be read, normally the same. */
  let top = 0
  let live = nothing
  let pointed = 0
  let begun: Promise<void> | undefined

  async function read(number: number): Promise<Generation | null> {
    const known = cache.get(number)
    if (known) return known
    const data = await store.read(fileOf(number))
    if (!data) return null
    const found = v.safeParse(Generation, parse(data))
    if (!found.success) {
      fault(`${fileOf(number)} is not in order, ${found.issues[0].message}`)
      return null
    }
    if (cache.size >= kept) cache.delete(Math.min(...cache.keys()))
    cache.set(number, found.output)
    return found.output
  }

  async function begin() {
    const from = v.safeParse(v.object({ generation: v.number() }), parse(await store.read(pointer)))
    let found = from.success ? from.output.generation : 0
    if (!found || !(await store.exists(fileOf(found))))
      found = Number(/(\d+)\.json$/.exec((await store.list('generations')).at(-1) ?? '')?.[1] ?? 0)
    for (let number = found; number > 0; number -= 1) {
      const one = await read(number)
      if (!one) continue
      live = one
      break
    }
    top = found
    pointed = from.success ? from.output.generation : 0
  }

  /** What is live, and the number of the highest file at the same moment, also with concurrent callers. */
  async function look(): Promise<{ live: Generation; top: number }> {
    begun ??= begin().catch((reason) => {
      begun = undefined
      throw reason
    })
    await begun
    for (let next = top + 1; await store.exists(fileOf(next)); next = top + 1) {
      const found = await read(next)
      // A concurrent reader has read it already.
      if (next !== top + 1) continue
      top = next
      live = found ?? live
    }
    if (top > pointed) {
      pointed = top
      await point()
    }
    return { live, top }
  }

  /** What is live now. Normally checks for one file that does not exist. */
  const now = async (): Promise<Generation> => (await look()).live

  /** Writes `current.json`. A failure is only logged, because the file is a hint. */
  const point = () =>
    store
      .replace(pointer, JSON.stringify({ generation: top }))
      .catch(() => fault(`${pointer} was not written`))

  /** Makes the next generation. With `seen`, only if that generation is still live. */
  async function change(
    seen: number | undefined,
    make: (live: Generation) => Next | null | Promise<Next | null>,
  ): Promise<Generation> {
    for (let attempt = 1; ; attempt += 1) {
      const before = await look()
      if (seen !== undefined && before.live.generation !== seen) throw movedOn(before.live, seen)
      const made = await make(before.live)
      if (!made) return before.live
      const { module: _, step: __, ...rest } = before.live
      // The number follows the generation that was read, not the newest. That makes `create` a compare-and-swap.
      const generation = before.top + 1
      const next: Generation = { ...rest, ...made, generation, at: new Date().toISOString() }
      if (await store.create(fileOf(generation), JSON.stringify(next))) {
        await now()
        return next
      }
      if (attempt === 50) throw movedOn(await now(), before.live.generation)
    }
  }

  /** Generations, newest first, as many as are cached. Older ones are in the store only. */
  async function* down(): AsyncGenerator<Generation> {
    const { generation } = await now()
    for (let number = generation; number > Math.max(0, generation - kept); number -= 1) {
      const found = await read(number)
      if (found) yield found
    }
  }

  return { now, read, change, down }
}

function parse(data: Buffer | null): unknown {
  try {
    return data && JSON.parse(data.toString())
  } catch {
    return null
  }
}
