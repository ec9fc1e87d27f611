import { beforeEach, expect, test } from 'vitest'
import { recountReports, verifyReportSums } from '../../../src/sync/reports-by-class.service.ts'
import type { Client } from '../../client.ts'
import { runCommand } from '../../commands.ts'
import { untilLocked } from '../../locks.ts'
import { startImports } from '../../registers/registers.ts'
import { dayBack, machine, makeToken, minutesAgo, report, settled } from '../../sync/sync.ts'

const { portal, owner, all } = await startImports(3)
await portal.worker()
const { db, settings } = portal
/** Of the reports that are made by chance: `RANDOM_SEED` takes another one. */
const seed = Number(process.env.RANDOM_SEED ?? 2026)

let officer: Client
/** Each class has one girl, so a count of girls is one of classes. */
beforeEach(async () => {
  officer = await portal.signedIn('cohorts.create', 'students.view')
  await owner.query(`
    with k as (select id, school_id, row_number() over (order by id) as n from classes),
      u as (insert into users (first_name, last_name, gender, type) select 'Awa', n::text, 'female', 'student' from k order by n returning id, last_name)
    insert into students (user_id, school_id, class_id, student_code, current_class_level)
    select u.id, k.school_id, k.id, 'S-' || k.n, '7' from u join k on k.n = u.last_name::int`)
})

/** Stores reports of learners of KIT-1, as a worker does. */
const stored = (reports: [daysAgo: number, name: string, enrolled: number, present: number][]) =>
  owner.query(
    `insert into attendance (school_id, date, who, class, enrolled, present, reported_at)
     select s.id, (now() at time zone 'utc')::date - r.days, 'learners', r.class, r.enrolled, r.present, now()
     from schools s, jsonb_to_recordset($1) as r (days int, class text, enrolled int, present int) where s.admin_code = 'KIT-1'`,
    [
      JSON.stringify(
        reports.map(([days, name, enrolled, present]) => ({ days, class: name, enrolled, present })),
      ),
    ],
  )

type Counts = { chosen: number; low: number; unknown: number }

/** What the portal says of girls whose class was present so often, in percent. */
async function told(days: number, percent: number, place = ''): Promise<Counts> {
  const query = `country=ml&attendance=${percent}&attendance_days=${days}${place}`
  const { body } = await officer.get(`/admin/transfers/target-selection?${query}`)
  const left = (reason: string) =>
    body.left_out.find((one: { reason: string }) => one.reason === reason)?.count ?? 0
  return {
    chosen: body.steps.conditions,
    low: left('attendance_low'),
    unknown: left('attendance_unknown'),
  }
}

/** The share of each class of Mali, from the reports alone; null where nothing is known. */
const sharesOf = async (days: number): Promise<(number | null)[]> => {
  const share = (name: string) => `(select 100.0 * sum(present) / nullif(sum(enrolled), 0) from attendance a
    where a.school_id = k.school_id and a.class = ${name} and who = 'learners' and not withdrawn
      and date between (now() at time zone 'utc')::date - ${days - 1} and (now() at time zone 'utc')::date)`
  const found = await all(`
    select coalesce(${share('k.name')}, ${share("'ALL'")})::float8 as share
    from classes k join schools s on s.id = k.school_id where s.admin_code like 'KIT%'`)
  return found.map((row) => row.share)
}

/** The portal counts the same as the reports say, just below and above the share of each class. */
async function agree(windows: number[], when: string) {
  for (const days of windows) {
    const shares = await sharesOf(days)
    const known = shares.filter((share) => share !== null)
    const limits = new Set(
      known.flatMap((share) => [Math.max(1, Math.floor(share)), Math.min(100, Math.floor(share) + 1)]),
    )
    for (const percent of [1, ...limits]) {
      const low = known.filter((share) => share < percent).length
      const wanted = { chosen: known.length - low, low, unknown: shares.length - known.length }
      expect(await told(days, percent), `${percent} % of ${days} days, ${when}`).toEqual(wanted)
    }
  }
  expect((await verifyReportSums(db)).faults).toEqual([])
}

