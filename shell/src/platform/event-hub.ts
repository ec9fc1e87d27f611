import { eventRate } from '@portal/contracts/module-events'
import type { ModuleBuild } from '@portal/sdk/manifest'
import { readEvent } from '@portal/sdk/own-events'
import { permissionsNow } from '../session/session.ts'
import { isAllowed } from './registry.ts'

export type Payload = Record<string, unknown>
type Publishing = Pick<ModuleBuild, 'name' | 'events'>
type Ear = { event: string; listener: (payload: Payload) => void }

const ears = new Set<Ear>()
/** When each module has published, in this tab. */
const published = new Map<string, number[]>()

/** Why an event is not carried: its manifest does not declare it so, or there were too many. Null if it is. */
export function publish(of: Publishing, event: string, given: unknown): string | null {
  const read = readEvent(of, event, given)
  if ('refusal' in read) return read.refusal
  const now = performance.now()
  const times = (published.get(of.name) ?? []).filter((time) => now - time < eventRate.withinMs)
  if (times.length >= eventRate.atMost)
    return `${event}: a module publishes at most ${eventRate.atMost} events in ${eventRate.withinMs / 1000} seconds.`
  published.set(of.name, [...times, now])
  if (!isAllowed(read.declared.permission, permissionsNow())) return null
  // Later and one by one, so that whoever publishes neither waits for those who hear nor fails with them.
  for (const ear of ears)
    if (ear.event === event) setTimeout(() => ears.has(ear) && ear.listener({ ...read.payload }))
  return null
}

/** Hears an event that the listener's manifest names; the answer ends it. */
export function hear(event: string, listener: Ear['listener']): () => void {
  const ear = { event, listener }
  ears.add(ear)
  return () => ears.delete(ear)
}
