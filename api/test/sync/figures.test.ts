import { beforeEach, expect, test } from 'vitest'
import { startPortal } from '../portal.ts'
import { addPlaces, addSchools } from '../registers/registers.ts'
import { computed, makeSource, shuffled, week } from './source.ts'
import { dayBack, machine, makeToken, report, settled } from './sync.ts'

const portal = await startPortal()
const { owner } = portal
await portal.worker()
await portal.worker()

beforeEach(async () => {
  await portal.clear()
  await addPlaces(portal)
})

test('a person reads right figures when 200 schools send each message three times, in any order, and correct 5 %', async () => {
  await addSchools(portal, 200)
  await owner.query(
    `delete from classes where school_id in (select id from schools where admin_code = 'VEL-1')`,
  )
  await owner.query(`delete from schools where admin_code = 'VEL-1'`)
  const send = machine(portal, await makeToken(portal))
  const { sent, dice } = makeSource(20_261_120)
  const deliveries = shuffled([...sent, ...sent, ...sent], () => dice.next())
  const batches = Array.from({ length: Math.ceil(deliveries.length / 150) }, (_, n) =>
    deliveries.slice(n * 150, (n + 1) * 150),
  )
  let accepted = 0
  // Four gateways send at the same time while two workers process.
  await Promise.all(
    [0, 1, 2, 3].map(async (lane) => {
      for (let at = lane; at < batches.length; at += 4) {
        const answer = await send({ messages: batches[at] })
        expect(answer).toMatchObject({ status: 202, body: { rejected: [] } })
        accepted += answer.body.accepted
      }
    }),
  )
  expect(accepted).toBe(sent.length)
  await settled(portal, 60_000)
  const person = await portal.signedIn()
  const { body } = await person.get('/home/dashboard/attendance')
  const { silent, ...expected } = computed(sent)
  expect(body).toMatchObject({ ...expected, schools: 200, current_week: { from: week[0], to: week.at(-1) } })
  for (const day of body.week_summary)
    expect(day.absenteeism_rate).toBeCloseTo(100 - day.student_attendance, 5)
  const quiet = (await person.get('/home/dashboard/attendance/silent?per_page=100')).body.schools
  expect(quiet.data.map((one: { admin_code: string }) => one.admin_code).toSorted()).toEqual(
    silent.toSorted(),
  )
  expect((await person.get('/home/messages')).body).toMatchObject({ waiting: 0, failed: 0 })
}, 120_000)

test('a person sees no percentage while nobody has reported, and all schools as silent, longest first', async () => {
  await addSchools(portal, 3)
  const send = machine(portal, await makeToken(portal))
  const before = (back: number, school: string) =>
    report({ school_admin_code: school, date: dayBack(back) }, { created_at: `${dayBack(back)}T00:00:00Z` })
  const lastWeek = week.length
  await send({ messages: [before(lastWeek, 'KIT-1'), before(lastWeek + 3, 'KIT-2')] })
  await settled(portal)
  const person = await portal.signedIn()
  const { body } = await person.get('/home/dashboard/attendance')
  expect(body).toMatchObject({
    reported_schools: 0,
    total_teachers: 0,
    total_students: 0,
    total_reports: 0,
    schools: 4,
  })
  expect(body.week_summary).toHaveLength(week.length)
  expect(body.week_summary[0]).toEqual({
    date: week[0],
    reported_schools: 0,
    teacher_attendance: null,
    student_attendance: null,
    absenteeism_rate: null,
  })
  const { schools } = (await person.get('/home/dashboard/attendance/silent')).body
  expect(
    schools.data.map((one: { admin_code: string; last_report: string | null }) => [
      one.admin_code,
      one.last_report,
    ]),
  ).toEqual([
    ['KIT-3', null],
    ['VEL-1', null],
    ['KIT-2', dayBack(lastWeek + 3)],
    ['KIT-1', dayBack(lastWeek)],
  ])
  const found = (await person.get('/home/dashboard/attendance/silent?search=velingara&sort=-name')).body
    .schools
  expect(found.data).toMatchObject([{ admin_code: 'VEL-1', admin_district_as_cap: 'IEF VELINGARA' }])
})

test('a school’s teachers have one figure a day, from a message about teachers or from one about a class', async () => {
  await addSchools(portal, 1)
  const send = machine(portal, await makeToken(portal))
  const data = { school_admin_code: 'KIT-1', date: dayBack(0), class: undefined, learners: undefined }
  await send({
    messages: [
      report({ teachers: { enrolled: 6, present: 5 } }, { created_at: '2026-01-01T08:00:00Z' }),
      report(
        { ...data, enrolled: 6, present: 4 },
        { entity_type: 'teacher_attendance', created_at: '2026-01-01T09:00:00Z' },
      ),
    ],
  })
  await settled(portal)
  expect((await (await portal.signedIn()).get('/home/dashboard/attendance')).body).toMatchObject({
    reported_schools: 1,
    total_teachers: 4,
    total_students: 41,
    total_reports: 2,
  })
})

test('a message that the database refuses waits in the log with the reason, and the others are processed', async () => {
  await addSchools(portal, 3)
  await owner.query(`create function refuse_trial() returns trigger language plpgsql as $$
    begin raise exception 'trial' using errcode = '22000'; end $$;
    create trigger trial before insert on attendance for each row when (new.enrolled = 999) execute function refuse_trial()`)
  const send = machine(portal, await makeToken(portal))
  const odd = report({ learners: { enrolled: 999, present: 1 } })
  await send({ messages: [report({ class: '8A' }), odd, report({ school_admin_code: 'KIT-2' })] })
  await settled(portal)
  const manager = await portal.signedIn('sync.manage')
  const { messages } = (await manager.get('/home/messages')).body
  expect(messages.data).toMatchObject([
    { error: 'Processing failed on our side. Try again, and tell us if it stays so.' },
  ])
  expect((await manager.get('/home/dashboard/attendance')).body.reported_schools).toBe(2)
  await owner.query('drop trigger trial on attendance; drop function refuse_trial()')
  await manager.post(`/home/messages/${messages.data[0].id}/retry`)
  await settled(portal)
  expect((await manager.get('/home/messages')).body).toMatchObject({ waiting: 0, failed: 0 })
})
