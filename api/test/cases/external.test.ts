import { beforeAll, expect, test } from 'vitest'
import { letters } from '../access/accounts-outbox.ts'
import { startPortal, until } from '../portal.ts'
import { makeLimitsFirm } from '../server/limits.ts'
import { asConsultant, caseStage, expert, file, inviteOf, pdf } from './case-stage.ts'

const portal = await startPortal()
const { reviewer, filer, fileCase } = await caseStage(portal)
beforeAll(async () => {
  await portal.worker()
})

/** A case with an open consultation, and the expert's browser without any cookies. */
async function consult(fields: Record<string, string | File | string[]> = {}) {
  const filed = await fileCase(filer, { file: file('secret.pdf', pdf) })
  const before = (await reviewer.get(`/admin/cases/${filed.id}/details`)).body
  const sent = await reviewer.upload('/admin/cases/refer', { ...expert, complain_id: filed.id, ...fields })
  expect(sent.status).toBe(200)
  const invite = await inviteOf(portal, filed.number)
  const browser = await portal.visitor()
  const details = async () => (await reviewer.get(`/admin/cases/${filed.id}/details`)).body
  return {
    ...filed,
    invite,
    ...asConsultant(browser, invite),
    details,
    documents: before.complain.documents as { id: number }[],
  }
}

/** Every field that a response of the external calls may contain (Cases 4.2). */
const allowed = new Set(
  'id number comment salutation first_name last_name created_at expires_at resolved_at rejected_at user complain document documents description file_name file_type size download_url complainReferral referral message'.split(
    ' ',
  ),
)
const fieldsOf = (value: unknown): string[] =>
  Array.isArray(value)
    ? value.flatMap(fieldsOf)
    : typeof value === 'object' && value !== null
      ? Object.entries(value).flatMap(([name, inner]) => [name, ...fieldsOf(inner)])
      : []

test('an expert answers through the link of the mail; the reviewer is notified and can act on the case again', async () => {
  const consultation = await consult()
  const read = await consultation.read()
  expect(read.body.complainReferral).toMatchObject({
    comment: expert.comment,
    complain: { number: consultation.number },
    documents: [],
    user: { first_name: 'A••••', last_name: 'D••••' },
  })
  const sent = await consultation.answer({
    comment: 'It was closed in May.',
    reject: 'false',
    file: file('opinion.pdf', pdf),
  })
  expect(sent.status).toBe(200)
  expect(sent.body.referral).toMatchObject({ comment: null, resolved_at: expect.any(String) })
  const { complain, referrals } = await consultation.details()
  expect(complain.status).toBe('open')
  expect(complain.states[0]).toMatchObject({ act: 'answered', user: null, note: 'It was closed in May.' })
  expect(referrals[0]).toMatchObject({
    notes: [{ note: 'It was closed in May.', document: { file_name: 'opinion.pdf', external: true } }],
  })
  expect((await reviewer.get('/notifications')).body.notifications.data[0].text).toMatch(/was answered/)
  expect((await consultation.answer({ comment: 'Once more' })).status).toBe(409)
  const { rows } = await portal.owner.query(
    `select v.old_values ->> 'status' as before, v.new_values ->> 'status' as after from audits a join audit_values v on v.audit_id = a.id
     where a.event = 'answered' order by a.id desc limit 1`,
  )
  expect(rows).toEqual([{ before: 'in_progress', after: 'open' }])
  const { fields } = (await (await portal.signedInAs('Auditor')).get('/admin/users/audit/filters')).body
  expect(fields.referral?.status.values).toMatchObject({
    in_progress: { fr: 'en attente d’un avis externe' },
    open: { fr: 'ouvert' },
  })
})

