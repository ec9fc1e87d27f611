import { noticeDefaults, noticeKinds } from '@portal/contracts/notices'
import { expect, test } from 'vitest'
import { sendDigests } from '../../src/home/digests.service.ts'
import { lettersTo } from '../access/accounts-outbox.ts'
import { caseStage } from '../cases/case-stage.ts'
import { startPortal, until } from '../portal.ts'
import { bellOf, letterWith, linesAt, mailsTo, prefer } from './notices.ts'

const portal = await startPortal()
const { filer, form, fileCase: fileFor } = await caseStage(portal)
await portal.worker()
const pageOf = (id: number) => `/admin/cases/${id}/details`
let organisations = 0
/** Each test has its own reviewer, so that it counts her mails alone. */
async function addReviewer() {
  const reviewer = await portal.signedInAs('Case Reviewer')
  await portal.owner.query(
    `insert into partners (name, user_id, partner_type, partner_since) values ($1, $2, 'ngo', '2021-01-01')`,
    [`Digest Aid ${++organisations}`, reviewer.user.id],
  )
  const fileCase = () => fileFor(filer, { reviewer: reviewer.user.id })
  return { reviewer, fileCase }
}
type Reviewer = Awaited<ReturnType<typeof addReviewer>>['reviewer']
const daily = { 'case-assigned': { bell: true, mail: 'digest' } }
/** Makes the notices of a person so old that the next mail of the day has them, whatever the hour. */
const ripen = (who: Reviewer) =>
  portal.owner.query(
    "update notifications set created_at = created_at - interval '2 days' where user_id = $1",
    [who.user.id],
  )
/** Errors of a module reach those who watch it, and there is no module of a partner here. */
const kinds = noticeKinds.filter((kind) => kind !== 'module-errors')
const usual = Object.fromEntries(kinds.map((kind) => [kind, noticeDefaults[kind]]))
/** Two workers write the mails of the day at the same time. */
const sendTwice = () => Promise.all([sendDigests(portal.context), sendDigests(portal.context)])

test('a person finds on her profile the kinds that can reach her, with what holds until she chooses', async () => {
  const { reviewer } = await addReviewer()
  const own = async (who: Reviewer) => (await who.get('/notifications/preferences')).body.preferences
  expect(await own(reviewer)).toEqual({
    'case-assigned': { bell: true, mail: 'at-once' },
    'case-due': { bell: true, mail: 'digest' },
    'expert-answered': { bell: true, mail: 'digest' },
  })
  expect(Object.keys(await own(await portal.signedInAs('Transfer Officer')))).toEqual([
    'cohort-refused',
    'cohort-in-error',
  ])
  expect(await own(await portal.signedInAs('Administrator'))).toEqual(usual)
  expect(await own(await portal.signedInAs('Auditor'))).toEqual({})
  expect((await (await portal.visitor()).get('/notifications/preferences')).status).toBe(401)
})

test('a person chooses each kind for herself alone, and the change is in the audit log', async () => {
  const admin = await portal.signedInAs('Administrator')
  const other = await portal.signedInAs('Administrator')
  const all = Object.fromEntries(kinds.map((kind) => [kind, { bell: false, mail: 'off' }]))
  const saved = await prefer(admin, all)
  expect(saved.body).toEqual({ message: 'Notification settings saved', preferences: all, titles: {} })
  expect((await admin.get('/notifications/preferences')).body.preferences).toEqual(all)
  expect((await other.get('/notifications/preferences')).body.preferences).toEqual(usual)
  await prefer(admin, { 'case-due': { bell: true, mail: 'at-once' } })
  await prefer(admin, { 'case-due': { bell: true, mail: 'at-once' } })
  const { logs } = (await admin.get(`/admin/users/audit/logs?user_id=${admin.user.id}&event=updated`)).body
  expect(logs.total).toBe(2)
  const sentence = logs.data[0].sentence.map(({ text }: { text: string }) => text).join('')
  expect(sentence).toContain('mail for “Case due or overdue”: Never → At once')
  expect(logs.data[0].new_values).toEqual({ 'bell_case-due': true, 'mail_case-due': 'at-once' })
})

test('a person who sends a choice that does not exist reads where, and nothing is saved', async () => {
  const { reviewer } = await addReviewer()
  const refused = await reviewer.put('/notifications/preferences', {
    'case-due': { bell: true, mail: 'weekly' },
    'case-assigned': { bell: false, mail: 'off' },
  })
  expect(refused.status).toBe(422)
  expect(Object.keys(refused.body.errors)).toEqual(['case-due.mail'])
  expect((await reviewer.get('/notifications/preferences')).body.preferences).toMatchObject({
    'case-assigned': noticeDefaults['case-assigned'],
  })
})

