import { expect, test } from 'vitest'
import { startPortal } from '../portal.ts'
import { caseStage, expert, file, jpeg, pdf } from './case-stage.ts'

const portal = await startPortal()
const { reviewer, filer, form, tag, fileCase } = await caseStage(portal)
const year = new Date().getUTCFullYear()
const details = async (id: number, who = reviewer) => (await who.get(`/admin/cases/${id}/details`)).body

test('a person files a case with tags and a document, and its reviewer is notified', async () => {
  const filed = await filer.upload('/admin/cases', {
    ...form,
    'tags[]': [String(tag)],
    file: file('proof.pdf', pdf),
  })
  expect(filed.status).toBe(200)
  expect(filed.body.message).toMatch(/^Case CAS-\d{4}-\d{4} filed/)
  const { complain } = await details(filed.body.complain.id)
  expect(complain).toMatchObject({
    status: 'new',
    overdue: false,
    tags: [{ name: 'Urgent' }],
    documents: [{ file_name: 'proof.pdf', file_type: 'application/pdf' }],
  })
  expect(complain.states).toMatchObject([{ act: 'filed', status: 'new' }])
  // The log has the document, too.
  const { rows } = await portal.owner.query(
    `select new_values from audits a join audit_values w on w.audit_id = a.id
     where auditable_type = 'case' and auditable_id = $1 and event = 'created'`,
    [complain.id],
  )
  expect(rows[0].new_values).toMatchObject({ document: complain.documents[0].id, file: 'proof.pdf' })
  const notifications = await reviewer.get('/notifications')
  expect(notifications.body.notifications.data[0].text).toContain(filed.body.complain.number)
})

test('case numbers have no gaps when many people file at the same time and some are refused', async () => {
  const many = await Promise.all(
    Array.from({ length: 12 }, (_, n) =>
      filer.upload('/admin/cases', n % 3 === 0 ? { ...form, reviewer: 999_999 } : form),
    ),
  )
  expect(many.filter(({ status }) => status === 422)).toHaveLength(4)
  const { rows } = await portal.owner.query('select number from cases order by number')
  expect(rows.map(({ number }) => number)).toEqual(
    rows.map((_, n) => `CAS-${year}-${String(n + 1).padStart(4, '0')}`),
  )
})

test('a person who files a case reads which fields are missing or not on their list', async () => {
  const blank = await filer.upload('/admin/cases', {
    title: ' ',
    description: '',
    type: 999_999,
    priority: 'soon',
  })
  expect(blank.status).toBe(422)
  expect(Object.keys(blank.body.errors).sort()).toEqual([
    'channel',
    'description',
    'priority',
    'reviewer',
    'title',
  ])
  for (const [field, value] of [
    ['type', 999_999],
    ['channel', form.type],
    ['reviewer', filer.user.id],
    ['priority', 'soon'],
  ] as const) {
    const refused = await filer.upload('/admin/cases', { ...form, [field]: value })
    expect([field, refused.status, Object.keys(refused.body.errors)]).toEqual([field, 422, [field]])
  }
})

test('a person whose text has only invisible signs reads that it is missing', async () => {
  const blank = '\u200b \u2060'
  const missing = ['Fill in this field.']
  const filed = await filer.upload('/admin/cases', { ...form, title: blank, description: blank })
  expect([filed.status, filed.body.errors]).toEqual([422, { title: missing, description: missing }])
  const { id } = await fileCase(filer)
  const noted = await reviewer.post('/admin/cases/activity', {
    complain_id: id,
    note: blank,
    channel_id: form.channel,
  })
  expect([noted.status, noted.body.errors]).toEqual([422, { note: missing }])
  const asked = await reviewer.upload('/admin/cases/refer', {
    ...expert,
    complain_id: id,
    first_name: blank,
    last_name: blank,
    profession: blank,
    comment: blank,
  })
  expect(asked.body.errors).toEqual({
    first_name: missing,
    last_name: missing,
    profession: missing,
    comment: missing,
  })
  const document = await reviewer.upload('/admin/cases/file', {
    complain_id: id,
    description: blank,
    file: file('plainte.pdf', pdf),
  })
  expect([document.status, document.body.errors]).toEqual([422, { description: missing }])
})