test('an officer has girls counted by exactly the reports of the days that she chose, after each of many changes', async () => {
  const classes = `(array['7A', '8A', 'ALL'])[1 + floor(random() * 3)]`
  const oneOf = (condition = 'true') =>
    `id in (select id from attendance where ${condition} order by random() limit 3)`
  const changes = [
    `insert into attendance (school_id, date, who, class, enrolled, present, reported_at)
       select distinct on (1, 2, 4) id, (now() at time zone 'utc')::date - floor(random() * 400)::int, 'learners', ${classes}, 40, floor(random() * 40)::int, now()
       from schools, generate_series(1, 30) n where admin_code like 'KIT%'
       on conflict (school_id, date, who, class) do update set present = excluded.present, withdrawn = false`,
    `insert into attendance (school_id, date, who, enrolled, present, reported_at)
       select id, (now() at time zone 'utc')::date - floor(random() * 9)::int, 'teachers', 9, 1, now() from schools on conflict do nothing`,
    `update attendance set present = 40, enrolled = 90 where ${oneOf()}`,
    `update attendance set withdrawn = not withdrawn where ${oneOf()}`,
    `update attendance set withdrawn = false where ${oneOf('withdrawn')}`,
    `update attendance set date = date - 431 where ${oneOf()}`,
    `delete from attendance where ${oneOf()}`,
  ]
  // One connection, because the seed of `random()` belongs to it.
  const chance = await owner.connect()
  try {
    await chance.query('select setseed(($1::int % 1000) / 1000.0)', [seed])
    for (let n = 0; n < 28; n++) {
      await chance.query(changes[n % changes.length] ?? '')
      if (n % 7 === 0) await agree([31, 366], `seed ${seed}, change ${n}`)
    }
  } finally {
    chance.release()
  }
  await agree([7, 30, 45, 200], `seed ${seed}`)
})

test('an officer of a place has the same girls whether she chooses it by its region, its CAP or its schools', async () => {
  await stored([
    [0, '7A', 40, 36],
    [33, '7A', 40, 20],
    [90, 'ALL', 100, 70],
    [200, '8A', 40, 10],
  ])
  const [school] = await all(
    `select s.id, s.cap_id as cap, a.region_id as region from schools s join caps c on c.id = s.cap_id
     join academies a on a.id = c.academy_id where s.admin_code = 'KIT-1'`,
  )
  for (const [days, percent, chosen] of [
    [30, 90, 1],
    [60, 70, 1],
    [60, 71, 0],
    [100, 70, 2],
    [250, 26, 1],
    [250, 25, 2],
  ] as const) {
    const ofSchool = { chosen, low: 2 - chosen, unknown: 0 }
    if (days === 30 || days === 60) ofSchool.low = 1 - chosen
    const unknown = 2 - chosen - ofSchool.low
    expect(await told(days, percent, `&schools=${school.id}`)).toEqual({ ...ofSchool, unknown })
    for (const place of ['', `&region=${school.region}`, `&cap=${school.cap}`])
      expect(await told(days, percent, place)).toEqual({ ...ofSchool, unknown: unknown + 4 })
  }
})

test('an officer sees a report that is corrected, taken back or sent again at once in her counts', async () => {
  const send = machine(portal, await makeToken(portal))
  const day = { date: dayBack(9) }
  const say = async (present: number, ago: number, fields: object = {}, data: object = {}) => {
    await send({
      messages: [
        report(
          { ...day, class: '7A', learners: { enrolled: 50, present }, ...data },
          { created_at: minutesAgo(ago), ...fields },
        ),
      ],
    })
    await settled(portal)
    expect((await verifyReportSums(db)).faults).toEqual([])
  }
  const at = async (percent: number) => (await told(30, percent)).chosen
  await say(40, 50)
  expect([await at(80), await at(81)]).toEqual([1, 0])
  await say(45, 40)
  expect([await at(90), await at(91)]).toEqual([1, 0])
  // An older report that arrives late changes nothing.
  await say(10, 45)
  expect([await at(90), await at(91)]).toEqual([1, 0])
  await say(0, 30, { action: 'delete' })
  expect(await told(30, 1)).toEqual({ chosen: 0, low: 0, unknown: 6 })
  // The whole school counts for its other class. The class that reports itself keeps its own share.
  await say(30, 20, {}, { class: 'all', learners: { enrolled: 100, present: 60 } })
  expect([await at(60), await at(61)]).toEqual([2, 0])
  await say(50, 10)
  expect([await at(60), await at(61), await at(100)]).toEqual([2, 1, 1])
})

