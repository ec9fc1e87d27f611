import { expect, test } from 'vitest'
import { tellOfDueCases } from '../src/cases/due-cases.service.ts'
import { asConsultant, caseStage, expert, inviteOf } from './case-stage.ts'
import { letterWith, linesAt, mailsTo } from './notices.ts'
import { startPortal } from './portal.ts'

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
  const told = (lines: string[]) =>
    lines.filter((text) => text.startsWith(`Case ${number} is assigned to you`))
  expect(told(await linesAt(next, pageOf(id)))).toHaveLength(2)
  expect(told(await linesAt(reviewer, pageOf(id)))).toHaveLength(2)
  expect((await own.put(`/admin/cases/${id}/assign`, { reviewer: own.user.id })).status).toBe(200)
  expect(await linesAt(own, pageOf(id))).toEqual([])
})

test('a filer reads in the mail that her case is decided, and not what its title says', async () => {
  const { id, number } = await fileCase(filer, { title: 'Aminata Keita was not paid' })
  await reviewer.post('/admin/cases/resolve', { complain_id: id, action: 'resolve', verdict: 'Paid' })
  const letter = await letterWith(portal, filer, pageOf(id))
  expect(letter).toContain(`Votre dossier ${number} a été résolu.`)
  expect(letter).not.toContain('Aminata')
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
  expect(await dues()).toHaveLength(2)
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
