import { beforeEach, expect, test } from 'vitest'
import {
  countChangedStudents,
  recountStudents,
  verifyCountedStudents,
} from '../../../src/registers/counted-students.service.ts'
import type { Client } from '../../client.ts'
import { runCommand } from '../../commands.ts'
import { addStudents, fileOf, imported, startImports, student } from '../../registers/registers.ts'

const { portal, owner, all } = await startImports(2)
const { db, settings } = portal
const base = '/admin/transfers/target-selection'
/** Of the changes that are made by chance: `RANDOM_SEED` takes another one. */
const seed = Number(process.env.RANDOM_SEED ?? 2026)
const patterns = { ml: '+223________', sn: '+221_________' }
type Country = keyof typeof patterns

let officer: Client
beforeEach(async () => {
  officer = await portal.signedIn('cohorts.create', 'students.update', 'students.view')
})

/** What the rows of the registers say, without any count: girls of a country by reason to leave them out. */
async function plain(country: Country) {
  const rows = await all(`
    select case when u.gender is distinct from 'female' then 'not_a_girl'
      when not exists (select from parent_students l where l.student_id = s.id) then 'no_guardian'
      when not exists (select from parent_students l join parents p on p.id = l.parent_id
        where l.student_id = s.id and (p.contact_1 like '${patterns[country]}' or p.contact_2 like '${patterns[country]}')) then 'no_number'
      when exists (select from payee_holds h where h.student_id = s.id and h.released_at is null) then 'held' else 'chosen' end as reason, count(*)::int as n
    from students s join users u on u.id = s.user_id join schools sc on sc.id = s.school_id join caps c on c.id = sc.cap_id
      join academies a on a.id = c.academy_id join regions g on g.id = a.region_id where g.country = '${country}' group by 1`)
  return Object.fromEntries(rows.map(({ reason, n }) => [reason, n]))
}

/** What the portal says to an officer: the same from its counts, and from its list of those who are left out. */
async function told(country: Country) {
  const query = `country=${country}&guardian=yes&not_held=yes`
  const { body } = await officer.get(`${base}?${query}`)
  const { body: list } = await officer.get(`${base}/left-out?${query}&per_page=100`)
  const counts = Object.fromEntries(
    body.left_out.map(({ reason, count }: { reason: string; count: number }) => [reason, count]),
  )
  const listed = Object.groupBy(list.students.data as { reason: string }[], ({ reason }) => reason)
  expect(Object.fromEntries(Object.entries(listed).map(([reason, of]) => [reason, of?.length]))).toEqual(
    counts,
  )
  expect(list.students.total).toBe(list.students.data.length)
  const levels = body.levels.reduce((sum: number, { girls }: { girls: number }) => sum + girls, 0)
  expect(levels).toBe(body.steps.country)
  return { ...counts, ...(body.steps.conditions > 0 && { chosen: body.steps.conditions }) }
}

async function agree(when = '') {
  for (const country of ['ml', 'sn'] as const)
    expect(await told(country), `${country} ${when}`).toEqual(await plain(country))
}

/** They agree before a worker has counted, and after it, and no check finds a fault. */
async function agreeAlways(when = '') {
  await agree(when)
  await countChangedStudents(db)
  await agree(when)
  expect((await verifyCountedStudents(db)).faults).toEqual([])
}

const guardians = (contacts: (string | null)[]) =>
  owner.query(
    `with u as (insert into users (first_name, last_name) select 'Fatoumata', n::text from generate_series(1, $1::int) n order by n returning id)
     insert into parents (user_id, parent_assigned_id, contact_1) select id, 'G' || id, ($2::text[])[1 + id % $1] from u`,
    [contacts.length, contacts],
  )
const oneOf = (table: string) => `(select id from ${table} order by random() limit 1)`

test('an officer sees the same girls in both countries as the registers have, after each of many changes', async () => {
  await addStudents(portal, 6)
  await guardians(['+22376000001', '+221771234567', null, '+22376000002'])
  const school = `(select id as school, (select id from classes k where k.school_id = schools.id limit 1) as class from schools order by random() limit 1)`
  const changes = [
    `with u as (insert into users (first_name, last_name, gender, type) values ('Awa', 'Diarra', (array['female', 'male', null])[1 + floor(random() * 3)], 'student') returning id)
       insert into students (user_id, school_id, student_code, current_class_level) select id, ${oneOf('schools')}, 'N-' || id, '8' from u`,
    `update users set gender = case when gender = 'female' then 'male' else 'female' end where id = (select user_id from students order by random() limit 1)`,
    `update students set school_id = school, class_id = class from ${school} x where students.id = ${oneOf('students')}`,
    `update students set current_class_level = (array['7', '8', null])[1 + floor(random() * 3)] where id = ${oneOf('students')}`,
    `insert into parent_students (parent_id, student_id) select p.id, ${oneOf('students')} from parents p where p.id = ${oneOf('parents')} on conflict do nothing`,
    `insert into parent_students (parent_id, student_id) select p.id, s.id from parents p, students s where p.id = ${oneOf('parents')} on conflict do nothing`,
    `delete from parent_students where (parent_id, student_id) = (select parent_id, student_id from parent_students order by random() limit 1)`,
    `update parents set contact_1 = (array['+22376000009', '+221770000000', null])[1 + floor(random() * 3)], contact_2 = case when random() < 0.3 then '+22376000008' end where id = ${oneOf('parents')}`,
    `delete from parents where id = ${oneOf('parents')} and random() < 0.3`,
    `delete from students s where id = ${oneOf('students')} and not exists (select from parent_students l where l.student_id = s.id)`,
    `update parent_students set parent_id = p.id from parents p where student_id = ${oneOf('students')} and not exists (
       select from parent_students o where o.student_id = parent_students.student_id and (o.parent_id = p.id or o.parent_id <> parent_students.parent_id)) and p.id = ${oneOf('parents')}`,
  ]
  // One connection, because the seed of `random()` belongs to it.
  const chance = await owner.connect()
  try {
    await chance.query('select setseed(($1::int % 1000) / 1000.0)', [seed])
    for (let n = 0; n < 80; n++) {
      await chance.query(changes[n % changes.length] ?? '')
      if (n % 7 === 0) await countChangedStudents(db)
      if (n % 4 === 0) await agree(`seed ${seed}, change ${n}`)
    }
  } finally {
    chance.release()
  }
  await agreeAlways(`seed ${seed}`)
})

