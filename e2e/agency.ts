import { place } from './stage/place.ts'

type Settings = {
  latency_ms: number
  float_amount: number
  unreachable: boolean
  corrected: string[]
  /** Its README lists the modes. */
  hostile: { mode: string; numbers: string[] }[]
}
type LedgerEntry = {
  key: string
  reference: string
  phone: string
  amount: number
  received: number
  executed: number
  result: string
}

/** As much as the agency's paying account holds when nothing else is said. */
export const plenty = 1_000_000_000_000

/** Changes how the sandbox agency behaves from now on. */
export async function agencyBehaves(settings: Partial<Settings>): Promise<void> {
  const answer = await fetch(`${place.agencyUrl}/settings`, { method: 'PUT', body: JSON.stringify(settings) })
  if (!answer.ok) throw new Error(`The agency answered ${answer.status}: ${await answer.text()}`)
}

/** The agency's own ledger of some payments, by the references of them. */
export async function agencyLedger(references: readonly string[]): Promise<LedgerEntry[]> {
  const wanted = new Set(references)
  const answer = await fetch(`${place.agencyUrl}/ledger`)
  const { entries } = (await answer.json()) as { entries: LedgerEntry[] }
  return entries.filter(({ reference }) => wanted.has(reference))
}

/** What the agency has paid out by its own books. */
export const paidBy = (entries: readonly LedgerEntry[]): number =>
  entries.reduce((sum, { amount, executed }) => sum + amount * executed, 0)

/** All that the agency has paid since its books began, the demo's past included. */
export async function agencySummary(): Promise<{ executed: number; executed_amount: number }> {
  const answer = await fetch(`${place.agencyUrl}/ledger/summary`)
  return (await answer.json()) as { executed: number; executed_amount: number }
}
