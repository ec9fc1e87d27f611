import { expect, test } from 'vitest'
import { startPortal, until } from '../portal.ts'
import { addStudents } from '../registers/registers.ts'
import { messageStage } from './message-stage.ts'
import { dayBack, figures, machine, minutesAgo, report, settled } from './sync.ts'

const portal = await startPortal()
const { log, reasons, send } = messageStage(portal)
const { owner } = portal
await portal.worker()

test('a device reports a class and the school’s teachers, and both count soon after', async () => {
  const message = report({
    school_admin_code: ' kit-1 ',
    class: '7 a',
    teachers: { enrolled: 6, present: 5 },
  })
  expect(await send({ messages: [message] })).toMatchObject({
    status: 202,
    body: { accepted: 1, duplicates: 0, rejected: [] },
  })
  await until(async () => (await figures(portal)).length === 2, 2500)
  const today = dayBack(0)
  expect(await figures(portal)).toEqual([
    { school: 'KIT-1', date: today, who: 'learners', class: '7A', enrolled: 50, present: 41 },
    { school: 'KIT-1', date: today, who: 'teachers', class: '', enrolled: 6, present: 5 },
  ])
  expect(await log()).toMatchObject({ messages: { data: [], total: 0 }, waiting: 0, failed: 0 })
  const { rows } = await owner.query('select processed_at is not null as done from synced_messages')
  expect(rows).toEqual([{ done: true }])
})

test('a device’s repeated message counts once, within one call, in two calls and in ten concurrent calls', async () => {
  const [one, two] = [report(), report({ class: '8A' })]
  expect((await send({ messages: [one, one] })).body).toMatchObject({ accepted: 1, duplicates: 1 })
  expect((await send({ messages: [one, two] })).body).toMatchObject({ accepted: 1, duplicates: 1 })
  const batch = Array.from({ length: 200 }, () => report())
  const answers = await Promise.all(
    Array.from({ length: 10 }, (_, n) => send({ messages: n % 2 ? batch : batch.toReversed() })),
  )
  expect(answers.map(({ status }) => status)).toEqual(Array(10).fill(202))
  expect(answers.reduce((sum, { body }) => sum + body.accepted, 0)).toBe(200)
  expect(answers.reduce((sum, { body }) => sum + body.duplicates, 0)).toBe(1800)
})

test('a device reads in its language why each faulty message is refused, and the others are accepted', async () => {
  const good = report()
  const { id: _, ...without } = report()
  const answer = await send(
    {
      messages: [
        good,
        without,
        { ...report(), entity_type: 'weather' },
        { ...report(), created_at: '2026-02-30T10:00:00Z', action: 'guess' },
        { ...report(), data: [] },
        { ...report(), data: { note: 'half \ud800 a sign' } },
        { ...report(), data: { note: 'x'.repeat(70_000) } },
        'nothing',
      ],
    },
    { 'accept-language': 'fr' },
  )
  expect(answer.status).toBe(202)
  expect(answer.body.accepted).toBe(1)
  expect(answer.body.rejected.map(({ errors }: { errors: object }) => errors)).toEqual([
    { id: ['Remplissez ce champ.'] },
    { entity_type: ['Choisissez dans la liste.'] },
    {
      action: ['Choisissez dans la liste.'],
      created_at: ['Écrivez une heure comme 2025-11-20T08:12:04Z.'],
    },
    { data: ['Remplissez ce champ.'] },
    { data: ['Les données contiennent un signe impossible à enregistrer, ou sont trop imbriquées.'] },
    { data: ['Les données d’un message font 64 Ko au plus.'] },
    { message: [expect.stringContaining('contient des erreurs')] },
  ])
  expect(answer.body.rejected[0].id).toBe('#2')
  expect((await send({ messages: [good] })).body.duplicates).toBe(1)
})

test('a device’s endlessly nested message is refused like any other faulty one', async () => {
  const deep = `{"messages":[${JSON.stringify(report()).replace('"7A"', `${'['.repeat(200_000)}${']'.repeat(200_000)}`)}]}`
  expect((await send(deep)).body).toMatchObject({
    accepted: 0,
    rejected: [{ errors: { data: [expect.any(String)] } }],
  })
})

test('a device is refused without a token, with a wrong one, and as soon as its token is revoked', async () => {
  const admin = await portal.signedIn('sync.manage')
  const { token, id } = (await admin.post('/admin/sync/tokens', { name: 'Kobo' })).body
  expect(token).toMatch(/^[\w-]{43}$/)
  const device = machine(portal, token)
  expect((await device({ messages: [report()] })).status).toBe(202)
  const { tokens } = (await admin.get('/admin/sync/tokens')).body
  expect(tokens.data[0]).toMatchObject({
    id,
    name: 'Kobo',
    revoked_at: null,
    last_used_at: expect.any(String),
  })
  expect(JSON.stringify(tokens)).not.toContain(token)
  expect((await admin.delete(`/admin/sync/tokens/${id}`)).body.message).toBe('The token was revoked.')
  expect((await admin.delete(`/admin/sync/tokens/${id}`)).status).toBe(409)
  const sentence = 'Send a token of this portal that is not revoked, as Authorization: Bearer.'
  for (const one of [token, 'x'.repeat(43), '', null]) {
    const refused = await machine(portal, one)({ messages: [report()] })
    expect([refused.status, refused.body.message]).toEqual([401, sentence])
  }
  const { rows } = await owner.query(
    `select a.event, w.old_values, w.new_values from audits a join audit_values w on w.audit_id = a.id
     where a.auditable_type = 'sync token' order by a.id`,
  )
  expect(rows.slice(1)).toEqual([
    { event: 'created', old_values: null, new_values: { name: 'Kobo' } },
    { event: 'revoked', old_values: { name: 'Kobo' }, new_values: null },
  ])
})

