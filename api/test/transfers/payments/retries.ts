import { afterEach } from 'vitest'
import { recipient, startStage } from '../../cohorts.ts'
import { mortalWorkers } from '../../workers.ts'
import type { Agency } from '../agencies/agency.ts'

export const path = '/admin/transfers/payrolls/retry'
export type Entry = {
  id: number
  reference: string
  status: string
  failure_reason?: string | null
  receiver_phone_number: string
  amount: number
}
export const ids = (entries: readonly { id: number }[]) => entries.map((entry) => entry.id)

/** What the agency did for one payment: the orders it received, and how often money moved. */
async function ordersOf(agency: Agency, { reference }: Entry) {
  const lines = (await agency.ledger()).filter((line) => line.reference === reference)
  return {
    keys: new Set(lines.map(({ key }) => key)).size,
    moved: lines.reduce((sum, { executed }) => sum + executed, 0),
  }
}

/** A portal with a worker, and the steps that tests of retried payments share. */
export async function startRetries({ agencyHosts = [] }: { agencyHosts?: string[] } = {}) {
  const stage = await startStage(200, { agencyHosts })
  const { portal, agency, approver, imported, approve, progress } = stage
  const workers = mortalWorkers(portal.settings)
  let worker = workers.start()
  afterEach(() => agency.set({ hostile: [], latency_ms: 0, corrected: [], unreachable: false }))
  let used = 0
  const ending = (...digits: number[]) => digits.map((lastTwo) => recipient(++used, { lastTwo }))
  const settled = (id: number) =>
    progress(id, ({ round }) => round?.pending === 0 && round.unknown === 0, 60_000)

  /** The payments of the only round of a cohort, read through the API. */
  async function payments(id: number): Promise<Entry[]> {
    const { round } = await progress(id, (now) => now.round)
    const { body } = await approver.get(`/admin/transfers/cohorts/payroll/${round.id}?per_page=100`)
    return body.payrollGroup.transfer_payrolls.data
  }

  return {
    ...stage,
    settled,
    payments,
    /** Rows for the next recipients, with numbers that end in the given digits. */
    ending,
    /** Number of recipients that earlier lists have used. */
    used: () => used,
    /** Makes a cohort, waits for the end of its round, and returns its payments. */
    async paid(name: string, ...digits: number[]) {
      const id = await imported(name, ending(...digits))
      await approve(id)
      await settled(id)
      return { id, entries: await payments(id) }
    },
    atAgency: (entry: Entry) => ordersOf(agency, entry),
    attemptsOf: async ({ id }: Entry) =>
      (
        await portal.owner.query(
          'select n, state, user_id from payment_attempts where payroll_id = $1 order by n',
          [id],
        )
      ).rows,
    correct: (...entries: Entry[]) =>
      agency.set({ corrected: entries.map((entry) => entry.receiver_phone_number) }),
    retry: (entries: readonly Entry[], who = approver) => who.post(path, { payroll_ids: ids(entries) }),
    async killWorker() {
      await workers.end(worker, 'SIGKILL')
    },
    startWorker() {
      worker = workers.start()
    },
  }
}
