import type { Store } from './store.ts'
import { type Entry, isOpen, type Tables } from './tables.ts'

/**
 * Why something counts as failed that was paid: a database that was lost paid it. A hold finds out, or an exception says
 * so, unless the agency itself denied it.
 */
export function isExplained(store: Store, { id, reference }: Entry, denied: ReadonlySet<string>): boolean {
  const { hold, mark, exceptions } = store.tables
  const isCompared = hold === null && mark.incarnation === store.incarnation
  return !isCompared || exceptions.some(({ entry }) => entry === id) || denied.has(reference)
}

/** A round waits for the first one of its cohort; what of that one was made again since then does not count. */
export function earlierIsSettled(store: Store, round: Tables['rounds'][number]): boolean {
  const first = store.tables.rounds.find(({ cohort, n }) => cohort === round.cohort && n === 1)
  if (first === undefined) return true
  const again = (id: number) => store.attemptsOf(id).length > 1
  return store.entriesOf(first.id).every(({ id, status }) => !isOpen(status) || again(id))
}
