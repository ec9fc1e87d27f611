import { expect, test } from 'vitest'
import { tellOfDueCases } from '../../src/cases/due-cases.service.ts'
import { asConsultant, caseStage, expert, inviteOf } from '../cases/case-stage.ts'
import { startPortal } from '../portal.ts'
import { letterWith, linesAt, mailsTo } from './notices.ts'

const portal = await startPortal()
const { reviewer, filer, fileCase } = await caseStage(portal)
await portal.worker()
const pageOf = (id: number) => `/admin/cases/${id}/details`
const addReviewer = async (organisation: string) => {
  const next = await portal.signedInAs('Case Reviewer')
  await portal.owner.query(
    `insert into partners (name, user_id, partner_type, partner_since) values ($1, $2, 'ngo', '2021-01-01')`,
    [organisation, next.user.id],
  )
  return next
}
const assign = (id: number, to: { user: { id: number } }) =>
  reviewer.put(`/admin/cases/${id}/assign`, { reviewer: to.user.id })
const age = (id: number, interval: string) =>
  portal.owner.query('update cases set created_at = now() - $2::interval where id = $1', [id, interval])
/** Two workers look for due cases at the same time. */
const look = () => Promise.all([tellOfDueCases(portal.db), tellOfDueCases(portal.db)])

test('a reviewer is told of a case that is assigned to her; the mail has its number and link, and not its title', async () => {
  const filed = await fileCase(filer, { title: 'Aminata Keita was not paid' })
  expect(await linesAt(reviewer, pageOf(filed.id))).toEqual([
    `Case ${filed.number} is assigned to you: Aminata Keita was not paid`,
  ])
  const letter = await letterWith(portal, reviewer, pageOf(filed.id))
  expect(letter).toContain(`Le dossier ${filed.number} vous est attribué.`)
  expect(letter).not.toContain('Aminata')
  expect(await mailsTo(portal, reviewer)).toContain(`Le dossier ${filed.number} vous est attribué.`)
})

test('a reviewer who files or takes a case herself gets no notice; each other assignment is told', async () => {
  const next = await addReviewer('Kayes Aid')
  const own = await portal.signedIn('cases.create', 'cases.view', 'cases.manage')
  await portal.owner.query(
    `insert into partners (name, user_id, partner_type, partner_since) values ('Own Aid', $1, 'ngo', '2021-01-01')`,
    [own.user.id],
  )
  const mine = await fileCase(own, { reviewer: own.user.id })
  expect(await linesAt(own, pageOf(mine.id))).toEqual([])

  const { id, number } = await fileCase()
  expect((await assign(id, next)).status).toBe(200)
  expect((await own.put(`/admin/cases/${id}/assign`, { reviewer: reviewer.user.id })).status).toBe(200)
  expect((await assign(id, next)).status).toBe(200)
  const told = async ({ user }: typeof next) => {
    const { rows } = await portal.owner.query(
      "select id from notifications where kind = 'case-assigned' and subject_id = $1 and user_id = $2",
      [id, user.id],
    )
    return rows.length
  }
  expect([await told(next), await told(reviewer)]).toEqual([2, 2])
  // Only who has the case now is asked to act on it, once.
  expect(await linesAt(next, pageOf(id))).toEqual([`Case ${number} is assigned to you: Payment not received`])
  expect(await linesAt(reviewer, pageOf(id))).toEqual([])
  expect((await own.put(`/admin/cases/${id}/assign`, { reviewer: own.user.id })).status).toBe(200)
  expect(await linesAt(own, pageOf(id))).toEqual([])
})

test('when the account of a reviewer is not active any more, whoever may give her cases to others is told of them', async () => {
  const leaver = await addReviewer('Tombouctou Aid')
  const manager = await portal.signedIn('cases.view', 'cases.manage')
  const { id, number } = await fileCase(filer, { reviewer: leaver.user.id })
  await age(id, '2 days')
  await look()
  expect(await linesAt(leaver, pageOf(id))).toHaveLength(2)
  await portal.owner.query('update users set deactivated_at = now() where id = $1', [leaver.user.id])
  await look()
  await look()
  const lines = await linesAt(manager, pageOf(id))
  expect(lines).toEqual([expect.stringContaining(number)])
  // Given to somebody else, it is no longer hers to think of.
  expect((await manager.put(`/admin/cases/${id}/assign`, { reviewer: reviewer.user.id })).status).toBe(200)
  expect(await linesAt(manager, pageOf(id))).toEqual([])
})

test('whoever may give cases to others is told of an overdue one of a closed account, also if an earlier reviewer was told of it', async () => {
  const [first, second] = [await addReviewer('Gao Aid'), await addReviewer('Kidal Aid')]
  const manager = await portal.signedIn('cases.view', 'cases.manage')
  const { id, number } = await fileCase(filer, { reviewer: first.user.id })
  await age(id, '2 days')
  await look()
  expect(await linesAt(first, pageOf(id))).toHaveLength(2)
  expect((await manager.put(`/admin/cases/${id}/assign`, { reviewer: second.user.id })).status).toBe(200)
  await portal.owner.query('update users set deactivated_at = now() where id = $1', [second.user.id])
  await look()
  expect(await linesAt(manager, pageOf(id))).toEqual([expect.stringContaining(`${number} has been overdue`)])
  // Whoever may do it from now on is told as well, once.
  const later = await portal.signedIn('cases.view', 'cases.manage')
  await look()
  await look()
  expect(await linesAt(later, pageOf(id))).toHaveLength(1)
  expect(await linesAt(manager, pageOf(id))).toHaveLength(1)
})

