import { searchWords } from '@portal/contracts/search-words'
import { sql } from 'kysely'
import { beforeEach, expect, test } from 'vitest'
import { coveredKeys } from '../../src/kit/database/covered-search.ts'
import { matches } from '../../src/kit/database/paging.ts'
import { startPortal } from '../portal.ts'
import { addSegouSchools } from './segou-schools.ts'

const portal = await startPortal()
const { db, owner } = portal

beforeEach(() => portal.clear())

test('a school officer finds a school with any accents and case, and sees its CAP', async () => {
  await addSegouSchools(portal, 30)
  await sql`update schools set name = 'Élan du Bélédougou' where admin_code = 'SEG-3'`.execute(db)
  const officer = await portal.signedIn('schools.view')
  const found = await officer.get(`/admin/schools/list?search=${encodeURIComponent('BELEDOUGOU')}`)
  expect(found.body.schools).toMatchObject({
    total: 1,
    data: [
      {
        name: 'Élan du Bélédougou',
        admin_district_as_cap: 'CAP SÉGOU',
        education_authority_as_ae: 'AE SÉGOU',
        students: 0,
      },
    ],
  })
  const page = (await officer.get('/admin/schools/list')).body.schools
  expect(page).toMatchObject({ current_page: 1, last_page: 2, per_page: 15, total: 30 })
  expect(page.data).toHaveLength(15)
  expect((await officer.get('/admin/schools/list?search=%25')).body.schools.total).toBe(0)
})

test('a school officer sees names in French order, with é next to e', async () => {
  await addSegouSchools(portal, 3)
  await sql`
    update schools set name = (array['Zone', 'Étoile', 'Faso'])[id - (select min(id) from schools) + 1]
  `.execute(db)
  const officer = await portal.signedIn('schools.view')
  const names = (list: { name: string }[]) => list.map(({ name }) => name)
  expect(names((await officer.get('/admin/schools/list?sort=name')).body.schools.data)).toEqual([
    'Étoile',
    'Faso',
    'Zone',
  ])
  expect(names((await officer.get('/admin/schools/list?sort=-name')).body.schools.data)).toEqual([
    'Zone',
    'Faso',
    'Étoile',
  ])
})

test('a person who pages through a long list finds the right rows on every page, also far back', async () => {
  await addSegouSchools(portal, 2503)
  const officer = await portal.signedIn('schools.view')
  const page = async (n: number) =>
    (await officer.get(`/admin/schools/list?per_page=100&page=${n}&sort=name`)).body.schools
  const seen: string[] = []
  for (let n = 1; n <= 26; n++) seen.push(...(await page(n)).data.map(({ name }: { name: string }) => name))
  expect(seen).toHaveLength(2503)
  expect(seen).toEqual([...new Set(seen)].sort())
  expect(await page(27)).toMatchObject({ data: [], last_page: 26, total: 2503 })
})

test('a school officer whose search finds too much is told so, pages through 10,000 rows, and narrows it', async () => {
  await addSegouSchools(portal, 10_020)
  const officer = await portal.signedIn('schools.view')
  const found = async (query: string) =>
    (await officer.get(`/admin/schools/list?sort=name&${query}`)).body.schools
  expect(await found('search=ecole')).toMatchObject({ total: 10_000, capped: true, last_page: 667 })
  const last = await found('search=ecole&page=667')
  expect(last).toMatchObject({ total: 10_000, capped: true, current_page: 667 })
  expect(last.data.map(({ name }: { name: string }) => name)).toEqual(
    Array.from({ length: 10 }, (_, n) => `École ${String(9991 + n).padStart(5, '0')}`),
  )
  expect(await found('search=ecole&page=668')).toMatchObject({ data: [], total: 10_000, last_page: 667 })
  // Without a search the total is kept, so it is exact and every page can be opened.
  const whole = await found('page=668')
  expect(whole).toMatchObject({ total: 10_020, last_page: 668 })
  expect(whole.data).toHaveLength(15)
  expect(whole).not.toHaveProperty('capped')
  const narrowed = await found('search=ecole+00042')
  expect(narrowed).toMatchObject({ total: 1 })
  expect(narrowed).not.toHaveProperty('capped')
})

test('a school officer pages through a family of more than 10,000 girls in the order of names, however long a name is', async () => {
  await addSegouSchools(portal, 1)
  await sql`
    with u as (insert into users (first_name, last_name, gender, type)
      select lpad(n::text, 5, '0') || case n when 3 then repeat(' Aminata', 31) else '' end, 'Traoré', 'female', 'student'
      from generate_series(1, 10020) n order by n returning id)
    insert into students (user_id, school_id, student_code) select u.id, s.id, 'SEG-' || u.id from u, schools s`.execute(
    db,
  )
  const officer = await portal.signedIn('students.view')
  const found = async (query: string) =>
    (await officer.get(`/admin/schools/students/list?${query}`)).body.students
  const numbers = (page: { data: { user: { first_name: string } }[] }) =>
    page.data.map(({ user }) => Number(user.first_name.slice(0, 5)))
  const { rows } = await owner.query('select id from regions')
  for (const query of ['search=traore', `region=${rows[0].id}`]) {
    const first = await found(query)
    expect(first).toMatchObject({ total: 10_000, capped: true, last_page: 667 })
    expect(numbers(first)).toEqual(Array.from({ length: 15 }, (_, n) => n + 1))
    expect(numbers(await found(`${query}&page=667`))).toEqual(Array.from({ length: 10 }, (_, n) => 9991 + n))
    expect(await found(`${query}&page=668`)).toMatchObject({ data: [], total: 10_000 })
  }
  expect(await found('search=traore+aminata')).toMatchObject({ total: 1, last_page: 1 })
})