test('an expert gets no data of the case, the filer or the reviewer in any response', async () => {
  const consultation = await consult()
  const answers = [
    await consultation.read(),
    await consultation.send({ description: 'Map', file: file('map.pdf', pdf) }),
    await consultation.answer({ comment: 'Yes' }),
    await consultation.read(),
  ]
  for (const { status, body } of answers) {
    expect(status).toBe(200)
    expect(fieldsOf(body).filter((name) => !allowed.has(name))).toEqual([])
    expect(JSON.stringify(body)).not.toMatch(/Payment not received|October|Awa|Diarra|@test\.example/)
  }
})

test('an expert may decline without a word, but not answer without one', async () => {
  const consultation = await consult()
  const mute = await consultation.answer({ reject: 'false', comment: '  ' })
  expect([mute.status, Object.keys(mute.body.errors)]).toEqual([422, ['comment']])
  // A message that was copied from a telephone may be a mark without width alone, and an answer is final.
  const blank = await consultation.answer({ comment: '\u200b\ufeff' })
  expect([blank.status, blank.body.errors]).toEqual([422, { comment: ['Fill in this field.'] }])
  expect((await consultation.answer({ reject: 'perhaps', comment: 'x' })).body.errors).toHaveProperty(
    'reject',
  )
  const declined = await consultation.answer({ reject: 'true' })
  expect(declined.body.referral).toMatchObject({ rejected_at: expect.any(String), resolved_at: null })
  expect((await consultation.details()).complain).toMatchObject({
    status: 'open',
    states: [{ act: 'declined' }, {}, {}],
  })
})

test('when an expert sends two answers at the same time, one takes effect', async () => {
  const consultation = await consult()
  const both = await Promise.all([
    consultation.answer({ comment: 'First' }),
    consultation.answer({ comment: 'Second', reject: 'true' }),
  ])
  expect(both.map(({ status }) => status).sort()).toEqual([200, 409])
  expect((await consultation.details()).referrals[0].notes).toHaveLength(1)
})

test('an expert reads the shared documents and no others', async () => {
  const first = await consult()
  const [secret] = first.documents
  expect((await first.document(secret?.id ?? 0)).status).toBe(404)
  await first.answer({ reject: 'true' })
  const filed = await fileCase(filer, { file: file('shared.pdf', pdf) })
  const [shared] = (await reviewer.get(`/admin/cases/${filed.id}/details`)).body.complain.documents
  await reviewer.upload('/admin/cases/refer', {
    ...expert,
    complain_id: filed.id,
    'document_ids[]': [String(shared.id)],
  })
  const invite = await inviteOf(portal, filed.number)
  const other = asConsultant(await portal.visitor(), invite)
  expect((await other.read()).body.complainReferral.documents).toMatchObject([
    { id: shared.id, file_name: 'shared.pdf' },
  ])
  const got = await other.document(shared.id)
  expect([got.status, got.headers['x-content-type-options']]).toEqual([200, 'nosniff'])
  expect((await other.document(secret?.id ?? 0)).status).toBe(404)
  expect((await first.document(shared.id)).status).toBe(404)
})

test('an expert who has added twenty documents reads that there can be no more, and still answers with one', async () => {
  const consultation = await consult()
  const add = (n: number) =>
    consultation.send({ description: `Proof ${n}`, file: file(`proof-${n}.pdf`, pdf) })
  for (let n = 1; n <= 20; n++) expect((await add(n)).status).toBe(200)
  const refused = await add(21)
  expect(refused.status).toBe(409)
  expect(refused.body.message).toMatch(/^You have added 20 documents, as many as a request takes\./)
  expect((await consultation.details()).complain.documents).toHaveLength(21)
  const last = { comment: 'All of them', file: file('rest.pdf', pdf) }
  expect((await consultation.answer(last)).status).toBe(200)
})

test('an expert cannot reach another case with ids in the body, because only the invite selects the case', async () => {
  const one = await consult()
  const two = await consult()
  const foreign = { complain_id: String(two.id), referral_id: '1', reviewer_id: '1', comment: 'Mine' }
  expect((await one.answer(foreign)).status).toBe(200)
  expect((await two.details()).complain.status).toBe('in_progress')
  expect((await one.details()).referrals[0].notes).toMatchObject([{ note: 'Mine' }])
})

