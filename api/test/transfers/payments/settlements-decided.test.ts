import { expect, test } from 'vitest'
import { remindOfDecisions } from '../../../src/transfers/decisions/decision-reminders.service.ts'
import { file, pdf } from '../../cases/case-stage.ts'
import { linesWith } from '../../letters/notices.ts'
import type { Entry } from './retries.ts'
import { letter, startSettlements } from './settlement-stage.ts'

const {
  portal,
  agency,
  officer,
  approver,
  progress,
  payments,
  colleague,
  unanswered,
  propose,
  waiting,
  decide,
  askedAgain,
  aMinuteLater,
  stateOf,
} = await startSettlements()

/** The database role of the api and the worker. */
const app = portal.db.pool

test('a person reads what is missing of a proposal, and nobody approves her own, in the portal or in the database', {
  timeout: 60_000,
}, async () => {
  const { id, unknown } = await unanswered('Alone')
  const faults = async (fields: Record<string, string | number | File>) =>
    (await propose(unknown, fields)).body.errors
  expect(await faults({ outcome: 'paid' })).toMatchObject({
    file: [expect.stringContaining('Choose a line')],
  })
  expect(await faults({ outcome: 'paid', line_id: 1, file: letter() })).toHaveProperty('file')
  expect(await faults({ outcome: 'not_paid', line_id: 1 })).toMatchObject({
    file: [expect.stringContaining('Add a document')],
  })
  expect(await faults({ outcome: 'maybe', file: letter() })).toHaveProperty('outcome')
  expect(await faults({ outcome: 'paid', file: letter(), reason: ' ' })).toHaveProperty('reason')
  expect(await faults({ outcome: 'paid', file: file('letter.pdf', Buffer.from('MZ')) })).toHaveProperty(
    'file',
  )
  expect(await faults({ outcome: 'paid', file: file('a.exe', pdf) })).toHaveProperty('file')
  const large = file('large.pdf', Buffer.concat([pdf, Buffer.alloc(2_200_000, 32)]))
  expect(await faults({ outcome: 'paid', file: large })).toHaveProperty('file')
  expect((await propose(unknown, { outcome: 'paid', file: letter() }, approver)).status).toBe(403)
  const paid = (await payments(id))[1] as Entry
  expect(await propose(paid, { outcome: 'paid', file: letter() })).toMatchObject({
    status: 409,
    body: { message: 'It was paid.' },
  })

  const both = await portal.signedIn('transfers.view', 'cohorts.create', 'cohorts.approve')
  const twice = await Promise.all([
    propose(unknown, { outcome: 'paid', file: letter() }, both),
    propose(unknown, { outcome: 'not_paid', file: letter() }, both),
  ])
  expect(twice.map(({ status }) => status).sort()).toEqual([200, 409])
  await askedAgain(unknown)
  await aMinuteLater(unknown)
  const [own] = await waiting('Alone', both)
  expect(own.barred).toContain('somebody else must approve it')
  expect((await decide(own.id, 'approved', both)).status).toBe(403)
  // The officer uploaded the list, and has no right to approve.
  expect((await decide(own.id, 'approved', officer)).status).toBe(403)
  const change = (text: string) => app.query(`update payment_settlements set ${text} where id = ${own.id}`)
  const approved = "state = 'approved', decided_at = now(), decided_by ="
  await expect(change(`${approved} user_id`)).rejects.toMatchObject({
    constraint: 'payment_settlements_four_eyes',
  })
  await expect(change("reason = 'Another one'")).rejects.toMatchObject({ code: '23514' })
  await expect(app.query(`delete from payment_settlements where id = ${own.id}`)).rejects.toThrow()
  await portal.owner.query("insert into sending_holds (reasons, known_until) values ('{clock}', now())")
  try {
    expect((await decide(own.id, 'approved')).status).toBe(409)
    await expect(change(`${approved} ${approver.user.id}`)).rejects.toMatchObject({
      constraint: 'payment_settlements_overdue',
    })
  } finally {
    await portal.owner.query('update sending_holds set released_at = now(), released_by = $1', [
      approver.user.id,
    ])
  }
  expect((await decide(own.id, 'refused')).status).toBe(200)
  expect((await decide(own.id, 'approved')).status).toBe(409)
  expect((await decide(999_999, 'approved')).status).toBe(404)
  expect(await stateOf(id)).toMatchObject({ state: 'unknown', acts: ['settle'] })
})

test('an officer withdraws her own settlement, and the agency is asked on', { timeout: 60_000 }, async () => {
  const { id, unknown } = await unanswered('Withdrawn settlement')
  expect((await propose(unknown, { outcome: 'not_paid', file: letter() })).status).toBe(200)
  const [shown] = await waiting('Withdrawn settlement', officer)
  expect([shown.own, (await waiting('Withdrawn settlement'))[0].own]).toEqual([true, false])
  const withdraw = (who: typeof officer) => who.post(`/admin/transfers/settlements/${shown.id}/withdraw`)
  expect(await withdraw(await portal.signedInAs('Transfer Officer'))).toMatchObject({
    status: 403,
    body: { message: expect.stringMatching(/^Somebody else proposed this settlement/) },
  })
  const answers = await Promise.all([withdraw(officer), withdraw(officer)])
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 409])
  expect((await decide(shown.id, 'approved')).status).toBe(409)
  expect(await stateOf(id)).toMatchObject({ state: 'unknown', acts: ['settle'] })
  const { rows } = await portal.owner.query(
    "select event from audits where auditable_type = 'payment' and auditable_id = $1 and event like 'settlement %' order by id",
    [unknown.id],
  )
  expect(rows.map(({ event }) => event)).toEqual(['settlement proposed', 'settlement withdrawn'])
})

test('approvers are asked about a settlement until it was decided or the agency has answered, and whoever touched the list is not asked', {
  timeout: 60_000,
}, async () => {
  const touched = await portal.signedInAs('Transfer Approver')
  const { id, unknown } = await unanswered('Asked to settle')
  // She changed the agency of the list, so she decides on nothing of it.
  const { rows: agencies } = await portal.owner.query('select user_id from transfer_agencies where id = 1')
  await portal.owner.query('update transfer_agencies set user_id = $1 where id = 1', [touched.user.id])
  const asked = (...people: (typeof approver)[]) => linesWith('Cohort "Asked to settle": a payment', people)
  expect((await propose(unknown, { outcome: 'not_paid', file: letter() })).status).toBe(200)
  await portal.owner.query('update transfer_agencies set user_id = $1 where id = 1', [agencies[0].user_id])
  expect(await asked(approver, colleague, touched)).toEqual([1, 1, 0])
  await agency.set({ hostile: [] })
  await askedAgain(unknown)
  await progress(id, ({ round }) => round.unknown === 0)
  await remindOfDecisions(portal.context)
  expect(await asked(approver, colleague, touched)).toEqual([0, 0, 0])
})