test('a case is opened by its reviewer’s first action; only she may act, and nobody after the decision', async () => {
  const { id } = await fileCase()
  const other = await portal.signedIn('cases.view', 'cases.manage')
  const activity = { complain_id: id, note: 'Called the guardian', channel_id: form.channel }
  const refused = await other.post('/admin/cases/activity', activity)
  expect(refused.status).toBe(403)
  expect((await filer.post('/admin/cases/activity', activity)).status).toBe(403)
  expect((await reviewer.post('/admin/cases/activity', activity)).status).toBe(200)
  expect((await details(id)).complain).toMatchObject({
    status: 'open',
    states: [{ act: 'activity', note: 'Called the guardian' }, { act: 'filed' }],
  })
  expect(
    (
      await reviewer.post('/admin/cases/resolve', {
        complain_id: id,
        action: 'resolve',
        verdict: 'Paid again',
      })
    ).body.message,
  ).toMatch(/^Case resolved/)
  expect((await details(id)).complain).toMatchObject({ status: 'resolved', verdict: 'Paid again' })
  expect((await filer.get('/notifications')).body.notifications.data[0].text).toMatch(/was resolved/)
  for (const [path, body] of [
    ['activity', activity],
    ['resolve', { complain_id: id, action: 'reject' }],
  ] as const) {
    expect((await reviewer.post(`/admin/cases/${path}`, body)).status).toBe(409)
  }
})

test('an auditor reads by which act a case was opened, and through which channel', async () => {
  const { id } = await fileCase()
  const activity = { complain_id: id, note: 'Called the guardian', channel_id: form.channel }
  for (let times = 0; times < 2; times++)
    expect((await reviewer.post('/admin/cases/activity', activity)).status).toBe(200)
  const other = await fileCase()
  const sent = { complain_id: other.id, description: 'Proof', file: file('proof.pdf', pdf) }
  expect((await reviewer.upload('/admin/cases/file', sent)).status).toBe(200)
  const { rows } = await portal.owner.query(
    `select event, old_values, new_values from audits a join audit_values w on w.audit_id = a.id
     where auditable_type = 'case' and auditable_id = any($1) and event <> 'created' order by a.id`,
    [[id, other.id]],
  )
  const { note, channel_id: channel } = activity
  expect(rows).toEqual([
    {
      event: 'activity recorded',
      old_values: { status: 'new' },
      new_values: { note, channel, status: 'open' },
    },
    { event: 'activity recorded', old_values: null, new_values: { note, channel } },
    {
      event: 'document added',
      old_values: { status: 'new' },
      new_values: { document: expect.any(Number), description: 'Proof', file: 'proof.pdf', status: 'open' },
    },
  ])
})

test('when a reviewer sends two decisions at the same time, one takes effect', async () => {
  const { id } = await fileCase()
  const both = await Promise.all(
    ['resolve', 'reject'].map((action) => reviewer.post('/admin/cases/resolve', { complain_id: id, action })),
  )
  expect(both.map(({ status }) => status).sort()).toEqual([200, 409])
  const { complain } = await details(id)
  expect(
    complain.states.filter(({ act }: { act: string }) => act === 'resolved' || act === 'rejected'),
  ).toHaveLength(1)
})

test('a person without access to a case gets 404 for it and its documents', async () => {
  const { id } = await fileCase(filer, { file: file('photo.jpg', jpeg) })
  const [document] = (await details(id)).complain.documents
  const stranger = await portal.signedIn('cases.create')
  expect((await stranger.get(`/admin/cases/${id}/details`)).status).toBe(404)
  expect((await stranger.get(document.download_url)).status).toBe(404)
  expect((await (await portal.visitor()).get(document.download_url)).status).toBe(404)
  const mine = await filer.get(document.download_url)
  expect(mine.status).toBe(200)
  expect(mine.headers['content-disposition']).toMatch(/^attachment/)
  expect(mine.headers['x-content-type-options']).toBe('nosniff')
})

test('an auditor reads that a decision withdrew the consultation that was still open', async () => {
  const { id, number } = await fileCase()
  expect((await reviewer.upload('/admin/cases/refer', { ...expert, complain_id: id })).status).toBe(200)
  await reviewer.post('/admin/cases/resolve', { complain_id: id, action: 'reject' })
  const { rows } = await portal.owner.query(
    `select event, user_id::int, new_values from audits a join audit_values w on w.audit_id = a.id
     where auditable_type = 'case' and auditable_id = $1 and event = 'referral revoked'`,
    [id],
  )
  expect(rows).toEqual([
    { event: 'referral revoked', user_id: reviewer.user.id, new_values: { referral: `${number}-1` } },
  ])
})