test('a person who switched the bell off sees and counts no line, and still gets the mail', async () => {
  const { reviewer, fileCase } = await addReviewer()
  await prefer(reviewer, { 'case-assigned': { bell: false, mail: 'at-once' } })
  const { id } = await fileCase()
  expect(await bellOf(reviewer)).toEqual([])
  expect((await reviewer.get('/notifications')).body.unread).toBe(0)
  await letterWith(portal, reviewer, pageOf(id))
})

test('a person who switched both off gets neither line nor mail', async () => {
  const { reviewer, fileCase } = await addReviewer()
  await prefer(reviewer, { 'case-assigned': { bell: false, mail: 'off' } })
  await fileCase()
  await ripen(reviewer)
  await sendTwice()
  expect(await bellOf(reviewer)).toEqual([])
  expect(await mailsTo(portal, reviewer)).toEqual([])
})

test('a person who wants one mail a day gets all lines in one, once, although two workers write it', async () => {
  const { reviewer, fileCase } = await addReviewer()
  await prefer(reviewer, daily)
  const cases = [await fileCase(), await fileCase(), await fileCase()]
  expect(await linesAt(reviewer, pageOf(cases[0]?.id ?? 0))).toHaveLength(1)
  expect(await mailsTo(portal, reviewer)).toEqual([])
  await ripen(reviewer)
  await sendTwice()
  await sendTwice()
  expect(await mailsTo(portal, reviewer)).toEqual(['Ce qui vous attend\u00a0: 3'])
  const letter = await letterWith(portal, reviewer, 'Dossier qui vous est attribué (3)')
  for (const { id, number } of cases) {
    expect(letter).toContain(`- Le dossier ${number} vous est attribué.\n`)
    expect(letter).toContain(`${portal.settings.publicUrl}${pageOf(id)}\n`)
  }
  expect(letter).not.toContain(form.title)
})

test('a person gets the next mail on the next day, with the new lines only; without new lines none', async () => {
  const { reviewer, fileCase } = await addReviewer()
  await prefer(reviewer, daily)
  await fileCase()
  await ripen(reviewer)
  await sendTwice()
  const nextDay = () =>
    portal.owner.query('update notice_digests set day = day - 1 where user_id = $1', [reviewer.user.id])
  await nextDay()
  await sendTwice()
  expect(await mailsTo(portal, reviewer)).toHaveLength(1)
  const { number } = await fileCase()
  await ripen(reviewer)
  await sendTwice()
  expect(await mailsTo(portal, reviewer)).toEqual([
    'Ce qui vous attend\u00a0: 1',
    'Ce qui vous attend\u00a0: 1',
  ])
  const letters = await until(async () => {
    const sent = lettersTo(portal, reviewer.user.email)
    return sent.length === 2 && sent
  }, 25_000)
  expect(letters.filter((letter) => letter.includes(number))).toHaveLength(1)
})

test('a person whose lines are younger than the mail of the day waits for the next one', async () => {
  const { reviewer, fileCase } = await addReviewer()
  await prefer(reviewer, daily)
  await fileCase()
  await portal.owner.query(
    "update notifications set created_at = now() + interval '1 day' where user_id = $1",
    [reviewer.user.id],
  )
  await sendTwice()
  expect(await mailsTo(portal, reviewer)).toEqual([])
})

test('a person who switches the mails off gets none of those that waited', async () => {
  const { reviewer, fileCase } = await addReviewer()
  await prefer(reviewer, daily)
  await fileCase()
  await prefer(reviewer, { 'case-assigned': { bell: true, mail: 'off' } })
  await ripen(reviewer)
  await sendTwice()
  expect(await mailsTo(portal, reviewer)).toEqual([])
  expect(await bellOf(reviewer)).toHaveLength(1)
})

test('a deactivated person gets no mail of the day', async () => {
  const { reviewer, fileCase } = await addReviewer()
  await prefer(reviewer, daily)
  await fileCase()
  await portal.owner.query('update users set deactivated_at = now() where id = $1', [reviewer.user.id])
  await ripen(reviewer)
  await sendTwice()
  expect(await mailsTo(portal, reviewer)).toEqual([])
})
