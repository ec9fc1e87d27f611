import * as v from 'valibot'
import type { BuildRecord } from './schemas.ts'
import type { Store } from './store.ts'
import { readStored } from './stored-json.ts'

/** Whether a build runs in the portal's own page, and who decided that. */
export const Trust = v.object({
  trusted: v.boolean(),
  by: v.string(),
  at: v.string(),
  /** The portal's id of the step that decided it (steps.ts). */
  step: v.optional(v.string()),
})
export type Trust = v.InferOutput<typeof Trust>

/**
 * Who of the portal admitted a build, and when. An admission of before there was `trust` was given for the page: its
 * build goes on there until somebody decides otherwise.
 */
export const Admission = v.object({
  by: v.string(),
  at: v.string(),
  trust: v.optional(Trust),
  /** The portal's id of the step that admitted it (steps.ts). */
  step: v.optional(v.string()),
})
export type Admission = v.InferOutput<typeof Admission>

export type Admissions = ReturnType<typeof openAdmissions>

/** Where a build runs: a module of the product and one that an administrator trusts in the portal's page, others in a frame. */
export type Runs = 'product' | 'trusted' | 'isolated'

/** Admissions of builds. Each is a file that is created once; what it says of trust may be decided again. */
export function openAdmissions(store: Store) {
  const fileOf = (name: string, build: string) => `admitted/${name}/${build}.json`
  const read = (file: string): Promise<Admission | null> => readStored(store, file, Admission)
  const of = (name: string, build: string) => read(fileOf(name, build))
  /** The product's own modules are admitted by the release key. */
  const has = async ({ name, build, release }: BuildRecord) => release || (await of(name, build)) !== null
  const admit = (name: string, build: string, admission: Admission) =>
    store.create(fileOf(name, build), JSON.stringify(admission))
  const runs = async (name: string, record: BuildRecord | null): Promise<Runs> => {
    if (record?.release) return 'product'
    const admission = record && (await of(name, record.build))
    return admission && (admission.trust?.trusted ?? true) ? 'trusted' : 'isolated'
  }
  const decide = (name: string, build: string, admission: Admission, trust: Trust) =>
    store.replace(fileOf(name, build), JSON.stringify({ ...admission, trust }))
  const decisionOf = (name: string, build: string) => `deciding/${name}/${build}.json`
  /** Notes that a decision about trust is made, until it is a generation. */
  const begin = (name: string, build: string) => store.replace(decisionOf(name, build), '{}')
  const end = (name: string, build: string) => store.remove(decisionOf(name, build))
  /** Whether an admitted build was trusted, or was not, and no generation of that is missing. */
  const holds = async (record: BuildRecord, trusted: boolean): Promise<boolean> => {
    const { name, build } = record
    if ((await of(name, build)) === null || (await store.exists(decisionOf(name, build)))) return false
    return (await runs(name, record)) === (trusted ? 'trusted' : 'isolated')
  }
  /** From now on nothing that was published of a module waits. */
  const endWaiting = (name: string, end: Admission) =>
    store.replace(`removed/${name}.json`, JSON.stringify(end))
  /** When a module was removed from the portal; null if it never was. */
  const removedAt = async (name: string): Promise<string | null> =>
    (await read(`removed/${name}.json`))?.at ?? null
  return { of, has, runs, holds, admit, begin, decide, end, endWaiting, removedAt }
}
