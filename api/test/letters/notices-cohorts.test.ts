import { expect, test } from 'vitest'
import { remindOfDecisions } from '../../src/transfers/decisions/decision-reminders.service.ts'
import { haltIn } from '../../src/transfers/rounds/cohort-halt.service.ts'
import { cohortForm, headings, recipient, sheetFile, startStage } from '../cohorts.ts'
import { until } from '../portal.ts'
import { letterWith, linesAt, mailsTo, prefer } from './notices.ts'

const stage = await startStage(30)
const { portal, officer, approver, imported, approve, cohort } = stage
await portal.worker()
let used = 0
const fresh = () => [recipient(++used)]
const pageOf = (id: number) => `/admin/transfers/cohorts/${id}/summary`
const decide = (id: number) => `/admin/transfers/cohorts/${id}/approve`

test('an approver is told of a cohort to approve on the bell and at once by mail, in her own language', async () => {
  const english = await portal.signedInAs('Transfer Approver')
  await portal.owner.query("update users set locale = 'en' where id = $1", [english.user.id])
  const id = await imported('Kita, term 2', fresh())
  for (const who of [approver, english])
    expect(await linesAt(who, pageOf(id))).toEqual(['Cohort "Kita, term 2" waits for approval.'])
  expect(await mailsTo(portal, english)).toEqual(['Cohort "Kita, term 2" waits for approval.'])
  const letter = await letterWith(portal, approver, pageOf(id))
  expect(letter).toContain('La cohorte «\u00a0Kita, term 2\u00a0» attend une approbation.')
  expect(letter).toContain(`${portal.settings.publicUrl}${pageOf(id)}`)
  expect(letter).toContain(`${portal.settings.publicUrl}/profile`)
  expect(letter).not.toMatch(/Fatoumata|Coulibaly|KYS-|\+223/)
})

test('an approver is not asked for what another one has decided, on the bell or in the mail of the day', async () => {
  const second = await portal.signedInAs('Transfer Approver')
  await prefer(second, { 'cohort-to-approve': { bell: true, mail: 'digest' } })
  const [approved, rejected, open] = [
    await imported('Approved by another', fresh()),
    await imported('Rejected by another', fresh()),
    await imported('Still open', fresh()),
  ]
  const asked = async (id: number) => (await linesAt(second, pageOf(id))).length
  expect([await asked(approved), await asked(rejected), await asked(open)]).toEqual([1, 1, 1])
  expect((await approve(approved)).status).toBe(200)
  expect((await approver.post(decide(rejected), { action: 'rejected' })).status).toBe(200)
  expect([await asked(approved), await asked(rejected), await asked(open)]).toEqual([0, 0, 1])
  const { rows } = await portal.owner.query(
    "select subject_id::int as id, mail from notifications where kind = 'cohort-to-approve' and user_id = $1 order by id",
    [second.user.id],
  )
  expect(rows).toEqual([
    { id: approved, mail: 'off' },
    { id: rejected, mail: 'off' },
    { id: open, mail: 'digest' },
  ])
})

test('a person who uploaded a list is not asked to approve it, although she may approve others', async () => {
  const both = await portal.signedIn('transfers.view', 'cohorts.create', 'cohorts.approve')
  const sent = await both.upload(
    '/admin/transfers/cohorts/import',
    cohortForm(sheetFile([headings, ...fresh()]), { name: 'Of her own' }),
  )
  const id = sent.body.cohort.id
  await until(async () => (await linesAt(approver, pageOf(id))).length > 0, 60_000)
  expect(await linesAt(both, pageOf(id))).toEqual(['The target list "Of her own" is imported.'])
  expect(await mailsTo(portal, both)).toEqual([])
})

test('a person who made the parameter of a cohort cannot decide on it, and is not asked to', async () => {
  const third = await portal.signedInAs('Transfer Approver')
  const { rows } = await portal.owner.query('select user_id from transfer_parameters where id = 1')
  await portal.owner.query('update transfer_parameters set user_id = $1 where id = 1', [third.user.id])
  const id = await imported('Parameter of the third', fresh())
  await portal.owner.query('update transfer_parameters set user_id = $1 where id = 1', [rows[0].user_id])
  expect(await linesAt(third, pageOf(id))).toEqual([])
  expect(await linesAt(approver, pageOf(id))).toHaveLength(1)
})

test('a deactivated approver gets no notice; one who is invited finds it later and gets no mail', async () => {
  const gone = await portal.signedInAs('Transfer Approver')
  const invited = await portal.signedInAs('Transfer Approver')
  await portal.owner.query('update users set deactivated_at = now() where id = $1', [gone.user.id])
  await portal.owner.query('update users set password_hash = null where id = $1', [invited.user.id])
  const id = await imported('Who is there', fresh())
  const { rows } = await portal.owner.query(
    "select user_id, mail from notifications where kind = 'cohort-to-approve' and subject_id = $1 and user_id = any($2)",
    [id, [gone.user.id, invited.user.id]],
  )
  expect(rows).toEqual([{ user_id: invited.user.id, mail: 'off' }])
})

test('the officer whose cohort is rejected is told, and the approver who rejected it is not', async () => {
  const id = await imported('To be rejected', fresh())
  expect((await approver.post(decide(id), { action: 'rejected', comment: 'Two are missing' })).status).toBe(
    200,
  )
  expect((await linesAt(officer, pageOf(id)))[0]).toBe('Your cohort "To be rejected" was rejected.')
  expect(await linesAt(approver, pageOf(id))).toEqual([])
  // It waits for the mail of the day.
  expect(await mailsTo(portal, officer)).not.toContain(
    'Votre cohorte «\u00a0To be rejected\u00a0» a été rejetée.',
  )
})

