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
    if (from.success && (await store.exists(fileOf(from.output.generation)))) top = from.output.generation
    else top = Number(/(\d+)\.json$/.exec((await store.list('generations')).at(-1) ?? '')?.[1] ?? 0)
    for (let number = top; number > 0; number -= 1) {
      const found = await read(number)
      if (!found) continue
      live = found
      break
    }
    return from.success ? from.output.generation : 0
  }

  /** What is live now; asks the store for one file that is not there. */
  async function now(): Promise<Generation> {
    const pointed = top === 0 ? await begin() : top
    while (await store.exists(fileOf(top + 1))) {
      top += 1
      live = (await read(top)) ?? live
    }
    if (top > pointed) await point()
    return live
  }

  /** Not being able to say where to begin is no fault of what is read or changed. */
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
      const before = await now()
      if (seen !== undefined && before.generation !== seen) throw movedOn(before, seen)
      const made = await make(before)
      if (!made) return before
      const { module: _, ...rest } = before
      const next: Generation = { ...rest, ...made, generation: top + 1, at: new Date().toISOString() }
      if (await store.create(fileOf(next.generation), JSON.stringify(next))) {
        const done = await now()
        return (await read(next.generation)) ?? done
      }
      if (attempt === 20) throw movedOn(await now(), before.generation)
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
