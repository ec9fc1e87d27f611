import { beforeEach, expect, test } from 'vitest'
import { startPortal, until } from '../portal.ts'
import { addPlaces, addSchools, addStudents } from '../registers/registers.ts'
import { dayBack, figures, machine, makeToken, minutesAgo, report, settled } from './sync.ts'

const portal = await startPortal()
const { owner } = portal
await portal.worker()
let send: ReturnType<typeof machine>

beforeEach(async () => {
  await portal.clear()
  await addPlaces(portal)
  await addSchools(portal)
  send = machine(portal, await makeToken(portal))
})

const log = async () => (await (await portal.signedIn('students.view')).get('/home/messages')).body
const reasons = async () => (await log()).messages.data.map((one: { error: string }) => one.error)

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

test('a manager finds an impossible report in the log with its reason, in both languages', async () => {
  const wrong = [
    report({ school_admin_code: 'KIT-99' }),
    report({ date: dayBack(-1) }),
    report({ date: dayBack(15) }),
    report({ learners: { enrolled: 40, present: 41 } }),
    report({ learners: { enrolled: 40, present: 'many' } }),
    report({ class: undefined }),
    report({ learners: undefined, class: undefined }),
    report({}, { entity_type: 'student' }),
  ]
  await send({ messages: wrong })
  await send({ messages: [report({ date: dayBack(14) })] })
  await settled(portal)
  expect((await reasons()).toReversed()).toEqual([
    'school_admin_code: No school has the code KIT-99.',
    'date: This date lies in the future.',
    'date: Attendance is taken up to 14 days back.',
    'learners.present: 41 present are more than the 40 enrolled.',
    'learners.present: Write a whole number.',
    'class: Fill in this field.',
    'Neither learners nor teachers are reported.',
    'The portal makes no figures of messages about this; change the register itself.',
  ])
  const person = await portal.signedIn()
  const french = await person.get('/home/messages?state=failed', { 'accept-language': 'fr' })
  expect(french.body.messages.data.at(-1).error).toBe(
    'school_admin_code\u00a0: Aucun établissement n’a le code KIT-99.',
  )
  expect(french.body).toMatchObject({ waiting: 0, failed: 8 })
  expect((await person.get('/home/messages?state=waiting')).body.messages.data).toEqual([])
  expect(await figures(portal)).toMatchObject([{ date: dayBack(14) }])
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

test('a manager retries a failed message after its school was registered', async () => {
  await send({ messages: [report({ school_admin_code: 'KIT-7' }), report()] })
  await settled(portal)
  const [{ id }] = (await log()).messages.data
  const officer = await portal.signedIn()
  expect((await officer.post(`/home/messages/${id}/retry`)).status).toBe(403)
  await owner.query(`update schools set admin_code = 'KIT-7' where admin_code = 'KIT-2'`)
  const manager = await portal.signedIn('sync.manage')
  expect(await manager.post(`/home/messages/${id}/retry`)).toMatchObject({
    status: 200,
    body: { message: 'The message is processed again.' },
  })
  await settled(portal)
  expect(await figures(portal)).toMatchObject([{ school: 'KIT-1' }, { school: 'KIT-7' }])
  expect((await manager.post(`/home/messages/${id}/retry`)).status).toBe(409)
  expect((await manager.post('/home/messages/999999/retry')).status).toBe(404)
  const { rows } = await owner.query(`select auditable_id from audits where event = 'retried'`)
  expect(rows).toEqual([{ auditable_id: id }])
})

test('a manager who may not see students sees no student codes, and nobody sees a full phone number', async () => {
  await addStudents(portal, 3)
  await send({
    messages: [
      report({
        school_admin_code: '+223 76 12 34 56',
        learners: {
          enrolled: 50,
          present: 48,
          absent_codes: ['S-1', 'UNKNOWN-9'],
          more: [{ note: 'S-2, s-3. call 76 12 34 59' }],
        },
        reported_by: '+22376123456',
        sender: { urn: 'tel:221771234567', list: [76123457] },
        'S-3': 'x',
      }),
    ],
  })
  await settled(portal)
  const read = async (...permissions: Parameters<typeof portal.signedIn>) =>
    (await (await portal.signedIn(...permissions)).get('/home/messages')).body.messages.data[0]
  const seen = await read()
  expect(seen.data).toEqual({
    school_admin_code: '••••56',
    date: dayBack(0),
    class: '7A',
    learners: {
      enrolled: 50,
      present: 48,
      absent_codes: ['••••', '••••'],
      more: [{ note: '••••, ••••. call ••••59' }],
    },
    reported_by: '••••56',
    sender: { urn: 'tel:••••67', list: ['••••57'] },
    '••••': 'x',
  })
  expect(Object.keys(seen.data).slice(0, 3)).toEqual(['school_admin_code', 'date', 'class'])
  expect(JSON.stringify(seen)).not.toMatch(/7612345|77123456/)
  expect((await read('students.view')).data.learners).toMatchObject({
    absent_codes: ['S-1', 'UNKNOWN-9'],
    more: [{ note: 'S-2, s-3. call ••••59' }],
  })
})

test('a manager who may not see students sees no student code that a form wrote as a number', async () => {
  await addStudents(portal, 2)
  await owner.query("update students set student_code = '10012345' where student_code = 'S-1'")
  await owner.query("update students set student_code = '4711' where student_code = 'S-2'")
  const data = {
    pupil: 10012345,
    student_code: 4711,
    list: [4711, 12],
    learners: { enrolled: 4711, present: 40 },
  }
  await send({ messages: [report({ school_admin_code: 'NOWHERE', ...data })] })
  await settled(portal)
  const read = async (...permissions: Parameters<typeof portal.signedIn>) =>
    (await (await portal.signedIn(...permissions)).get('/home/messages')).body.messages.data[0].data
  expect(await read()).toMatchObject({
    pupil: '••••',
    student_code: '••••',
    list: ['••••', 12],
    learners: { enrolled: 4711, present: 40 },
  })
  expect(await read('students.view')).toMatchObject(data)
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

test('a manager’s poll of the log gets 304 while nothing has changed', async () => {
  const person = await portal.signedIn()
  const first = await person.get('/home/messages', { 'x-poll': '1' })
  const again = { 'x-poll': '1', 'if-none-match': String(first.headers.etag) }
  expect((await person.get('/home/messages', again)).status).toBe(304)
  await send({ messages: [report({ school_admin_code: 'KIT-50' })] })
  await settled(portal)
  expect((await person.get('/home/messages', again)).status).toBe(200)
})

test('a manager sees messages in the log that arrived without a worker, until the next worker processes them', async () => {
  const quiet = await startPortal()
  await addPlaces(quiet)
  await addSchools(quiet)
  const manager = await quiet.signedIn('sync.manage')
  await machine(quiet, await makeToken(quiet))({ messages: [report(), report({ class: '8A' })] })
  expect((await manager.get('/home/messages')).body).toMatchObject({
    waiting: 2,
    failed: 0,
    messages: { total: 2 },
  })
  const [first] = (await manager.get('/home/messages?state=waiting')).body.messages.data
  expect(first).toMatchObject({
    entity_type: 'attendance',
    action: 'create',
    error: null,
    data: { class: '8A' },
  })
  expect((await manager.post(`/home/messages/${first.id}/retry`)).status).toBe(409)
  await quiet.worker()
  await settled(quiet)
  expect(await figures(quiet)).toHaveLength(2)
})
