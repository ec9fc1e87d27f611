import type { LedgerLine } from '../transfers/agencies/agency.ts'
import { liedTo } from './money-faults.ts'

export type Entry = { reference: string; phone: string; status: string; amount: number; for_person: boolean }
export type Verdict = {
  /** Paid more than once. */
  double: number
  /** The money moved without a record, was recorded without moving, or moved with another amount. */
  lost: number
  /** Neither paid nor failed at the end, and without an exception that says why. */
  stuck: number
  /** Left to a person to decide, with an exception that says why. */
  persons: number
  /** Recorded wrongly because the agency lied. */
  lies: number
}

/** Compares the portal's records with the agency's ledger. */
export function judge(entries: readonly Entry[], ledger: readonly LedgerLine[]): Verdict {
  const moved = new Map<string, { times: number; amount: number }>()
  for (const { reference, executed, amount } of ledger) {
    const before = moved.get(reference) ?? { times: 0, amount: 0 }
    moved.set(reference, { times: before.times + executed, amount: before.amount + executed * amount })
  }
  const movedOf = ({ reference }: Entry) => moved.get(reference) ?? { times: 0, amount: 0 }
  const wrong = entries.filter((entry) => {
    const { times, amount } = movedOf(entry)
    const leftToPerson = entry.for_person && !['success', 'failed'].includes(entry.status)
    return (
      (!leftToPerson && times > 0 !== (entry.status === 'success')) ||
      (times === 1 && amount !== entry.amount)
    )
  })
  const lies = wrong.filter(({ phone }) => liedTo.includes(phone.slice(-2))).length
  const open = entries.filter(({ status }) => !['success', 'failed'].includes(status))
  return {
    double: entries.filter((entry) => movedOf(entry).times > 1).length,
    lost: wrong.length - lies,
    stuck: open.filter((entry) => !entry.for_person).length,
    persons: open.filter((entry) => entry.for_person).length,
    lies,
  }
}
