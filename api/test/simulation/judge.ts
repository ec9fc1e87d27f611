import type { Halt } from '../../src/transfers/engine/payment-state.ts'
import type { SimulatedAgency } from './agency.ts'
import type { Schedule } from './schedule.ts'
import type { Store } from './store.ts'
import { type Entry, isOpen, type Tables } from './tables.ts'

/** The current database, the agencies with their movements, and references that an agency says it does not know. */
type Scene = { store: Store; agencies: readonly SimulatedAgency[]; denied: ReadonlySet<string> }

/**
 * Whether it is explained that a paid entry is recorded as failed: a lost database paid it. Then a hold will find it, an
 * exception says so, or the agency denied it.
 */
function isExplained(store: Store, { id, reference }: Entry, denied: ReadonlySet<string>): boolean {
  const { hold, mark, exceptions } = store.tables
  const isCompared = hold === null && mark.incarnation === store.incarnation
  return !isCompared || exceptions.some(({ entry }) => entry === id) || denied.has(reference)
}

/** Whether the first round of the cohort is settled, as later rounds require. Retried payments do not count. */
function earlierIsSettled(store: Store, round: Tables['rounds'][number]): boolean {
  const first = store.tables.rounds.find(({ cohort, n }) => cohort === round.cohort && n === 1)
  if (first === undefined) return true
  const again = (id: number) => store.attemptsOf(id).length > 1
  return store.entriesOf(first.id).every(({ id, status }) => !isOpen(status) || again(id))
}

/** Checks the rules about money that hold at every step. Returns the violations. */
export function judgeMoney(scene: Scene, approved: ReadonlyMap<string, string>): string[] {
  const { rounds } = scene.store.tables
  const early = rounds.filter((round) => round.n > 1 && !earlierIsSettled(scene.store, round))
  return [
    ...judgeMovements(scene, approved),
    ...judgeEntries(scene),
    ...judgeSums(scene),
    ...judgePeople(scene),
    ...early.map(({ n }) => `round ${n} was made before round 1 was settled`),
  ]
}

/** An entry has at most one movement, and only to the recipient whom a person approved. */
function judgeMovements({ agencies }: Scene, approved: ReadonlyMap<string, string>): string[] {
  return agencies.flatMap(({ movements }) => {
    const seen = new Set<string>()
    return movements.flatMap(({ reference, phone }) => {
      const wrong = seen.has(reference) ? [`${reference} was paid twice`] : []
      seen.add(reference)
      const whom = approved.get(reference)
      return whom === undefined || whom === phone
        ? wrong
        : [...wrong, `${reference} was paid to somebody else`]
    })
  })
}

function judgeEntries({ store, agencies, denied }: Scene): string[] {
  const { entries, attempts } = store.tables
  return entries.flatMap((entry) => {
    const { id, agency, reference, status, amount } = entry
    const moved = agencies
      .find((each) => each.id === agency)
      ?.movements.find((each) => each.reference === reference)
    const open = attempts.filter((attempt) => attempt.entry === id && attempt.state !== 'failed')
    const wrong: string[] = []
    if (status === 'success' && moved?.amount !== amount)
      wrong.push(`${reference} counts as paid and ${moved ? `${moved.amount} moved` : 'nothing moved'}`)
    if (status === 'failed' && moved && !isExplained(store, entry, denied))
      wrong.push(`${reference} counts as failed and was paid`)
    if (open.length > 1) wrong.push(`${reference} has two attempts`)
    if (open.some(({ state }) => state !== status)) wrong.push(`${reference} and its attempt differ`)
    return wrong
  })
}

/** The expected sum is the sum of all entries. An agency moved at least what is recorded as disbursed by it. */
function judgeSums({ store, agencies }: Scene): string[] {
  const sum = (entries: readonly { amount: number }[]) => entries.reduce((all, { amount }) => all + amount, 0)
  const { entries, rounds } = store.tables
  const rows = rounds.filter(({ id, expected }) => sum(store.entriesOf(id)) !== expected)
  const wrong = rows.map(({ id }) => `the sums of round ${id} are not what was expected of it`)
  for (const { id, movements } of agencies) {
    const disbursed = entries.filter(({ agency, status }) => agency === id && status === 'success')
    if (sum(disbursed) > sum(movements)) wrong.push(`agency ${id} moved less than counts as disbursed`)
  }
  return wrong
}

/** Nobody approves a list that they corrected. */
function judgePeople({ store }: Scene): string[] {
  const { cohorts, corrections } = store.tables
  return corrections
    .filter(({ cohort, person }) => cohorts.find(({ id }) => id === cohort)?.approvedBy === person)
    .map(({ cohort }) => `cohort ${cohort} was approved by somebody who had corrected it`)
}

/** A cohort must not halt because the account counts as empty for one recipient. */
export function judgeHalt(
  { store, agencies }: Scene,
  { faults }: Schedule,
  cohort: number,
  reason: Halt,
): string[] {
  if (store.tables.hold) return [`cohort ${cohort} was halted while sending is held`]
  const agency = agencies.find(({ id }) => id === store.cohort(cohort).agency)
  // A halt is right if the account was empty for all, or a hold removed the other payments.
  const elseWrong = faults.some(({ kind }) => kind !== 'odd recipient')
  if (reason !== 'funds' || elseWrong || agency?.refused.size !== 1) return []
  const payable = store.tables.rounds
    .filter((round) => round.cohort === cohort)
    .flatMap(({ id }) => store.entriesOf(id))
    .filter(({ status, reference }) => status === 'pending' && !agency.refused.has(reference))
  return payable.length > 0 ? [`cohort ${cohort} was halted for one recipient`] : []
}

/** When all agencies are honest, no payment stays open without an exception. */
export function judgeEnd({ tables }: Store): string[] {
  const { entries, exceptions, planned, hold } = tables
  const open = entries.filter(({ status }) => isOpen(status))
  const excepted = new Set(exceptions.map(({ entry }) => entry))
  const stuck = open.filter(({ id }) => !excepted.has(id))
  return [
    ...(hold ? ['sending is held for ever'] : []),
    ...stuck.map(({ reference, status }) => `${reference} stays ${status}`),
    ...(planned.length > 0 && open.length === 0 ? ['a round that is due is not made'] : []),
  ]
}

/** Payments at an agency without faults do not wait for other agencies. */
export function judgeNeighbours({ tables }: Store, troubled: ReadonlySet<number>): string[] {
  return tables.entries
    .filter(({ status, agency }) => isOpen(status) && !troubled.has(agency))
    .map(({ reference }) => `${reference} waits, and its agency is well`)
}
