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

/** A generation by its number; null if its file does not exist or is not in order. */
type Read = (number: number) => Promise<Generation | null>

/** `live` is the highest generation that can be read, `top` the number of the highest file. Normally they are the same generation. */
type Look = { live: Generation; top: number }

/**
 * The generations of a store. The file with the highest number is live. Creating the next file makes the change, and of
 * two concurrent changes only one succeeds. `current.json` says where to start looking; the next reader corrects it if
 * a crash left it outdated.
 */
export function openGenerations(store: Store, fault: (message: string) => void = () => {}) {
  const read = cachedRead(store, fault)
  const look = openLook(store, read, fault)
  /** What is live now. Normally checks for one file that does not exist. */
  const now = async (): Promise<Generation> => (await look()).live
  return {
    now,
    read,
    /** Makes the next generation. With `seen`, only if that generation is still live. */
    change: (seen: number | undefined, make: Make) => change(store, look, seen, make),
    /** Generations, newest first, as many as are cached. Older ones are in the store only. */
    async *down(): AsyncGenerator<Generation> {
      const { generation } = await now()
      for (let number = generation; number > Math.max(0, generation - kept); number -= 1) {
        const found = await read(number)
        if (found) yield found
      }
    },
  }
}

/** Reads generations, and keeps the latest. */
function cachedRead(store: Store, fault: (message: string) => void): Read {
  const cache = new Map<number, Generation>()
  return async (number) => {
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
}

/** Tells what is live, and the number of the highest file at the same moment, also with concurrent callers. */
function openLook(store: Store, read: Read, fault: (message: string) => void): () => Promise<Look> {
  let seen: Look = { live: nothing, top: 0 }
  let pointed = 0
  let begun: Promise<void> | undefined

  async function begin() {
    pointed = await pointedAt(store)
    seen = await newest(store, read, pointed)
  }

  /** Writes `current.json`. A failure is only logged, because the file is a hint. */
  const point = () =>
    store
      .replace(pointer, JSON.stringify({ generation: seen.top }))
      .catch(() => fault(`${pointer} was not written`))

  return async () => {
    begun ??= begin().catch((reason) => {
      begun = undefined
      throw reason
    })
    await begun
    for (let next = seen.top + 1; await store.exists(fileOf(next)); next = seen.top + 1) {
      const one = await read(next)
      // A concurrent reader has read it already.
      if (next !== seen.top + 1) continue
      seen = { live: one ?? seen.live, top: next }
    }
    if (seen.top > pointed) {
      pointed = seen.top
      await point()
    }
    return seen
  }
}

/** The number in `current.json`; 0 if it has none. */
async function pointedAt(store: Store): Promise<number> {
  const read = v.safeParse(v.object({ generation: v.number() }), parse(await store.read(pointer)))
  return read.success ? read.output.generation : 0
}

/** The generation to begin with: the one that `current.json` names, or else the highest file. */
async function newest(store: Store, read: Read, pointed: number): Promise<Look> {
  let top = pointed
  if (!top || !(await store.exists(fileOf(top))))
    top = Number(/(\d+)\.json$/.exec((await store.list('generations')).at(-1) ?? '')?.[1] ?? 0)
  for (let number = top; number > 0; number -= 1) {
    const live = await read(number)
    if (live) return { live, top }
  }
  return { live: nothing, top }
}

/** What a change makes of what is live; null if there is nothing to change. */
type Make = (live: Generation) => Next | null | Promise<Next | null>

async function change(
  store: Store,
  look: () => Promise<Look>,
  seen: number | undefined,
  make: Make,
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
      await look()
      return next
    }
    if (attempt === 50) throw movedOn((await look()).live, before.live.generation)
  }
}

function parse(data: Buffer | null): unknown {
  try {
    return data && JSON.parse(data.toString())
  } catch {
    return null
  }
}