test('a girl and her guardian who are changed by two people at the same time are counted as both left them', async () => {
  await addStudents(portal, 1)
  await guardians([null])
  await countChangedStudents(db)
  const [one, other] = [await owner.connect(), await db.pool.connect()]
  try {
    await one.query(
      'begin; insert into parent_students (parent_id, student_id) select p.id, s.id from parents p, students s',
    )
    await other.query("begin; update parents set contact_1 = '+22376000001'")
    await one.query('commit')
    // A worker counts her between the two: without the number, which nobody sees yet.
    await countChangedStudents(db)
    expect(await told('ml')).toEqual({ no_number: 1 })
    await other.query('commit')
    expect(await told('ml')).toEqual({ chosen: 1 })
    await agreeAlways()

    await one.query("begin; update users set gender = 'male' where id = (select user_id from students)")
    await other.query('begin; delete from parent_students')
    await countChangedStudents(db)
    await other.query('commit')
    expect(await told('ml')).toEqual({ no_guardian: 1 })
    await one.query('commit')
    await agreeAlways()
  } finally {
    for (const client of [one, other]) {
      await client.query('rollback')
      client.release()
    }
  }
})

test('two workers that count at the same time count each girl once', async () => {
  await addStudents(portal, 40)
  await Promise.all(Array.from({ length: 4 }, () => countChangedStudents(db)))
  expect(await told('ml')).toEqual({ no_guardian: 40 })
  await agreeAlways()
})

test('an officer sees girls of an import and of an edit at once, and none who was erased', async () => {
  const person = await portal.signedInAs('School Officer')
  const rows = [
    student(1, { gender: 'F' }),
    student(2, { gender: 'M' }),
    student(3, { gender: 'F', admin_code: 'VEL-1', class: '6E', current_class_level: '6E' }),
  ]
  expect(await imported(person, 'students', fileOf(rows))).toMatchObject({ rows_imported: 3 })
  await agree()
  const guardian = {
    parent_assigned_id: 'G-1',
    first_name: 'Fatoumata',
    last_name: 'Traoré',
    contact_1: '76000001',
    students: 'S-1',
  }
  expect(await imported(person, 'parents', fileOf([guardian]))).toMatchObject({
    state: 'imported',
    rows_imported: 1,
  })
  expect(await told('ml')).toEqual({ not_a_girl: 1, chosen: 1 })
  await agreeAlways()
  expect(
    await imported(
      person,
      'students',
      fileOf([student(2, { gender: 'F', class: '8A', current_class_level: '8' })]),
    ),
  ).toMatchObject({ rows_imported: 1 })
  expect(await told('ml')).toEqual({ no_guardian: 1, chosen: 1 })
  await agreeAlways()
  expect(await runCommand(settings, 'person-erase', ['--student', 'S-1'])).toMatchObject({ code: 0 })
  expect(await told('ml')).toEqual({ no_guardian: 1 })
  await agreeAlways()
  expect(await all('select from counted_students where student_id not in (select id from students)')).toEqual(
    [],
  )
})

test('an operator is told of counts that are wrong, and counts them again', async () => {
  await addStudents(portal, 3)
  await countChangedStudents(db)
  await owner.query('update student_counts set girls = girls - 1')
  expect((await verifyCountedStudents(db)).faults).toEqual([
    expect.stringContaining('1 counts of girls by class'),
  ])
  expect(await runCommand(settings, 'totals-rebuild')).toMatchObject({ code: 0 })
  await agreeAlways()
  await owner.query(
    'update counted_students set guardian = true where student_id = (select min(id) from students)',
  )
  expect((await verifyCountedStudents(db)).faults).toHaveLength(1)
  await recountStudents(db)
  await agreeAlways()
})

test('an officer reads a list of many boys page by page in the order of their names', async () => {
  await addStudents(portal, 60)
  await owner.query(
    "update users set gender = 'male' where id in (select user_id from students where id % 6 <> 0)",
  )
  const page = async (n: number, sort: string) =>
    (await officer.get(`${base}/left-out?country=ml&per_page=20&page=${n}&sort=${sort}`)).body.students
  for (const sort of ['last_name', '-last_name', 'student_code']) {
    const found = [await page(1, sort), await page(2, sort), await page(3, sort), await page(4, sort)]
    expect(found.map(({ total, data }) => [total, data.length])).toEqual([
      [50, 20],
      [50, 20],
      [50, 10],
      [50, 0],
    ])
    const field = sort.replace('-', '')
    const order =
      await all(`select s.${field === 'last_name' ? 'student_code' : field} from students s join users u on u.id = s.user_id where u.gender = 'male'
      order by ${field === 'last_name' ? 's.person collate "fr-x-icu"' : 's.student_code'} ${sort.startsWith('-') ? 'desc, s.id desc' : ', s.id'}`)
    expect(
      found.flatMap(({ data }) => data.map(({ student_code }: { student_code: string }) => student_code)),
    ).toEqual(order.map(({ student_code }) => student_code))
  }
})