test('a person with a withdrawn, expired, used, wrong or malformed link always reads the same, and can change nothing', async () => {
  const withdrawn = await consult()
  await reviewer.post(`/admin/cases/referrals/${(await withdrawn.details()).referrals[0].id}/revoke`)
  const expired = await consult()
  await portal.owner.query(
    "update referrals set expires_at = now() - interval '1 second' where case_id = $1",
    [expired.id],
  )
  const decided = await consult()
  await reviewer.post('/admin/cases/resolve', { complain_id: decided.id, action: 'resolve' })
  const stranger = await portal.visitor()
  const links = [
    withdrawn,
    expired,
    decided,
    asConsultant(stranger, 'A'.repeat(43)),
    asConsultant(stranger, '%00'),
    // Cut off inside of an escape sequence, and longer than any link.
    asConsultant(stranger, '%ff'),
    asConsultant(stranger, 'A'.repeat(300)),
    asConsultant(stranger, 'x'),
  ]
  const answers = []
  for (const link of links) {
    answers.push(await link.read())
    expect((await link.answer({ comment: 'Too late' })).status).toBe(404)
  }
  expect(new Set(answers.map(({ status, body }) => JSON.stringify([status, body.message]))).size).toBe(1)
  expect(answers[0]?.body.message).toMatch(/^Oops! Something doesn't seem right/)
})

test('after thirty days without an answer the case goes back to its reviewer, who is notified', async () => {
  const consultation = await consult()
  await portal.owner.query(
    "update referrals set expires_at = now() - interval '1 second' where case_id = $1",
    [consultation.id],
  )
  const { expireReferrals } = await import('../../src/cases/referrals.service.ts')
  await expireReferrals(portal.context)
  const { complain, referrals } = await consultation.details()
  expect(complain.status).toBe('open')
  expect(referrals[0].expired_at).not.toBeNull()
})

test('when an expert answers after the case changed hands, the new reviewer is notified', async () => {
  const consultation = await consult()
  const next = await portal.signedInAs('Case Reviewer')
  await portal.owner.query(
    `insert into partners (name, user_id, partner_type, partner_since) values ('Mopti Aid', $1, 'ngo', '2021-01-01')`,
    [next.user.id],
  )
  await reviewer.put(`/admin/cases/${consultation.id}/assign`, { reviewer: next.user.id })
  expect((await consultation.answer({ comment: 'Known' })).status).toBe(200)
  await until(async () =>
    (await next.get('/notifications')).body.notifications.data.some(({ text }: { text: string }) =>
      /was answered/.test(text),
    ),
  )
})

test('someone who guesses invites is slowed by the rate limiter', async () => {
  await portal.owner.query('delete from failed_attempts')
  const stranger = await portal.visitor()
  const guess = async (n: number) => (await stranger.get(`/external/cases/guess-${n}`)).status
  const statuses = new Set<number>()
  for (let n = 0; n < 60; n++) statuses.add(await guess(n))
  expect([...statuses]).toEqual([404])
  await makeLimitsFirm(portal.owner)
  expect(await guess(60)).toBe(429)
})

test('someone who reads log, audit rows and jobs finds no link of an expert', async () => {
  await portal.owner.query('delete from failed_attempts')
  const consultation = await consult()
  await consultation.answer({ comment: 'Done' })
  const { rows } = await portal.owner.query(
    `select (select string_agg(to_jsonb(v)::text, ' ') from audit_values v) || (select string_agg(to_jsonb(a)::text, ' ') from audits a) ||
      (select string_agg(to_jsonb(j)::text, ' ') from pgboss.job j) || (select string_agg(to_jsonb(r)::text, ' ') from referrals r) as everything`,
  )
  expect(rows[0].everything).not.toContain(consultation.invite)
  expect(letters(portal).some((letter) => letter.includes(consultation.invite))).toBe(true)
})
