import { afterAll, expect, test } from 'vitest'
import { verifyLedger } from '../../../src/transfers/ledger/ledger-check.service.ts'
import { atItsEnd, bothAtOnce } from '../../at-once.ts'
import { until } from '../../portal.ts'
import { startAgency } from '../agencies/agency.ts'
import { copyAgency } from '../agencies/copied.ts'
import { type Entry as Paid, path, startRetries } from './retries.ts'

type Entry = Paid & { master_list_id: number; student_id: number }
type Scene = { id: number; girl: Entry; move: number }

const second = await startAgency()
afterAll(() => second.close())
const stage = await startRetries({ agencyHosts: [second.host] })
const { portal, officer, approver, correct, paid, progress } = stage
const { owner } = portal
const colleague = await portal.signedInAs('Transfer Approver')
const helper = await portal.signedInAs('Transfer Officer')
const secondId = await copyAgency(portal, 'Second', { endpoint: second.url })
const cohorts = '/admin/transfers/cohorts'
const reason = 'The guardian came to the office'

/** What people do about a payment that failed, each with the event in the log. */
const acts = {
  'makes it again': {
    event: 'retried',
    act: ({ girl }: Scene) => approver.post(path, { payroll_ids: [girl.id] }),
  },
  'writes it off': {
    event: 'written off',
    act: ({ girl }: Scene) =>
      colleague.post('/admin/transfers/arrears/write-off', { payroll_ids: [girl.id], reason }),
  },
  'puts the girl on hold': {
    event: 'payee held',
    act: ({ girl }: Scene) =>
      officer.post('/admin/transfers/payee-holds', { student_id: girl.student_id, reason }),
  },
  'moves her list to another agency': {
    event: 'move approved',
    act: ({ move }: Scene) =>
      colleague.post(`/admin/transfers/cohort-moves/${move}/decide`, { action: 'approved' }),
  },
  'corrects her number': {
    event: 'correction proposed',
    act: ({ girl }: Scene) =>
      helper.post(`/admin/transfers/master-list/${girl.master_list_id}/corrections`, {
        receiver_phone_number: '+22379000110',
        reason,
      }),
  },
  'stops her list': {
    event: 'stopped',
    act: ({ id }: Scene) => approver.post(`${cohorts}/${id}/stop`),
  },
}
type Act = keyof typeof acts

/** A payment that failed, of a list that waits to be moved. A second attempt would succeed. */
async function failed(name: string): Promise<Scene> {
  const { id, entries } = await paid(name, 2)
  const [girl] = entries as [Entry]
  await correct(girl)
  await second.set({ corrected: [girl.receiver_phone_number] })
  const wanted = { transfer_agency_id: secondId, reason }
  expect((await officer.post(`${cohorts}/${id}/move`, wanted)).status).toBe(200)
  const { proposal } = (await approver.get(`${cohorts}/${id}/move`)).body
  return { id, girl, move: proposal.id }
}
const eventsSince = async (audit: number) =>
  (
    await owner.query('select event from audits where id > $1 and event = any($2) order by event', [
      audit,
      Object.values(acts).map(({ event }) => event),
    ])
  ).rows.map(({ event }) => event)
async function movedFor({ reference }: Entry): Promise<number> {
  const lines = [...(await stage.agency.ledger()), ...(await second.ledger())]
  return lines.filter((line) => line.reference === reference).reduce((sum, { executed }) => sum + executed, 0)
}

/** How often her money may move after these acts: only where her list is stopped nobody knows whether the order was sent before. */
function movements(done: readonly Act[]): number[] {
  const isBarred = done.includes('puts the girl on hold') || done.includes('writes it off')
  if (!done.includes('makes it again') || isBarred) return [0]
  return done.includes('stops her list') ? [0, 1] : [1]
}

/** Her round was executed before, so that only her payment shows that the new attempt has ended. */
const paidAgain = ({ id }: Entry) =>
  until(
    async () =>
      (await owner.query('select status from transfer_payrolls where id = $1', [id])).rows[0].status ===
      'success',
  )

const names = Object.keys(acts) as Act[]
/** Each pair once. The first act of a pair is the one that stops inside of its transaction. */
const pairs = names.flatMap((one, at) => names.slice(at + 1).map((other) => [one, other] as const))

test.each(pairs)(
  'one person %s and at that moment another one %s: both acts hold, or the second is refused',
  { timeout: 60_000 },
  async (one, other) => {
    const scene = await failed(`${one}, ${other}`)
    const { rows } = await owner.query('select coalesce(max(id), 0)::int as id from audits')
    const answers = await bothAtOnce(
      portal,
      atItsEnd,
      () => acts[one].act(scene),
      () => acts[other].act(scene),
    )
    const statuses = answers.map(({ status }) => status)
    expect(statuses[0]).toBe(200)
    expect([200, 409]).toContain(statuses[1])
    const done = [one, ...(statuses[1] === 200 ? [other] : [])]
    expect(await eventsSince(rows[0].id)).toEqual(done.map((act) => acts[act].event).sort())
    if (!done.includes('stops her list')) await progress(scene.id, ({ round }) => round.executed_at)
    if (movements(done)[0] === 1) await paidAgain(scene.girl)
    expect(movements(done)).toContain(await movedFor(scene.girl))
    expect((await verifyLedger(portal.db)).faults).toEqual([])
  },
)
