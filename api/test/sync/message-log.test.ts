import { expect, test } from 'vitest'
import { startPortal } from '../portal.ts'
import { addPlaces, addSchools, addStudents } from '../registers/registers.ts'
import { messageStage } from './message-stage.ts'
import { dayBack, figures, machine, makeToken, report, settled } from './sync.ts'

const portal = await startPortal()
const { log, reasons, send } = messageStage(portal)
const { owner } = portal
await portal.worker()

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