test('when a case is given to another reviewer, she is notified and may act from then on', async () => {
  const { id } = await fileCase()
  const next = await portal.signedInAs('Case Reviewer')
  expect((await reviewer.put(`/admin/cases/${id}/assign`, { reviewer: next.user.id })).status).toBe(422)
  await portal.owner.query(
    `insert into partners (name, user_id, partner_type, partner_since) values ('Kayes Aid', $1, 'ngo', '2021-01-01')`,
    [next.user.id],
  )
  expect((await reviewer.put(`/admin/cases/${id}/assign`, { reviewer: next.user.id })).status).toBe(200)
  const activity = { complain_id: id, note: 'Taken over', channel_id: form.channel }
  expect((await reviewer.post('/admin/cases/activity', activity)).status).toBe(403)
  expect((await next.post('/admin/cases/activity', activity)).status).toBe(200)
})

test('whoever opened a case before it was given on does not give it back unseen', async () => {
  const next = await portal.signedInAs('Case Reviewer')
  await portal.owner.query(
    `insert into partners (name, user_id, partner_type, partner_since) values ('Gao Aid', $1, 'ngo', '2021-01-01')`,
    [next.user.id],
  )
  const manager = await portal.signedIn('cases.create', 'cases.view', 'cases.manage')
  const { id } = await fileCase(next)
  const { version } = (await manager.get(`/admin/cases/${id}/details`)).body.complain
  expect((await reviewer.put(`/admin/cases/${id}/assign`, { reviewer: next.user.id })).status).toBe(200)
  const late = await manager.put(`/admin/cases/${id}/assign`, { reviewer: reviewer.user.id, version })
  expect(late.status).toBe(409)
})

test('a person files a case in as many paragraphs as its field lets her write, and reads them as she wrote them', async () => {
  const description = 'abcd\n'.repeat(1000).trim().padEnd(5000, 'e')
  const { id } = await fileCase(filer, { description })
  const stored = await portal.owner.query('select description from cases where id = $1', [id])
  expect(stored.rows).toEqual([{ description }])
})

test('a reviewer reads of a consultation which case it is about and the document that was sent with it', async () => {
  const { id, number } = await fileCase(filer, { file: file('proof.pdf', pdf) })
  const shared = file('question.pdf', pdf)
  expect(
    (await reviewer.upload('/admin/cases/refer', { ...expert, complain_id: id, file: shared })).status,
  ).toBe(200)
  const [referral] = (await details(id)).referrals
  expect(referral).toMatchObject({
    complain: { id, number, title: form.title },
    document: { file_name: 'question.pdf' },
    documents: [{ file_name: 'question.pdf' }],
  })
  expect((await reviewer.get(referral.document.download_url)).status).toBe(200)
  const bare = await fileCase()
  await reviewer.upload('/admin/cases/refer', { ...expert, complain_id: bare.id })
  expect((await details(bare.id)).referrals[0]).toMatchObject({ document: null, complain: { id: bare.id } })
})

test('a reviewer cannot ask a second consultant before the first has answered, and reads which fields are missing', async () => {
  const { id } = await fileCase()
  const empty = await reviewer.upload('/admin/cases/refer', { complain_id: id })
  expect(Object.keys(empty.body.errors).sort()).toEqual([
    'comment',
    'email',
    'first_name',
    'last_name',
    'profession',
    'salutation',
  ])
  expect(
    (
      await reviewer.upload('/admin/cases/refer', {
        ...expert,
        complain_id: id,
        'document_ids[]': ['999999'],
      })
    ).status,
  ).toBe(422)
  expect((await reviewer.upload('/admin/cases/refer', { ...expert, complain_id: id })).status).toBe(200)
  const { complain, referrals } = await details(id)
  expect(complain.status).toBe('in_progress')
  expect((await reviewer.upload('/admin/cases/refer', { ...expert, complain_id: id })).status).toBe(409)
  expect((await reviewer.post(`/admin/cases/referrals/${referrals[0].id}/revoke`)).status).toBe(200)
  expect((await details(id)).complain.status).toBe('open')
  expect((await reviewer.post(`/admin/cases/referrals/${referrals[0].id}/revoke`)).status).toBe(409)
})
