import { beforeEach, expect, test } from 'vitest'
import { startPortal } from '../portal.ts'
import { addPlaces, addSchools, addStudents } from '../registers/registers.ts'
import { dayBack, figures, machine, makeToken, settled } from './sync.ts'

const portal = await startPortal()
const { owner } = portal
await portal.worker()
let send: ReturnType<typeof machine>
const today = dayBack(0)

beforeEach(async () => {
  await portal.clear()
  await addPlaces(portal)
  await addSchools(portal)
  await owner.query(`update schools set admin_code = 'ML-SIK-0012' where admin_code = 'KIT-1'`)
  send = machine(portal, await makeToken(portal))
})

/** Inserts learners of KIT-1 and teachers into the register. */
async function enrol(learners: number, teachers: number) {
  await owner.query(`update schools set admin_code = 'KIT-1' where admin_code = 'ML-SIK-0012'`)
  await addStudents(portal, learners)
  await owner.query(
    `with u as (insert into users (first_name, last_name, type) select 'Moussa', 'Keïta ' || n, 'teacher' from generate_series(1, $1::int) n returning id)
     insert into teachers (user_id, school_id, natural_key) select u.id, s.id, '+2236600' || u.id from u, schools s where s.admin_code = 'KIT-1'`,
    [teachers],
  )
  await owner.query(`update schools set admin_code = 'ML-SIK-0012' where admin_code = 'KIT-1'`)
}

const stored = async () =>
  (await owner.query('select message_id, entity_type, action, data from synced_messages order by id')).rows
const once = { status: 202, body: { accepted: 1, duplicates: 0, rejected: [] } }
const again = { status: 202, body: { accepted: 0, duplicates: 1, rejected: [] } }

/** The default body of RapidPro's 'Call Webhook'. */
const rapidpro = (results: Record<string, string>, fields: object = {}) => ({
  contact: { uuid: 'ba96bf7f-bc2a-4873-a7c7-254d1927c4e3', name: 'Mariam Traoré', urn: 'tel:+22376123456' },
  flow: { uuid: '9b5e12b2-7b7d-4b9c-8f3a-0f7a3c1f2d11', name: 'Presence ecole' },
  results: Object.fromEntries(
    Object.entries(results).map(([key, value]) => [key, { value, category: 'All Responses' }]),
  ),
  ...fields,
})

test('a head teacher reports girls and teachers of her school with RapidPro; the register knows how many there are', async () => {
  await enrol(52, 6)
  const body = rapidpro({ school_code: 'ML-SIK-0012', girls_present: '41', teachers_present: '5' })
  expect(await send(body)).toMatchObject(once)
  expect(await send(body)).toMatchObject(again)
  await settled(portal)
  expect(await figures(portal)).toEqual([
    { school: 'ML-SIK-0012', date: today, who: 'learners', class: 'ALL', enrolled: 52, present: 41 },
    { school: 'ML-SIK-0012', date: today, who: 'teachers', class: '', enrolled: 6, present: 5 },
  ])
  const [message] = await stored()
  expect(message.message_id).toContain('rapidpro:ba96bf7f-bc2a-4873-a7c7-254d1927c4e3:9b5e12b2')
  expect(message.data).toMatchObject({ reported_by: '+22376123456', channel: 'rapidpro' })
  expect(JSON.stringify(message.data)).not.toContain('Mariam')
})

test('a head teacher runs the flow once for each class, and girls and boys are added up', async () => {
  const of = (name: string) =>
    rapidpro({
      code_ecole: 'ml-sik-0012',
      classe: name,
      filles_inscrites: '30',
      garcons_inscrits: '28',
      filles_presentes: '27',
      garcons_presents: '20',
    })
  expect(await send(of('7A'))).toMatchObject(once)
  expect(await send(of('8A'))).toMatchObject(once)
  await settled(portal)
  expect(await figures(portal)).toMatchObject([
    { class: '7A', enrolled: 58, present: 47 },
    { class: '8A', enrolled: 58, present: 47 },
  ])
})

test('a head teacher’s run of an older flow is identified by its run id, whatever she answered', async () => {
  const run = { uuid: 'c34f0f1a-2c9e-4f52-8c4f-6b1c2d3e4f50', created_on: `${today}T00:00:01.123456+00:00` }
  const [year, month, day] = today.split('-')
  const date = `${day}-${month}-${year} 08:12`
  const results = {
    school_code: 'ML-SIK-0012',
    date,
    class: '7',
    learners_enrolled: '40',
    learners_present: '38',
  }
  expect(await send(rapidpro(results, { run }))).toMatchObject(once)
  expect(await send(rapidpro({ ...results, learners_present: '39' }, { run }))).toMatchObject(again)
  expect((await stored())[0].message_id).toBe(`rapidpro:${run.uuid}`)
  await settled(portal)
  expect(await figures(portal)).toMatchObject([{ date: today, class: '7', enrolled: 40, present: 38 }])
})

