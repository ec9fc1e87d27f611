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

/** What a change makes of the generation it saw: only what differs. */
export type Next = Pick<Generation, 'what' | 'by' | 'module'> &
  Partial<Pick<Generation, 'modules' | 'shell' | 'previous_shell' | 'release'>>

export type Generations = ReturnType<typeof openGenerations>

/**
 * The generations of a store. The highest file is what is live: making the next one, which only one can, is the change.
 * `current.json` only says where to begin looking; when a crash left it behind, whoever reads next corrects it.
 */
export function openGenerations(store: Store, fault: (message: string) => void = () => {}) {
  const held = new Map<number, Generation>()
  /** The highest file, and the highest one that can be read: normally the same. */
  let top = 0
  let live = nothing
  let pointed = 0
  let begun: Promise<void> | undefined

  async function read(number: number): Promise<Generation | null> {
    const known = held.get(number)
    if (known) return known
    const data = await store.read(fileOf(number))
    if (!data) return null
    const found = v.safeParse(Generation, parse(data))
    if (!found.success) {
      fault(`${fileOf(number)} is not in order, ${found.issues[0].message}`)
      return null
    }
    if (held.size >= kept) held.delete(Math.min(...held.keys()))
    held.set(number, found.output)
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

  /** What is live, and the number of the highest file at that moment: of one moment, however many ask at once. */
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

  /** What is live now; asks the store for one file that is not there. */
  const now = async (): Promise<Generation> => (await look()).live

  /** A failure to write `current.json` fails neither a read nor a change. */
  const point = () =>
    store
      .replace(pointer, JSON.stringify({ generation: top }))
      .catch(() => fault(`${pointer} was not written`))

  /** Makes the next generation, if what is live is what `seen` says; without it, whatever is live by then. */
  async function change(
    seen: number | undefined,
    make: (live: Generation) => Next | null | Promise<Next | null>,
  ): Promise<Generation> {
    for (let attempt = 1; ; attempt += 1) {
      const before = await look()
      if (seen !== undefined && before.live.generation !== seen) throw movedOn(before.live, seen)
      const made = await make(before.live)
      if (!made) return before.live
      const { module: _, ...rest } = before.live
      // The number after the generation that was read, not after the newest: this is the compare-and-swap.
      const generation = before.top + 1
      const next: Generation = { ...rest, ...made, generation, at: new Date().toISOString() }
      if (await store.create(fileOf(generation), JSON.stringify(next))) {
        await now()
        return next
      }
      if (attempt === 50) throw movedOn(await now(), before.live.generation)
    }
  }

  /** Newest first, as far back as is kept in memory: whoever wants to know more reads the files. */
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
