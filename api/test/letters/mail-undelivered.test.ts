import { afterAll, expect, test } from 'vitest'
import { tellOfLostLetters } from '../../src/cases/undelivered.service.ts'
import { caseStage, expert } from '../cases/case-stage.ts'
import { runCommand } from '../commands.ts'
import { startPortal, until } from '../portal.ts'
import { linesAt } from './notices.ts'
import { startPost } from './post.ts'

const post = await startPost()
afterAll(post.close)
const portal = await startPortal({ smtpUrl: post.url })
const { owner, settings } = portal
const { reviewer, fileCase } = await caseStage(portal)
let working: Promise<unknown> | undefined
/** Starts the worker, once for the tests that need one. */
const work = () => (working ??= portal.worker())
const pageOf = (id: number) => `/admin/cases/${id}/details`

/** Asks an expert with this address about a case, a new one unless it is given. */
async function ask(email: string, of?: { id: number; number: string }) {
  const asked = of ?? (await fileCase())
  const sent = await reviewer.upload('/admin/cases/refer', { ...expert, complain_id: asked.id, email })
  expect(sent.status).toBe(200)
  return asked
}
const consultationOf = async ({ id }: { id: number }) =>
  (await reviewer.get(`/admin/cases/${id}/details`)).body.referrals[0]
/** What the bell says of the letter. The first line is that the case is hers. */
const told = async ({ id }: { id: number }) =>
  (await linesAt(reviewer, pageOf(id))).filter((line) => !line.includes('assigned to you'))
const refusedLine = (number: string) =>
  `The consultation on case ${number} could not be requested: the letter was not delivered, because the expert’s address was refused.`
const waitedLine = (number: string) =>
  `The consultation on case ${number} could not be requested: no mail server took the letter within two days.`
const setJob = (email: string, change: string) =>
  owner.query(
    `update pgboss.job set ${change} where name = 'mail' and data->>'id' = (select id::text from mails where recipient = $1)`,
    [email],
  )
/** How many notices about the letter there are, with what the day's mail will say of it. */
const noticesOf = async ({ id }: { id: number }) =>
  (
    await owner.query(
      "select mail, mail_text->>'en' as text, mail_text->>'fr' as french, bell from notifications where subject_id = $1 and kind = 'expert-answered'",
      [id],
    )
  ).rows

test('a reviewer is told once of a letter whose last try was lost with its worker, by whichever worker sees it first', async () => {
  const asked = await ask('lost@test.example')
  // This is what a worker leaves that is killed in the last try of a letter.
  await owner.query("update mails set state = 'failed', error = '452' where recipient = 'lost@test.example'")
  await tellOfLostLetters(portal.db)
  expect(await told(asked)).toEqual([])
  await setJob('lost@test.example', "state = 'failed'")
  await Promise.all([tellOfLostLetters(portal.db), tellOfLostLetters(portal.db)])
  await tellOfLostLetters(portal.db)
  expect(await told(asked)).toEqual([waitedLine(asked.number)])
  expect((await consultationOf(asked)).undelivered).toBe('not_taken')
})

test('a reviewer reads that no mail server took the letter in two days, and not before it was given up', async () => {
  const [given, tried] = [await ask('full@test.example'), await ask('full@later.example')]
  await setJob('full@test.example', 'retry_limit = 0')
  await work()
  await until(async () => (await told(given)).length > 0)
  expect(await told(given)).toEqual([waitedLine(given.number)])
  expect((await consultationOf(given)).undelivered).toBe('not_taken')
  await until(async () => {
    const { rows } = await owner.query("select state from mails where recipient = 'full@later.example'")
    return rows[0].state === 'failed'
  })
  expect(await told(tried)).toEqual([])
  expect((await consultationOf(tried)).undelivered).toBe(null)
})

test('a reviewer reads that the address of an expert was refused, once, and asks again with the right address', async () => {
  await work()
  const asked = await ask('gone@test.example')
  await until(async () => (await told(asked)).length > 0)
  expect(await told(asked)).toEqual([refusedLine(asked.number)])
  const consultation = await consultationOf(asked)
  expect(consultation.undelivered).toBe('refused')
  const french = `La consultation sur le dossier ${asked.number} n’a pas pu être demandée : le message n’a pas été remis, car l’adresse de l’expert a été refusée.`
  expect(await noticesOf(asked)).toEqual([
    { mail: 'digest', text: refusedLine(asked.number), french, bell: true },
  ])
  // Refused again when an operator has it sent again: she knows.
  expect((await runCommand(settings, 'outbox', ['send', 'all'])).out).toContain('Queued: ')
  await until(async () => {
    const { rows } = await owner.query(
      `select m.state, count(*) filter (where j.state = 'completed')::int as tries from mails m
       join pgboss.job j on j.name = 'mail' and j.data->>'id' = m.id::text where m.recipient = 'gone@test.example' group by m.id`,
    )
    return rows[0].state === 'failed' && rows[0].tries === 2
  })
  expect(await noticesOf(asked)).toHaveLength(1)
  expect(await told(asked)).toHaveLength(1)
  expect((await reviewer.post(`/admin/cases/referrals/${consultation.id}/revoke`)).status).toBe(200)
  expect(await told(asked)).toEqual([])
  await ask('right@test.example', asked)
  await until(async () => post.letters.some(({ to }) => to.includes('right@test.example')))
  expect((await consultationOf(asked)).undelivered).toBe(null)
})

