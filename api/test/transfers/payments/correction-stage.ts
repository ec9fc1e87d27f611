import { type Entry as Paid, startRetries } from './retries.ts'

export type Entry = Paid & { master_list_id: number }

export const reason = 'The guardian has another number since June'

/** A portal for tests of corrected recipients. */
export async function startCorrections() {
  const stage = await startRetries()
  const { portal, officer, approver, paid } = stage
  /** The database role of the api and the worker. */
  const app = portal.db.pool
  let numbers = 0
  /** A number that the agency pays, and that no list has. */
  const newNumber = () => `+22379${String(++numbers).padStart(4, '0')}10`
  const propose = ({ master_list_id }: Entry, receiver_phone_number: string, who = officer) =>
    who.post(`/admin/transfers/master-list/${master_list_id}/corrections`, { receiver_phone_number, reason })
  const decide = (id: number, action: 'approved' | 'refused', who = approver) =>
    who.post(`/admin/transfers/corrections/${id}/decide`, { action })
  const waiting = async (who = approver) =>
    (await who.get('/admin/transfers/corrections?per_page=100')).body.corrections.data
  /** The correction of a cohort that waits. */
  const waitingOf = async (name: string): Promise<number> =>
    (await waiting()).find(({ cohort_name }: { cohort_name: string }) => cohort_name === name).id
  const correctionOf = async ({ master_list_id }: Entry) =>
    (
      await portal.owner.query(
        'select id::int, state, user_id::int, decided_by::int from recipient_corrections where master_list_id = $1 order by id desc',
        [master_list_id],
      )
    ).rows[0]
  /** A cohort whose first payment failed for a wrong number. */
  async function refused(name: string, ...digits: number[]) {
    const { id, entries } = await paid(name, 2, ...digits)
    return { id, wrong: entries[0] as Entry, entries: entries as Entry[] }
  }
  return { ...stage, app, newNumber, propose, decide, waiting, waitingOf, correctionOf, refused }
}