test('a filer reads in the mail that her case is decided, and not what its title says', async () => {
  const { id, number } = await fileCase(filer, { title: 'Aminata Keita was not paid' })
  await reviewer.post('/admin/cases/resolve', { complain_id: id, action: 'resolve', verdict: 'Paid' })
  const letter = await letterWith(portal, filer, pageOf(id))
  expect(letter).toContain(`Votre dossier ${number} a été résolu.`)
  expect(letter).not.toContain('Aminata')
})

test('a reviewer who decides on a case that she filed herself gets neither line nor mail of it', async () => {
  const both = await portal.signedIn('cases.create', 'cases.view', 'cases.manage')
  await portal.owner.query(
    `insert into partners (name, user_id, partner_type, partner_since) values ('Both Aid', $1, 'ngo', '2021-01-01')`,
    [both.user.id],
  )
  for (const action of ['resolve', 'reject']) {
    const { id } = await fileCase(both, { reviewer: both.user.id })
    const decided = await both.post('/admin/cases/resolve', { complain_id: id, action, verdict: 'Paid' })
    expect(decided.status).toBe(200)
    expect(await linesAt(both, pageOf(id))).toEqual([])
  }
  expect(await mailsTo(portal, both)).toEqual([])
})

test('a reviewer is told that an expert has answered, and that another has declined', async () => {
  for (const [reject, text] of [
    ['false', 'was answered'],
    ['true', 'was declined'],
  ] as const) {
    const { id, number } = await fileCase()
    await reviewer.upload('/admin/cases/refer', { ...expert, complain_id: id })
    const consultant = asConsultant(await portal.visitor(), await inviteOf(portal, number))
    expect((await consultant.answer({ comment: 'Known to us', reject })).status).toBe(200)
    expect((await linesAt(reviewer, pageOf(id)))[0]).toBe(`The consultation on case ${number} ${text}.`)
    expect((await mailsTo(portal, reviewer)).join()).not.toContain(`consultation sur le dossier ${number}`)
  }
})

test('a reviewer is told once that a case is due, and once that it is overdue, by whichever worker sees it first', async () => {
  const { id, number } = await fileCase(filer, { priority: 'medium_1_week' })
  const dues = async (who = reviewer) =>
    (await linesAt(who, pageOf(id))).filter((text) => /(?:is due on|has been overdue since)/.test(text))
  await look()
  expect(await dues()).toEqual([])
  await age(id, '6 days')
  await look()
  await look()
  const soon = await dues()
  expect(soon).toHaveLength(1)
  expect(soon[0]).toMatch(new RegExp(`^Case ${number} is due on \\d{2}/\\d{2}/\\d{4}: Payment not received$`))
  await age(id, '9 days')
  await look()
  await look()
  expect(await dues()).toEqual([expect.stringContaining('has been overdue since'), soon[0]])
  const next = await addReviewer('Mopti Aid')
  await assign(id, next)
  await look()
  expect(await dues(next)).toHaveLength(1)
  // It is not hers any more, and she may not even read its title then.
  expect(await dues()).toEqual([])
})

test('a reviewer is asked nothing more about a case once it is decided, on the bell or in the mail of the day', async () => {
  const { id, number } = await fileCase(filer, { priority: 'medium_1_week' })
  await reviewer.upload('/admin/cases/refer', { ...expert, complain_id: id })
  const consultant = asConsultant(await portal.visitor(), await inviteOf(portal, number))
  await consultant.answer({ comment: 'Known to us', reject: 'false' })
  await age(id, '9 days')
  await look()
  expect(await linesAt(reviewer, pageOf(id))).toHaveLength(3)
  await reviewer.post('/admin/cases/resolve', { complain_id: id, action: 'resolve', verdict: 'Paid' })
  expect(await linesAt(reviewer, pageOf(id))).toEqual([])
  const { rows } = await portal.owner.query(
    "select kind from notifications where subject_id = $1 and kind in ('case-due', 'expert-answered') and mail <> 'off'",
    [id],
  )
  expect(rows).toEqual([])
})

test('a filer whose account is deactivated gets no line about her case', async () => {
  const gone = await portal.signedIn('cases.create')
  const { id } = await fileCase(gone)
  await portal.owner.query('update users set deactivated_at = now() where id = $1', [gone.user.id])
  await reviewer.post('/admin/cases/resolve', { complain_id: id, action: 'resolve', verdict: 'Paid' })
  const { rows } = await portal.owner.query('select text from notifications where user_id = $1', [
    gone.user.id,
  ])
  expect(rows).toEqual([])
})

test('a reviewer is not told that a decided case is due, nor one that has just been filed for a day', async () => {
  const decided = await fileCase(filer, { priority: 'medium_1_week' })
  await reviewer.post('/admin/cases/resolve', { complain_id: decided.id, action: 'reject' })
  await age(decided.id, '9 days')
  const fast = await fileCase(filer, { priority: 'high_1_day' })
  await look()
  for (const { id } of [decided, fast])
    expect((await linesAt(reviewer, pageOf(id))).filter((text) => / due | overdue /.test(text))).toEqual([])
})
