import { beforeEach, expect, test } from 'vitest'
import { chance } from '../src/demo/chance.ts'
import { startPortal } from './portal.ts'
import { addPlaces, addSchools } from './registers.ts'
import { dayBack, machine, makeToken, report, settled } from './sync.ts'

const portal = await startPortal()
const { owner } = portal
await portal.worker()
await portal.worker()

beforeEach(async () => {
  await portal.clear()
  await addPlaces(portal)
})

type Counts = { enrolled: number; present: number }
type Sent = {
  id: string
  entity_type: string
  action: string
  created_at: string
  data: { school_admin_code: string; date: string; class: string; learners?: Counts; teachers?: Counts }
}

/** Days of this week until today. */
const week = Array.from({ length: ((new Date().getUTCDay() + 6) % 7) + 1 }, (_, back) =>
  dayBack(back),
).toReversed()

/** A week of 200 schools: every class and the teachers, 5 % corrected (some twice), a few withdrawn. */
function makeSource(seed: number) {
  const dice = chance(seed)
  const counts = (enrolled: number): Counts => ({ enrolled, present: dice.whole(0, enrolled) })
  const sent: Sent[] = []
  for (const date of week)
    for (let school = 1; school <= 200; school++) {
      if (dice.percent(10)) continue
      for (const name of ['7A', '8A']) {
        const first: Sent = {
          id: `${date}/${school}/${name}`,
          entity_type: 'attendance',
          action: 'create',
          created_at: `${date}T00:00:${String(dice.whole(0, 59)).padStart(2, '0')}.000Z`,
          data: {
            school_admin_code: `KIT-${school}`,
            date,
            class: name,
            learners: counts(dice.whole(20, 60)),
            ...(name === '7A' && { teachers: counts(dice.whole(3, 9)) }),
          },
        }
        sent.push(first)
        if (dice.percent(5))
          sent.push({
            ...first,
            id: `${first.id}/again`,
            action: 'update',
            created_at: later(first, dice.whole(0, 40)),
            data: { ...first.data, learners: counts(50) },
          })
        if (dice.percent(1))
          sent.push({
            ...first,
            id: `${first.id}/gone`,
            action: 'delete',
            created_at: later(first, dice.whole(0, 40)),
          })
      }
    }
  return { sent, dice }
}

const later = ({ created_at }: Sent, seconds: number) =>
  new Date(Date.parse(created_at) + seconds * 1000).toISOString()

/** The same figures, computed from the source one by one and without any of the portal's code. */
function computed(sent: readonly Sent[]) {
  const last = new Map<string, { of: Sent; counts: Counts | null }>()
  const take = (key: string, of: Sent, counts: Counts) => {
    const before = last.get(key)?.of
    if (before && [before.created_at, before.id].join(' ') > [of.created_at, of.id].join(' ')) return
    last.set(key, { of, counts: of.action === 'delete' ? null : counts })
  }
  for (const message of sent) {
    const { school_admin_code, date, class: name, learners, teachers } = message.data
    if (learners) take(`${date}|${school_admin_code}|learners ${name}`, message, learners)
    if (teachers) take(`${date}|${school_admin_code}|teachers`, message, teachers)
  }
  const standing = [...last].flatMap(([key, { of, counts }]) => {
    const [date = '', school = '', who = ''] = key.split('|')
    return counts ? [{ date, school, who: who.split(' ')[0], id: of.id, ...counts }] : []
  })
  const day = (date: string) => {
    const own = standing.filter((one) => one.date === date)
    const sum = (who: string, field: 'present' | 'enrolled') =>
      own.filter((one) => one.who === who).reduce((total, one) => total + one[field], 0)
    const percent = (who: string) => Math.round((sum(who, 'present') * 1000) / sum(who, 'enrolled')) / 10
    return {
      reported_schools: new Set(own.map((one) => one.school)).size,
      total_teachers: sum('teachers', 'present'),
      total_students: sum('learners', 'present'),
      total_reports: new Set(own.map((one) => one.id)).size,
      teacher_attendance: percent('teachers'),
      student_attendance: percent('learners'),
    }
  }
  const { teacher_attendance, student_attendance, ...today } = day(week.at(-1) ?? '')
  return {
    ...today,
    week_summary: week.map((date) => {
      const { reported_schools, teacher_attendance, student_attendance } = day(date)
      return { date, reported_schools, teacher_attendance, student_attendance }
    }),
    silent: Array.from({ length: 200 }, (_, k) => `KIT-${k + 1}`).filter(
      (code) => !standing.some((one) => one.school === code),
    ),
  }
}

test('200 schools, each message three times, in any order, 5 % corrected: the dashboard says what the source says', async () => {
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
  // Four gateways at once, while two workers are at it.
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

function shuffled<T>(list: T[], next: () => number): T[] {
  return list
    .map((one) => ({ one, at: next() }))
    .toSorted((a, b) => a.at - b.at)
    .map(({ one }) => one)
}

test('where nobody has reported there is no percentage, and every school is silent, the longest first', async () => {
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

test('a teachers’ message of its own and the teachers of a class’s message are one figure a day', async () => {
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

test('a message that the database itself refuses waits with that reason and holds up none of the others', async () => {
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