test('a person who rejects the list that she uploaded gets no notice of it', async () => {
  const both = await portal.signedIn('transfers.view', 'cohorts.create', 'cohorts.approve')
  const id = await imported('Taken back', fresh())
  await portal.owner.query('update transfer_cohorts set user_id = $1 where id = $2', [both.user.id, id])
  expect((await both.post(decide(id), { action: 'rejected' })).status).toBe(200)
  expect(await linesAt(both, pageOf(id))).not.toContain('Your cohort "Taken back" was rejected.')
})

test('approvers and the officer are told when a cohort stops, and once more when it stops again after a retry', async () => {
  const id = await imported('Stops twice', fresh())
  expect((await approve(id)).status).toBe(200)
  const halt = () => portal.db.transaction().execute((tx) => haltIn(tx, id, 'credentials'))
  const stopped = 'Cohort "Stops twice" stopped: The agency refused our credentials.'
  const told = async (who: typeof officer) =>
    (await linesAt(who, pageOf(id))).filter((text) => text === stopped).length
  await Promise.all([halt(), halt()])
  expect([await told(approver), await told(officer)]).toEqual([1, 1])
  expect(
    (await mailsTo(portal, approver)).filter((subject) => subject.includes('s’est arrêtée')),
  ).toHaveLength(1)
  // Somebody has tried it again, so nobody else is asked to.
  expect((await approve(id)).status).toBe(200)
  expect([await told(approver), await told(officer)]).toEqual([0, 0])
  await halt()
  expect((await cohort(id)).status).toBe('error')
  expect([await told(approver), await told(officer)]).toEqual([1, 1])
})

test('when a decision fails, nobody is told of it', async () => {
  const id = await imported('Not decided', fresh())
  await expect(
    portal.db.transaction().execute(async (tx) => {
      await tx.updateTable('transfer_cohorts').set({ status: 'approved' }).where('id', '=', id).execute()
      await haltIn(tx, id, 'funds')
      throw new Error('the transaction ends without a commit')
    }),
  ).rejects.toThrow()
  expect(await linesAt(approver, pageOf(id))).toEqual(['Cohort "Not decided" waits for approval.'])
})

test('whoever may decide on a list is reminded once after two days, in her own language, until it is decided', async () => {
  const limited = await portal.signedInAs('Transfer Approver')
  await portal.owner.query('insert into approval_limits (user_id, amount, set_by) values ($1, 1, $2)', [
    limited.user.id,
    officer.user.id,
  ])
  const id = await imported('Forgotten', fresh())
  // Her limit is too low, so she is not asked at first either (Money 5.18).
  expect(await linesAt(limited, pageOf(id))).toEqual([])
  const lines = async (who: typeof officer) =>
    (await linesAt(who, pageOf(id))).filter((line) => line.startsWith('Reminder'))
  const remind = () => Promise.all([remindOfDecisions(portal.context), remindOfDecisions(portal.context)])
  await remind()
  expect(await lines(approver)).toEqual([])
  await portal.owner.query(
    "update transfer_cohorts set imported_at = now() - interval '2 days 1 minute' where id = $1",
    [id],
  )
  const before = await mailsTo(portal, approver)
  await remind()
  await remind()
  expect(await lines(approver)).toEqual([
    'Reminder: Cohort "Forgotten" waits for approval. It has waited for two days.',
  ])
  for (const who of [officer, limited]) expect(await lines(who)).toEqual([])
  const mails = (await mailsTo(portal, approver)).slice(before.length)
  expect(mails).toEqual([
    expect.stringMatching(/^Rappel\s: La cohorte «\sForgotten\s» attend une approbation\. Cela attend/),
  ])

  await approver.post(decide(id), { action: 'rejected' })
  await remind()
  expect(await lines(approver)).toEqual([])
})

test('an approver is told of a budget at once, and after two days again, but not whoever proposed it', async () => {
  const proposer = await portal.signedInAs('Administrator')
  const page = '/admin/transfers/parameters/list'
  const proposed = await proposer.post('/admin/transfers/parameter/1/budgets', {
    year: 2030,
    amount: 1000,
    reason: 'Voted',
  })
  expect(proposed.status).toBe(200)
  expect(await linesAt(approver, page)).toHaveLength(1)
  // The database keeps when a budget was proposed.
  await portal.owner.query('alter table parameter_budgets disable trigger budget_is_kept')
  await portal.owner.query("update parameter_budgets set created_at = now() - interval '49 hours'")
  await portal.owner.query('alter table parameter_budgets enable trigger budget_is_kept')
  await remindOfDecisions(portal.context)
  expect(await linesAt(approver, page)).toEqual([
    expect.stringMatching(/^Reminder: A budget of/),
    expect.stringMatching(/^A budget of .* waits for a second person\.$/),
  ])
  expect(await linesAt(proposer, page)).toEqual([])
  const { rows } = await portal.owner.query('select id::int from parameter_budgets')
  await approver.post(`/admin/transfers/budgets/${rows[0].id}/decide`, { action: 'refused' })
  expect(await linesAt(approver, page)).toEqual([])
})