test('a school officer finds a frequent name in one order, whichever way the database takes to it', async () => {
  await addSegouSchools(portal, 1)
  // Namesakes, other accents and capitals, the name inside of others, and one whose name is longer than an index takes.
  await sql`
    with named (n, last_name, first_name) as (
      select n, 'Traoré', 'Awa ' || n % 5000 from generate_series(1, 9997) n
      union all values (10001, 'Ba', 'Traoré'), (10002, 'Ben-Traoré', 'Awa'), (10003, 'TRAORE', 'Awa'), (10004, 'Traoretta', 'Zara'),
        (10005, 'Zerbo', 'traore'), (10006, 'Zerbo', 'Awa'), (10007, 'Tra', 'Awa'), (10008, 'Traore', trim(repeat('Awa ', 60)))),
    u as (insert into users (first_name, last_name, gender, type)
      select first_name, last_name, 'female', 'student' from named order by n % 97, n returning id)
    insert into students (user_id, school_id, student_code) select u.id, s.id, 'SEG-' || u.id from u, schools s`.execute(
    db,
  )
  const covered = {
    ...{
      text: sql`s.search`,
      name: sql`s.person collate "fr-x-icu"`,
      as: sql`s`,
      columns: sql`s.id, s.person`,
    },
  }
  const narrow = sql`students s`
  const order = sql`s.person collate "fr-x-icu", s.id`
  const officer = await portal.signedIn('students.view')
  const totals: Record<string, number> = {}
  for (const search of ['traore', 'seg', 'aoré', 'tra traoré', 'zerbo']) {
    const filter = sql`where ${matches(sql`s.search`, search)}`
    const words = searchWords(search).map(
      (word) => sql`portal_search(s.person) like portal_search(${word}) || '%'`,
    )
    const { rows: all } = await sql<{ id: number }>`
      select id from students s ${filter} order by (${sql.join(words, sql` or `)}) desc, ${order} limit 10000`.execute(
      db,
    )
    const { total, capped, data } = (
      await officer.get(`/admin/schools/students/list?search=${encodeURIComponent(search)}`)
    ).body.students
    expect({ search, total }).toEqual({ search, total: all.length })
    expect(data.map(({ id }: { id: number }) => id)).toEqual(all.slice(0, 15).map(({ id }) => id))
    totals[search] = capped ? 10_001 : total
    for (const limits of [
      { walked: 20_000, sampled: 100 },
      { walked: 10, sampled: 100 },
    ])
      for (const skip of [0, 9990]) {
        const page = { search, narrow, filter, order, take: 15, skip }
        expect({ search, limits, skip, ...(await coveredKeys(db, covered, page, limits)) }).toEqual({
          ...{
            search,
            limits,
            skip,
            total: totals[search],
            keys: all.slice(skip, skip + 15).map(({ id }) => id),
          },
        })
      }
  }
  expect(totals).toMatchObject({ seg: 10_001, traore: 10_001, 'tra traoré': 10_001, zerbo: 2 })
  await sql`delete from students where person in ('Ba Traoré', 'Zerbo traore', 'Ben-Traoré Awa')`.execute(db)
  const left = (await officer.get('/admin/schools/students/list?search=traore')).body.students
  expect(left).toMatchObject({ total: 10_000 })
  expect(left).not.toHaveProperty('capped')
})

test('a school officer who types one or two letters finds the words that begin with them', async () => {
  await addSegouSchools(portal, 3)
  await sql`update schools set name = (array['Kati Coura', 'Koulikoro', 'Bamako'])[id - (select min(id) from schools) + 1]`.execute(
    db,
  )
  const officer = await portal.signedIn('schools.view')
  const names = async (search: string) =>
    (await officer.get(`/admin/schools/list?sort=name&search=${search}`)).body.schools.data.map(
      ({ name }: { name: string }) => name,
    )
  expect(await names('ko')).toEqual(['Koulikoro'])
  expect(await names('KÔ')).toEqual(['Koulikoro'])
  expect(await names('k')).toEqual(['Kati Coura', 'Koulikoro'])
  expect(await names('co')).toEqual(['Kati Coura'])
  expect(await names('ak')).toEqual([])
  expect(await names('mak')).toEqual(['Bamako'])
  expect(await names('_')).toEqual([])
})

test('a person whose last day is before her first one reads so, in the audit log, accounting, reconciliations and statements and in their exports', async () => {
  const person = await portal.signedInAs('Administrator')
  const [from, to] = ['2026-03-02', '2026-03-01']
  const lists = [
    'users/audit/logs',
    'transfers/accounting',
    'transfers/reconciliations',
    'transfers/statements',
  ]
  for (const list of lists) {
    const refused = await person.get(`/admin/${list}?from=${from}&to=${to}`)
    expect(refused, list).toMatchObject({
      status: 422,
      body: { errors: { to: ['The end date is before the start date.'] } },
    })
    expect((await person.get(`/admin/${list}?from=${from}&to=${from}`)).status, list).toBe(200)
  }
  for (const [path, body] of [
    ['users/audit/logs/export', {}],
    ['transfers/accounting/export', { part: 'journal' }],
    ['transfers/reconciliations/export', {}],
    ['transfers/statements/list/export', {}],
  ] as const) {
    const refused = await person.post(`/admin/${path}`, { ...body, from, to })
    expect(refused, path).toMatchObject({ status: 422, body: { errors: { to: [expect.any(String)] } } })
    expect((await person.post(`/admin/${path}`, { ...body, from, to: from })).status, path).toBe(202)
  }
})