test('an officer who counts while a report is being written sees it as a whole afterwards, and not before', async () => {
  await stored([[2, '7A', 50, 40]])
  const [one, other] = [await owner.connect(), await db.pool.connect()]
  const write = (client: typeof one, name: string, present: number) =>
    client.query(
      `insert into attendance (school_id, date, who, class, enrolled, present, reported_at)
       select id, (now() at time zone 'utc')::date - 2, 'learners', $1, 50, $2, now() from schools where admin_code = 'KIT-1'
       on conflict (school_id, date, who, class) do update set present = excluded.present`,
      [name, present],
    )
  try {
    await one.query('begin')
    await other.query('begin')
    await write(one, '7A', 10)
    const written = write(other, '7A', 30)
    await untilLocked(owner, { lock: 'advisory' })
    expect(await told(30, 80)).toEqual({ chosen: 1, low: 0, unknown: 5 })
    await one.query('commit')
    await written
    expect([await told(30, 20), await told(30, 21)].map(({ chosen }) => chosen)).toEqual([1, 0])
    await other.query('commit')
    expect([await told(30, 60), await told(30, 61)].map(({ chosen }) => chosen)).toEqual([1, 0])
    // What is rolled back has never been counted.
    await one.query('begin')
    await write(one, '8A', 50)
    await one.query('rollback')
    await agree([30], 'after a rollback')
  } finally {
    for (const client of [one, other]) {
      await client.query('rollback')
      client.release()
    }
  }
})

test('several workers that write reports of the same classes at the same time leave exact sums', async () => {
  const send = machine(portal, await makeToken(portal))
  const messages = Array.from({ length: 240 }, (_, n) =>
    report(
      {
        school_admin_code: `KIT-${1 + (n % 3)}`,
        class: ['7A', '8A', 'ALL'][Math.floor(n / 3) % 3],
        date: dayBack(n % 14),
        learners: { enrolled: 60, present: n % 60 },
      },
      { created_at: minutesAgo(n % 90) },
    ),
  )
  await portal.worker()
  await Promise.all([0, 1, 2, 3].map((part) => send({ messages: messages.slice(60 * part, 60 * part + 60) })))
  await settled(portal)
  expect(await all('select from synced_messages where error is not null')).toEqual([])
  await agree([7, 14, 30], 'after all messages')
})

test('an operator is told of sums that are wrong, and adds the reports up again while one of them is being written', async () => {
  await stored([[40, '7A', 50, 40]])
  await owner.query('update attendance_by_class set present = present + 5')
  expect((await verifyReportSums(db)).faults).toEqual([expect.stringContaining('1 sums of attendance')])
  const client = await owner.connect()
  try {
    await client.query('begin')
    await client.query(
      `insert into attendance (school_id, date, who, class, enrolled, present, reported_at)
       select id, (now() at time zone 'utc')::date - 41, 'learners', '8A', 50, 20, now() from schools where admin_code = 'KIT-1'`,
    )
    const recounted = recountReports(db)
    await untilLocked(owner, { table: 'attendance' })
    await client.query('commit')
    await recounted
  } finally {
    client.release()
  }
  await agree([30, 366], 'after they were added up')
  await owner.query('delete from attendance_by_class')
  expect(await runCommand(settings, 'totals-rebuild')).toMatchObject({ code: 0 })
  expect(await verifyReportSums(db)).toEqual({ sums: expect.any(Number), faults: [] })
  await agree([366], 'after the command')
  await owner.query('truncate attendance')
  expect(await told(366, 1)).toEqual({ chosen: 0, low: 0, unknown: 6 })
  expect((await verifyReportSums(db)).faults).toEqual([])
})