test('a signed-in person cannot use the calls of devices, and only a manager makes tokens', async () => {
  const admin = await portal.signedInAs('Administrator')
  expect((await admin.post('/sync/messages', { messages: [] })).status).toBe(401)
  const officer = await portal.signedInAs('Transfer Officer')
  expect((await officer.post('/admin/sync/tokens', { name: 'Mine' })).status).toBe(403)
  expect((await officer.get('/admin/sync/tokens')).status).toBe(403)
  const nameless = await (await portal.signedIn('sync.manage')).post('/admin/sync/tokens', { name: ' ' })
  expect([nameless.status, nameless.body.errors]).toEqual([422, { name: ['Fill in this field.'] }])
})

test('a device is told at once when a call is too large, of a wrong type or shape, or has too many messages', async () => {
  expect((await send({ nothing: 'known' })).body.errors.messages[0]).toContain('RapidPro')
  expect((await send('{')).status).toBe(422)
  expect((await send({ messages: Array(1001).fill({}) })).body.message).toBe(
    'Send at most 1,000 messages at once.',
  )
  expect((await send('<form/>', { 'content-type': 'text/xml' })).status).toBe(415)
  expect((await send(`{"messages":[],"pad":"${'x'.repeat(27_000_000)}"}`)).status).toBe(413)
  expect((await send({ messages: [] })).body).toEqual({ accepted: 0, duplicates: 0, rejected: [] })
})

test('a device whose clock is ahead is treated as reporting now, so that its next report still corrects it', async () => {
  await send({ messages: [report({}, { created_at: minutesAgo(-60 * 24) })] })
  await settled(portal)
  const { rows } = await owner.query(
    'select abs(extract(epoch from now() - created_at))::int < 60 as now from synced_messages',
  )
  expect(rows).toEqual([{ now: true }])
  await send({
    messages: [report({ learners: { enrolled: 50, present: 44 } }, { created_at: minutesAgo(-5) })],
  })
  await settled(portal)
  expect((await figures(portal))[0]).toMatchObject({ present: 44 })
})

test('a school’s latest report counts in any order of arrival; a later withdrawal removes it, an older one does not', async () => {
  const key = { learners: { enrolled: 50, present: 30 } }
  await send({
    messages: [report({ learners: { enrolled: 50, present: 45 } }, { created_at: minutesAgo(10) })],
  })
  await settled(portal)
  await send({ messages: [report(key, { created_at: minutesAgo(20) })] })
  await send({ messages: [report(key, { created_at: minutesAgo(15), action: 'delete' })] })
  await settled(portal)
  expect(await figures(portal)).toMatchObject([{ present: 45 }])
  await send({ messages: [report({ learners: undefined }, { created_at: minutesAgo(2), action: 'delete' })] })
  await settled(portal)
  expect(await figures(portal)).toEqual([])
  await send({ messages: [report({}, { created_at: minutesAgo(3), action: 'update' })] })
  await settled(portal)
  expect(await figures(portal)).toEqual([])
})

test('of a school’s two reports with the same time the same one counts, in any order of arrival', async () => {
  const created_at = minutesAgo(7)
  const of = (id: string, present: number) =>
    report({ learners: { enrolled: 50, present } }, { id, created_at })
  await send({ messages: [of('b', 2)] })
  await settled(portal)
  await send({ messages: [of('a', 1)] })
  await settled(portal)
  expect(await figures(portal)).toMatchObject([{ present: 2 }])
  await send({ messages: [of('c', 3)] })
  await settled(portal)
  expect(await figures(portal)).toMatchObject([{ present: 3 }])
})

test('a school’s report that leaves out enrolled numbers gets them from the register', async () => {
  await addStudents(portal, 20)
  await send({
    messages: [report({ learners: { present: 18 } }), report({ class: '8A', learners: { present: 3 } })],
  })
  await settled(portal)
  expect(await figures(portal)).toMatchObject([{ class: '7A', enrolled: 20, present: 18 }])
  expect(await reasons()).toEqual([
    'learners.enrolled: Write how many are enrolled: the register does not know.',
  ])
})

test('a device with too many calls is slowed by the rate limiter, and another device is not', async () => {
  const slow = await startPortal({ callsPerSecond: 3 })
  const admin = await slow.signedIn('sync.manage')
  const [one, two] = await Promise.all(
    ['One', 'Two'].map(async (name) =>
      machine(slow, (await admin.post('/admin/sync/tokens', { name })).body.token),
    ),
  )
  const answers = await Promise.all(Array.from({ length: 8 }, () => one?.({ messages: [] })))
  const slowed = answers.filter((answer) => answer?.status === 429)
  expect(slowed.length).toBeGreaterThan(2)
  expect(slowed[0]?.headers['retry-after']).toBe('1')
  expect((await two?.({ messages: [] }))?.status).toBe(202)
})