test('a head teacher’s KoboToolbox submission that arrives four times is one report', async () => {
  const body = {
    _id: 98213771,
    _uuid: '6f1e2a30-9d1b-4a52-a3b5-5f2f3f0f8d11',
    'formhub/uuid': 'f0e1d2c3b4a5968778695a4b3c2d1e0f',
    'meta/instanceID': 'uuid:6f1e2a30-9d1b-4a52-a3b5-5f2f3f0f8d11',
    _xform_id_string: 'aBcDeFgHiJkLmNoPqRsTuV',
    _submission_time: `${today}T00:00:02`,
    _submitted_by: 'cap_sikasso',
    _geolocation: [null, null],
    _attachments: [],
    'school/school_code': 'ML-SIK-0012',
    'school/date': today,
    'learners/class': '7A',
    'learners/enrolled': '50',
    'learners/present': '41',
    'learners/absent_codes': 'STU-000123 STU-000777',
    'teachers/enrolled': '6',
    'teachers/present': '5',
  }
  expect(await send(body)).toMatchObject(once)
  for (const _ of [60, 600, 6000]) expect(await send(body)).toMatchObject(again)
  await settled(portal)
  expect(await figures(portal)).toMatchObject([
    { who: 'learners', class: '7A', enrolled: 50, present: 41 },
    { who: 'teachers', enrolled: 6, present: 5 },
  ])
  expect(await stored()).toMatchObject([
    {
      message_id: 'kobotoolbox:6f1e2a30-9d1b-4a52-a3b5-5f2f3f0f8d11',
      entity_type: 'attendance',
      action: 'create',
      data: {
        school_admin_code: 'ML-SIK-0012',
        learners: { absent_codes: ['STU-000123', 'STU-000777'] },
        reported_by: 'cap_sikasso',
        channel: 'kobotoolbox',
      },
    },
  ])
})

test('a head teacher’s form that was filled in earlier and arrives later does not overwrite a newer report', async () => {
  const form = (n: number, end: string, present: string) => ({
    _uuid: `0000000${n}`,
    _submission_time: `${today}T00:0${n}:00`,
    end: `${today}T${end}+00:00`,
    school_code: 'ML-SIK-0012',
    class: '7A',
    learners_enrolled: '50',
    learners_present: present,
  })
  await send(form(1, '00:00:30.000', '44'))
  await send(form(2, '00:00:10.000', '11'))
  await settled(portal)
  expect(await figures(portal)).toMatchObject([{ date: today, present: 44 }])
})

test('a head teacher’s CommCare form is read with its nested groups and identified by its instance', async () => {
  const body = {
    domain: 'girls-education',
    id: '7b0e8a7e-3b1d-4c7b-9a52-1f7f0a4d2c11',
    received_on: `${today}T00:00:05.000000Z`,
    form: {
      '@xmlns': 'http://openrosa.org/formdesigner/attendance',
      '@name': 'Présence',
      '#type': 'data',
      school_code: 'ML-SIK-0012',
      report_date: today,
      class_report: { class: '8 A', learners: { enrolled: '44', present: '40' } },
      teachers: { enrolled: 6, present: 6 },
      meta: {
        instanceID: '7b0e8a7e-3b1d-4c7b-9a52-1f7f0a4d2c11',
        timeStart: `${today}T00:00:01.000Z`,
        timeEnd: `${today}T00:00:04.000+00:00`,
        userID: 'u1',
        username: 'directrice.kita',
        deviceID: 'd1',
      },
      case: { '@case_id': 'c1', update: { present: '1' } },
    },
    app_id: 'a1',
    archived: false,
  }
  expect(await send(body)).toMatchObject(once)
  expect(await send(body)).toMatchObject(again)
  await settled(portal)
  expect(await figures(portal)).toMatchObject([
    { who: 'learners', class: '8A', enrolled: 44, present: 40 },
    { who: 'teachers', enrolled: 6, present: 6 },
  ])
  expect((await stored())[0].message_id).toBe(`commcare:${body.id}`)
})

test('a form without an id is refused with a reason, and a form with wrong values waits in the log with a reason', async () => {
  const { contact: _, ...anonymous } = rapidpro({ school_code: 'ML-SIK-0012' })
  expect((await send(anonymous)).body).toMatchObject({
    accepted: 0,
    rejected: [{ id: '#1', errors: { id: [expect.stringContaining('no id of its own')] } }],
  })
  await send(
    rapidpro({
      school_code: 'ML-SIK-0012',
      class: '7',
      girls_enrolled: '30',
      girls_present: 'beaucoup',
      boys_present: '2',
    }),
  )
  await settled(portal)
  const { body } = await (await portal.signedIn()).get('/home/messages')
  expect(body.messages.data).toMatchObject([{ error: 'learners.present: Write a whole number.' }])
})

test('a head teacher’s 1.000 learners are refused, because they may be one, also where girls and boys are added up', async () => {
  const of = (answers: Record<string, string>) =>
    rapidpro({ school_code: 'ML-SIK-0012', class: '7', ...answers })
  await send(of({ learners_enrolled: '1.200', learners_present: '41' }))
  await send(of({ learners_enrolled: '50', learners_present: '1.000' }))
  await send(of({ learners_enrolled: '50', girls_present: '1.000', boys_present: '2' }))
  await send(of({ class: '8', learners_enrolled: '50', girls_present: '12.0', boys_present: '2' }))
  await settled(portal)
  const { body } = await (await portal.signedIn()).get('/home/messages')
  expect(body.messages.data.map(({ error }: { error: string }) => error)).toEqual([
    'learners.present: Write a whole number.',
    'learners.present: Write the number in digits only, such as 1000; 1.000 can be read in two ways.',
    'learners.enrolled: Write the number in digits only, such as 1000; 1.200 can be read in two ways.',
  ])
  expect(await figures(portal)).toMatchObject([{ class: '8', present: 14 }])
})
