import { file, pdf } from '../../cases/case-stage.ts'
import { until } from '../../portal.ts'
import { type Entry, startRetries } from './retries.ts'

export const reason = 'The agency wrote on Monday'

export const letter = () => file('letter.pdf', pdf)

/** A portal for tests of payments whose outcome people find. */
export async function startSettlements() {
  const stage = await startRetries()
  const { portal, agency, officer, approver, imported, approve, ending, progress, payments } = stage
  const colleague = await portal.signedInAs('Transfer Approver')
  /** A cohort with a payment that the agency made, and of which it gives no answer that can be read. */
  async function unanswered(name: string) {
    await agency.set({ hostile: [{ mode: 'not_json', numbers: ['32'] }] })
    const id = await imported(name, ending(32, 20))
    await approve(id)
    await progress(id, ({ round }) => round?.pending === 0 && round.unknown === 1)
    const [unknown] = await payments(id)
    return { id, unknown: unknown as Entry }
  }
  const propose = ({ id }: Entry, fields: Record<string, string | number | File>, who = officer) =>
    who.upload(`/admin/transfers/payments/${id}/settlements`, { reason, ...fields })
  const waiting = async (cohortName: string, who = approver) =>
    (await who.get('/admin/transfers/settlements?per_page=100')).body.settlements.data.filter(
      (each: { cohort_name: string }) => each.cohort_name === cohortName,
    )
  const decide = (id: number, action: 'approved' | 'refused', who = approver) =>
    who.post(`/admin/transfers/settlements/${id}/decide`, { action })
  const attemptOf = async ({ id }: Entry) =>
    (
      await portal.owner.query(
        `select id::int, n, state, reason, tries, ask_at is not null as asked_on, settled_at::date::text as day, external_trx_id as trx
       from payment_attempts where payroll_id = $1 order by n desc limit 1`,
        [id],
      )
    ).rows[0]
  /** Has the agency asked once more, and waits until it was. */
  async function askedAgain(entry: Entry) {
    const { id, tries } = await attemptOf(entry)
    await portal.owner.query('update payment_attempts set ask_at = now() where id = $1', [id])
    await until(async () => (await attemptOf(entry)).tries > tries, 20_000)
  }
  /** Lets the proposals of a payment be a minute older, so that calls of before them have ended. */
  const aMinuteLater = ({ id }: Entry) =>
    portal.owner.query(`
    begin;
    set local session_replication_role = replica;
    update payment_settlements s set created_at = s.created_at - interval '61 seconds'
    from payment_attempts a where a.id = s.attempt_id and a.payroll_id = ${id};
    commit`)
  const stateOf = async (id: number) =>
    (await payments(id))[0] as Entry & { student_id: number; next_step: string }
  return {
    ...stage,
    colleague,
    unanswered,
    propose,
    waiting,
    decide,
    attemptOf,
    askedAgain,
    aMinuteLater,
    stateOf,
  }
}