test('a reviewer whose letter was refused is told only once the portal has stored that it was given up, and not twice after a worker was killed in between', async () => {
  await work()
  // As if the worker were killed between the two.
  await owner.query(
    `alter table mails add constraint mails_killed check (recipient <> 'gone@killed.example' or state <> 'failed')`,
  )
  const asked = await ask('gone@killed.example')
  await until(async () => {
    const { rows } = await owner.query(
      `select j.state from mails m join pgboss.job j on j.name = 'mail' and j.data->>'id' = m.id::text where m.recipient = 'gone@killed.example'`,
    )
    return rows[0].state === 'retry'
  })
  expect(await noticesOf(asked)).toEqual([])
  expect((await consultationOf(asked)).undelivered).toBe(null)
  await owner.query('alter table mails drop constraint mails_killed')
  await until(async () => (await told(asked)).length > 0)
  expect(await told(asked)).toEqual([refusedLine(asked.number)])
})

test('a case no longer says that a letter was not delivered once an operator has sent it again and it was taken', async () => {
  await work()
  const asked = await ask('moved@test.example')
  await until(async () => (await told(asked)).length > 0)
  expect((await consultationOf(asked)).undelivered).toBe('refused')
  await runCommand(settings, 'outbox', ['send', 'all'])
  await until(async () => post.letters.some(({ to }) => to.includes('moved@test.example')))
  await until(async () => (await consultationOf(asked)).undelivered === null)
  expect(await told(asked)).toEqual([])
})

test('a reviewer is not told of a letter whose consultation she withdrew before it was given up', async () => {
  const asked = await ask('full@withdrawn.example')
  const { id } = await consultationOf(asked)
  expect((await reviewer.post(`/admin/cases/referrals/${id}/revoke`)).status).toBe(200)
  await setJob('full@withdrawn.example', "state = 'failed'")
  await tellOfLostLetters(portal.db)
  expect(await told(asked)).toEqual([])
  expect((await consultationOf(asked)).undelivered).toBe(null)
})

const give = async ({ id }: { id: number }, from: typeof reviewer, to: typeof reviewer) =>
  expect((await from.put(`/admin/cases/${id}/assign`, { reviewer: to.user.id })).status).toBe(200)
async function secondReviewer() {
  const next = await portal.signedInAs('Case Reviewer')
  await owner.query(
    `insert into partners (name, user_id, partner_type, partner_since) values ('River Aid', $1, 'ngo', '2020-01-01')`,
    [next.user.id],
  )
  return next
}

test('a reviewer who is given a case with an undelivered request is told of it once, and not if it was withdrawn before', async () => {
  await work()
  const next = await secondReviewer()
  const [asked, withdrawn] = [await ask('gone@given.example'), await ask('gone@ended.example')]
  for (const each of [asked, withdrawn]) await until(async () => (await told(each)).length > 0)
  const { id } = await consultationOf(withdrawn)
  expect((await reviewer.post(`/admin/cases/referrals/${id}/revoke`)).status).toBe(200)
  for (const each of [asked, withdrawn]) await give(each, reviewer, next)
  const toldNext = async (of: { id: number }) =>
    (await linesAt(next, pageOf(of.id))).filter((line) => !line.includes('assigned to you'))
  expect(await toldNext(asked)).toEqual([refusedLine(asked.number)])
  expect(await toldNext(withdrawn)).toEqual([])
  expect(await told(asked)).toEqual([])
  // It leaves her bell too once she has withdrawn it.
  const { id: open } = await consultationOf(asked)
  expect((await next.post(`/admin/cases/referrals/${open}/revoke`)).status).toBe(200)
  expect(await toldNext(asked)).toEqual([])
})

test('a reviewer who is given her case back is told again of the request that was not delivered, until the letter is sent', async () => {
  await work()
  const next = await secondReviewer()
  const asked = await ask('gone@returned.example')
  await until(async () => (await told(asked)).length > 0)
  await give(asked, reviewer, next)
  expect(await told(asked)).toEqual([])
  await give(asked, next, reviewer)
  expect(await told(asked)).toEqual([refusedLine(asked.number)])
  // An operator sends it once more, and the address is refused again: she has been told of that.
  await runCommand(settings, 'outbox', ['send', 'all'])
  await until(async () => {
    const { rows } = await owner.query(
      `select j.state from mails m join pgboss.job j on j.name = 'mail' and j.data->>'id' = m.id::text
       where m.recipient = 'gone@returned.example' order by j.created_on desc limit 1`,
    )
    return ['completed', 'failed'].includes(rows[0].state)
  })
  expect(await told(asked)).toEqual([refusedLine(asked.number)])
  const { id: open } = await consultationOf(asked)
  expect((await reviewer.post(`/admin/cases/referrals/${open}/revoke`)).status).toBe(200)
  expect(await told(asked)).toEqual([])
})
