import { searchWords } from '@portal/contracts/search-words'
import { sql } from 'kysely'
import { beforeEach, expect, test } from 'vitest'
import { giveNotice } from '../../src/home/notices.service.ts'
import { notify } from '../../src/home/notifications.service.ts'
import { coveredKeys } from '../../src/kit/database/covered-search.ts'
import { matches } from '../../src/kit/database/paging.ts'
import { sha256 } from '../../src/kit/secrets/seal.ts'
import { startPortal } from '../portal.ts'

const portal = await startPortal()
const { db, owner } = portal

async function addSchools(count: number) {
  await sql`insert into regions (country, name) values ('ml', 'SÉGOU')`.execute(db)
  await sql`insert into academies (region_id, name) select id, 'AE SÉGOU' from regions`.execute(db)
  await sql`insert into caps (academy_id, name) select id, 'CAP SÉGOU' from academies`.execute(db)
  await sql`insert into schools (name, admin_code, type_of_school, cap_id, academic_year)
    select 'École ' || lpad(n::text, 5, '0'), 'SEG-' || n, 'primary', c.id, '2026-2027' from caps c, generate_series(1, ${count}::int) n
  `.execute(db)
}

beforeEach(() => portal.clear())

test('a school officer finds a school with any accents and case, and sees its CAP', async () => {
  await addSchools(30)
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
  await addSchools(3)
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
  await addSchools(2503)
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
  await addSchools(10_020)
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
  await addSchools(1)
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
  await addSchools(1)
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
  const rest = (await officer.get('/admin/schools/students/list?search=traore')).body.students
  expect(rest).toMatchObject({ total: 10_000 })
  expect(rest).not.toHaveProperty('capped')
})

test('a school officer who types one or two letters finds the words that begin with them', async () => {
  await addSchools(3)
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

test('an administrator finds who was invited and has not come yet', async () => {
  const admin = await portal.signedInAs('Administrator')
  const { rows } = await owner.query(
    `insert into users (first_name, last_name, email, type, account)
     values ('Fanta', 'Koné', 'fanta.kone@test.example', 'developer', true) returning id::int`,
  )
  const list = await admin.get('/admin/users/list?status=invited')
  expect(list.body).toMatchObject({ active: 2, invited: 1, inactive: 0, total: 2, users: { total: 1 } })
  expect(list.body.users.data[0]).toMatchObject({ id: rows[0].id, active: true, invited: true })
})

test('an administrator’s list of users has accounts only, with totals of all accounts', async () => {
  await owner.query(`insert into users (first_name, last_name, type) values ('Une', 'Élève', 'student')`)
  const gone = await portal.account('Auditor')
  await owner.query('update users set deactivated_at = now() where id = $1', [gone.id])
  const admin = await portal.signedInAs('Administrator')
  const list = await admin.get('/admin/users/list?status=inactive')
  expect(list.body).toMatchObject({ active: 1, inactive: 1, total: 2, users: { total: 1 } })
  expect(list.body.users.data[0]).toMatchObject({ id: gone.id, active: false, roles: [{ name: 'Auditor' }] })
  const roles = (await admin.get('/admin/roles/list')).body.roles
  expect(roles.total).toBe(6)
  expect(roles.data.find((role: { name: string }) => role.name === 'Auditor').permissions).toContainEqual(
    expect.objectContaining({ name: 'audit-logs.view' }),
  )
})

async function addCase(filer: number, reviewer: number, number: string) {
  await owner.query(
    `insert into reference_values (list, code, en, fr) values ('case_type', 'payment', 'Payment', 'Paiement'), ('case_channel', 'phone', 'Phone', 'Téléphone')
     on conflict do nothing`,
  )
  const { rows } = await owner.query(
    `insert into cases (number, title, description, priority, type_id, channel_id, assigned_id, user_id)
     select $3, 'Paiement manqué', 'Rien reçu', 'high_1_day', t.id, c.id, $2, $1 from reference_values t, reference_values c
     where t.list = 'case_type' and t.code = 'payment' and c.list = 'case_channel' and c.code = 'phone' returning id`,
    [filer, reviewer, number],
  )
  return rows[0].id as number
}

test('a case is listed for its filer, its reviewer, and people who may see all cases', async () => {
  const reviewer = await portal.signedInAs('Case Reviewer')
  const filer = await portal.signedIn()
  const stranger = await portal.signedIn()
  await addCase(filer.user.id, reviewer.user.id, 'CASE-1')
  await owner.query(
    "insert into partners (name, user_id, partner_type, partner_since) values ('Right To Play', $1, 'ngo', '2020-01-01')",
    [reviewer.user.id],
  )
  const seen = await filer.get('/admin/cases?search_term=manque', { 'accept-language': 'fr' })
  expect(seen.body).toMatchObject({
    isSearch: true,
    complains: {
      total: 1,
      data: [{ number: 'CASE-1', status: 'new', type: { name: 'Paiement' }, assigned_id: reviewer.user.id }],
    },
    partners: [{ name: 'Right To Play', user: { id: reviewer.user.id } }],
  })
  expect((await reviewer.get('/admin/cases')).body.complains.total).toBe(1)
  expect((await stranger.get('/admin/cases')).body.complains.total).toBe(0)
})

test('a consultant with an invite sees the case number and the masked reviewer, and nothing else of the case', async () => {
  const reviewer = await portal.account('Case Reviewer')
  const caseId = await addCase(reviewer.id, reviewer.id, 'CASE-2')
  await owner.query(
    `insert into referrals (case_id, number, comment, salutation, first_name, last_name, email, profession, user_id, invite_hash)
     values ($1, 'REF-1', 'Votre avis ?', 'dr', 'Ibrahima', 'Ndiaye', 'ibra@test.example', 'Doctor', $2, $3)`,
    [caseId, reviewer.id, sha256('the-invite')],
  )
  const consultant = await portal.visitor()
  const read = await consultant.get('/external/cases/the-invite')
  expect(read.body.complainReferral).toMatchObject({
    number: 'REF-1',
    comment: 'Votre avis ?',
    user: { first_name: 'A••••', last_name: 'D••••' },
    complain: { id: caseId, number: 'CASE-2' },
  })
  expect(JSON.stringify(read.body)).not.toMatch(/Paiement|Rien reçu|Diarra/)
  await owner.query('update referrals set resolved_at = now()')
  expect((await consultant.get('/external/cases/the-invite')).body.complainReferral.comment).toBeNull()
  await owner.query('update referrals set resolved_at = null, revoked_at = now()')
  for (const invite of ['the-invite', 'another', 'x'.repeat(150)]) {
    const refused = await consultant.get(`/external/cases/${invite}`)
    expect(refused.status).toBe(404)
    expect(refused.body.message).toMatch(/^Oops! Something doesn't seem right/)
  }
})

test('a person reads her notifications in her language and marks them as read', async () => {
  const person = await portal.signedIn()
  const other = await portal.signedIn()
  const text = { en: 'The cohort {0} was rejected.', fr: 'La cohorte {0} a été rejetée.' }
  await db.transaction().execute((tx) => notify(tx, [person.user.id], text, ['Avril'], '/admin/transfers'))
  const list = await person.get('/notifications', { 'accept-language': 'fr' })
  expect(list.body).toMatchObject({
    unread: 1,
    notifications: { total: 1, data: [{ text: 'La cohorte Avril a été rejetée.', read_at: null }] },
  })
  const { id } = list.body.notifications.data[0]
  expect((await other.put(`/notifications/${id}`, {})).status).toBe(404)
  expect((await person.put(`/notifications/${id}`, {})).body.message).toBe('Notification updated')
  expect((await person.get('/notifications')).body.unread).toBe(0)
})

test('an auditor reads who has marked which notification as read, once, and who has marked all', async () => {
  const [person, auditor] = [await portal.signedIn(), await portal.signedInAs('Auditor')]
  const text = { en: 'The cohort {0} was rejected.', fr: 'La cohorte {0} a été rejetée.' }
  for (const cohort of ['Mai', 'Juin', 'Juillet'])
    await db.transaction().execute((tx) => notify(tx, [person.user.id], text, [cohort], '/admin/transfers'))
  const [{ id }] = (await person.get('/notifications')).body.notifications.data
  for (const read of [true, true, false, true])
    expect((await person.put(`/notifications/${id}`, { read })).status).toBe(200)
  for (let n = 0; n < 2; n++) expect((await person.put('/notifications')).status).toBe(200)
  const { logs } = (
    await auditor.get(`/admin/users/audit/logs?user=${person.user.id}&per_page=10`, {
      'accept-language': 'fr',
    })
  ).body
  const entries = logs.data.filter((entry: { event: string }) => entry.event.startsWith('marked'))
  expect(entries.map(({ event, auditable_id }: Record<string, unknown>) => [event, auditable_id])).toEqual([
    ['marked as read', null],
    ['marked as read', id],
    ['marked as unread', id],
    ['marked as read', id],
  ])
  expect(entries[0].new_values).toEqual({ count: 2 })
  const said = (entry: { sentence: { text: string }[] }) => entry.sentence.map((part) => part.text).join('')
  expect(said(entries[0])).toContain('a marqué toutes les notifications comme lues')
  expect(said(entries[2])).toMatch(new RegExp(`a marqué la notification n°\\s${id} comme non lue`))
})

test('a person marks all her notifications as read at once, and no others', async () => {
  const person = await portal.signedIn()
  const other = await portal.signedIn()
  const text = { en: 'The cohort {0} was rejected.', fr: 'La cohorte {0} a été rejetée.' }
  const both = [person.user.id, other.user.id]
  for (const name of ['Avril', 'Mai'])
    await db.transaction().execute((tx) => notify(tx, both, text, [name], null))
  expect((await person.put('/notifications', {})).body.message).toBe('All notifications are read')
  expect((await person.get('/notifications')).body).toMatchObject({ unread: 0, notifications: { total: 2 } })
  expect((await other.get('/notifications')).body.unread).toBe(2)
})

test('people with a permission are notified, unless their role requires one-time codes that they have not set up', async () => {
  const person = await portal.signedIn('cohorts.approve')
  const guarded = await portal.signedIn('cohorts.approve')
  const elsewhere = await portal.signedIn('schools.view')
  const [role] = (await guarded.get('/session')).body.user.roles
  await owner.query('update roles set requires_totp = true where id = $1', [role.id])
  const tell = (occasion: string) =>
    db.transaction().execute((tx) =>
      giveNotice(tx, 'cohort-to-approve', {
        subject: 1,
        link: '/home',
        occasion,
        parts: ['Avril'],
        by: null,
      }),
    )
  await tell('first')
  const unread = async (who: typeof person) => (await who.get('/notifications')).body.unread
  expect(await Promise.all([person, elsewhere].map(unread))).toEqual([1, 0])
  await owner.query('update users set totp_confirmed_at = now() where id = $1', [guarded.user.id])
  await tell('second')
  // Only the second one: before she had codes she was not told.
  expect(await Promise.all([person, guarded].map(unread))).toEqual([2, 1])
})

test('a person sees the totals of the registers on the home page, also by CAP', async () => {
  await addSchools(3)
  const person = await portal.signedIn()
  const home = await person.get('/home/statistics')
  expect(home.body).toMatchObject({
    loggedInUser: { id: person.user.id, first_name: 'Awa' },
    totalSchools: 3,
    totalStudents: 0,
    totalDisbursed: 0,
    disbursementByCap: [{ admin_district_as_cap: 'CAP SÉGOU', schools: 3, total_disbursed: 0 }],
  })
})

test('a person sees two CAPs of one name in two academies as two rows, each with its academy', async () => {
  await addSchools(3)
  await portal.owner.query(`
    with ae as (insert into academies (region_id, name) select region_id, 'AE AUTRE' from academies limit 1 returning id),
      cap as (insert into caps (academy_id, name) select id, 'CAP SÉGOU' from ae returning id)
    insert into schools (name, admin_code, type_of_school, cap_id, academic_year) select 'Other', 'OTH-1', 'public', id, '2026-2027' from cap`)
  const { body } = await (await portal.signedIn()).get('/home/statistics')
  const rows: { id: number; admin_district_as_cap: string; schools: number }[] = body.disbursementByCap
  expect(new Set(rows.map(({ id }) => id)).size).toBe(2)
  expect(rows.map((row) => [row.admin_district_as_cap, row.schools])).toEqual([
    ['CAP SÉGOU (AE AUTRE)', 1],
    [expect.stringMatching(/^CAP SÉGOU \((?!AE AUTRE)/), 3],
  ])
})

test('a person changes only her own names, whatever other fields she sends', async () => {
  const person = await portal.signedIn()
  const other = await portal.account()
  const whole = {
    first_name: ' Aminata ',
    last_name: 'Ba',
    email: 'admin@test.example',
    roles: [1],
    deactivated_at: '2026-01-01',
    id: other.id,
  }
  const saved = await person.put(`/users/profile/update/${person.user.id}`, whole)
  expect(saved.body).toMatchObject({
    message: 'Profile updated',
    user: { id: person.user.id, first_name: 'Aminata', email: person.user.email },
  })
  const refused = await person.put(`/users/profile/update/${other.id}`, whole)
  expect(refused).toMatchObject({ status: 403, body: { message: 'You can only change your own profile.' } })
  expect(
    (await owner.query('select first_name from users where id = $1', [other.id])).rows[0].first_name,
  ).toBe('Awa')
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
