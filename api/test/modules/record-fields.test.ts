import type { Permission } from '@portal/contracts/permissions'
import exceljs from 'exceljs'
import { beforeAll, beforeEach, expect, test } from 'vitest'
import { transaction } from '../../src/kit/database/db.ts'
import { followModules } from '../../src/modules/permissions.service.ts'
import { forgetSandboxes } from '../../src/modules/sandboxes.service.ts'
import { findPerson } from '../../src/privacy/person.service.ts'
import { traces } from '../../src/privacy/traces.ts'
import { startPortal, until } from '../portal.ts'
import { addPlaces, addSchools, addStudents } from '../registers/registers.ts'
import { release, tryCanary } from './modules.ts'

const portal = await startPortal({ moduleOverride: true })
const { registry } = portal.context

const label = (en: string, fr: string) => ({ en, fr })
const meal = 'meals.record' as Permission
const meals = '/modules/mfe-meals/records/meals'

const declared = (version: string, typed: boolean) => ({
  name: 'mfe-meals',
  version,
  permissions: [{ name: meal, label: label('Record meals', 'Saisir des repas') }],
  collections: [
    {
      name: 'meals',
      read: meal,
      write: meal,
      ...(typed && {
        fields: [
          { name: 'school', label: label('School', 'École'), type: 'text', required: true, max: 40 },
          {
            name: 'weighed',
            label: label('Girls weighed', 'Filles pesées'),
            type: 'whole',
            min: 0,
            max: 900,
          },
          { name: 'kilos', label: label('Kilos', 'Kilos'), type: 'number' },
          { name: 'date', label: label('Date', 'Date'), type: 'day' },
          { name: 'hot', label: label('Hot', 'Chaud'), type: 'boolean' },
          {
            name: 'dish',
            label: label('Dish', 'Plat'),
            type: 'text',
            values: [{ value: 'rice', label: label('Rice', 'Riz') }],
          },
          { name: 'notes', label: label('Notes', 'Notes') },
        ],
      }),
    },
  ],
})

beforeAll(async () => {
  await release(registry, declared('1.0.0', false))
  await followModules(portal.context)()
})
beforeEach(() => portal.clear())

test('a cook’s record is checked against the fields of the manifest, and one from before stays readable', async () => {
  const cook = await portal.signedIn(meal)
  const old = (await cook.post(meals, { data: { weighed: 'many' } })).body.record
  await release(registry, declared('1.1.0', true))

  const refused = await cook.post(meals, {
    data: { weighed: 'many', kilos: 'x', date: '2026-02-30', hot: 'yes', dish: 'stones', colour: 'red' },
  })
  expect(refused.status).toBe(422)
  expect(refused.body.errors).toEqual({
    'data.school': ['School: Fill in this field.'],
    'data.weighed': ['Girls weighed: Write a number.'],
    'data.kilos': ['Kilos: Write a number.'],
    'data.date': ['Date: Write a date that exists, as dd/mm/yyyy.'],
    'data.hot': ['Hot: Send true or false.'],
    'data.dish': ['Dish: Choose one of the list.'],
    'data.colour': ['The module does not declare a field “colour”.'],
  })
  const tooMany = await cook.post(meals, { data: { school: 'x'.repeat(41), weighed: 901 } })
  expect(tooMany.body.errors).toEqual({
    'data.school': ['School: Write at most 40 characters.'],
    'data.weighed': ['Girls weighed: Write a number from 0 to 900.'],
  })

  const good = { school: 'Coura', weighed: 12, kilos: 3.5, date: '2026-02-28', hot: true, dish: 'rice' }
  const made = await cook.post(meals, { data: { ...good, weighed: '12', notes: ['any', { thing: 1 }] } })
  expect(made.body.record.data).toEqual({ ...good, notes: ['any', { thing: 1 }] })

  const { data } = (await cook.get(meals)).body.records
  expect(data).toContainEqual(expect.objectContaining({ id: old.id, data: { weighed: 'many' } }))
  const changed = await cook.put(`${meals}/${old.id}`, { data: { weighed: 'many' }, version: old.version })
  expect(changed.status).toBe(422)
  expect(changed.body.errors['data.weighed']).toEqual(['Girls weighed: Write a number.'])
  expect((await cook.put(`${meals}/${old.id}`, { data: good, version: old.version })).status).toBe(200)
})

test('a developer tries the records of a module that is not published in a sandbox that nobody else sees', async () => {
  const name = 'mfe-looms'
  const looms = `/modules/${name}/records/looms`
  const collections = [
    {
      name: 'looms',
      read: 'looms.view',
      write: 'looms.weave',
      fields: [{ name: 'threads', label: label('Threads', 'Fils'), type: 'whole', min: 1, max: 900 }],
    },
    { name: 'spies', read: 'audit-logs.view', write: 'audit-logs.view' },
  ]
  const developer = async () => {
    const person = await portal.signedIn('schools.view')
    person.cookies.set('portal_override', `${name}.5177`)
    return person
  }
  const [awa, moussa] = [await developer(), await developer()]
  expect((await awa.get(looms)).status).toBe(404)
  expect((await awa.post(`/modules/${name}/sandbox`, { collections })).body).toMatchObject({ records: 0 })
  await moussa.post(`/modules/${name}/sandbox`, { collections })
  const refused = await awa.post(looms, { data: { threads: 'many' } })
  expect(refused.body.errors).toEqual({ 'data.threads': [expect.stringMatching(/^Threads: /)] })
  const { record } = (await awa.post(looms, { data: { threads: 80 } })).body
  expect(record).toMatchObject({ data: { threads: 80 }, version: 1 })
  const found = await awa.get(`${looms}?search=80&sort=-updated_at`)
  expect(found.body.records).toMatchObject({ total: 1, data: [{ id: record.id }] })
  const change = { data: { threads: 90 }, version: 1 }
  expect((await awa.put(`${looms}/${record.id}`, change)).body.record).toMatchObject({ version: 2 })
  expect((await awa.put(`${looms}/${record.id}`, change)).status).toBe(409)
  // A permission of the portal is not given by a manifest, and what a build does not declare is not there.
  expect((await awa.get(`/modules/${name}/records/spies`)).status).toBe(403)
  expect((await awa.get(`/modules/${name}/records/ropes`)).status).toBe(404)

  expect((await moussa.get(looms)).body.records.total).toBe(0)
  expect((await moussa.put(`${looms}/${record.id}`, { ...change, version: 2 })).status).toBe(404)
  awa.cookies.delete('portal_override')
  expect((await awa.get(looms)).status).toBe(404)
  expect((await awa.post(`/modules/${name}/sandbox`, { collections })).status).toBe(404)
  expect((await portal.owner.query('select from module_records')).rowCount).toBe(0)

  awa.cookies.set('portal_override', `${name}.5177`)
  expect((await awa.post(`/modules/${name}/sandbox`, { collections })).body).toMatchObject({ records: 1 })
  expect((await awa.delete(`${looms}/${record.id}`)).status).toBe(200)
  await awa.post(looms, { data: { threads: 7 } })
  expect((await awa.delete(`/modules/${name}/sandbox`)).body.message).toBe('Sandbox emptied')
  expect((await awa.get(looms)).body.records.total).toBe(0)
})

test('a developer of a module that is live reaches her sandbox and not the live records, and cannot fill it without end', async () => {
  await release(registry, declared('1.2.0', true))
  const cook = await portal.signedIn(meal)
  const data = { school: 'Coura', weighed: 3 }
  expect((await cook.post(meals, { data })).status).toBe(200)
  cook.cookies.set('portal_override', 'mfe-meals.5177')
  expect((await cook.get(meals)).status).toBe(404)
  const { collections } = declared('1.2.0', true)
  await cook.post('/modules/mfe-meals/sandbox', { collections })
  expect((await cook.get(meals)).body.records.total).toBe(0)
  await portal.owner.query(
    `insert into sandbox_records (sandbox_id, collection, data, words)
      select s.id, 'meals', '{"school": "Coura"}', '' from module_sandboxes s, generate_series(1, 500) where module = 'mfe-meals'`,
  )
  expect(await cook.post(meals, { data })).toMatchObject({ status: 409 })
  await portal.owner.query("update module_sandboxes set opened_at = now() - interval '31 days'")
  await forgetSandboxes(portal.db)
  expect((await portal.owner.query('select from sandbox_records')).rowCount).toBe(0)
  cook.cookies.delete('portal_override')
  expect((await cook.get(meals)).body.records.total).toBe(1)
})

test('a cook sorts, filters and adds up meals as the manifest says, live and in a sandbox alike', async () => {
  const fields = [
    { name: 'school', label: label('School', 'École'), type: 'text', max: 40, sort: true, filter: true },
    { name: 'girls', label: label('Girls', 'Filles'), type: 'whole', sort: true, filter: true },
    { name: 'date', label: label('Date', 'Date'), type: 'day', sort: true, filter: true },
    { name: 'hot', label: label('Hot', 'Chaud'), type: 'boolean', filter: true },
    { name: 'notes', label: label('Notes', 'Notes'), type: 'text' },
  ]
  const totals = [
    { name: 'by-school', sum: 'girls', by: 'school' },
    { name: 'by-heat', by: 'hot' },
    { name: 'girls', sum: 'girls' },
  ]
  const [collection] = declared('2.0.0', false).collections
  const plain = { ...declared('2.0.0', false), version: '2.0.0' }
  await release(registry, plain)
  const cook = await portal.signedIn(meal)
  const developer = await portal.signedIn(meal)
  developer.cookies.set('portal_override', 'mfe-meals.5177')
  await developer.post('/modules/mfe-meals/sandbox', { collections: [{ ...collection, fields, totals }] })
  for (const data of [
    { school: 'Élan', girls: 30, date: '2026-02-03', hot: true, notes: 'Rice' },
    { school: 'Coura', girls: 4, date: '2026-02-01', hot: false, notes: 'rice' },
    { school: 'Fana', girls: 100, date: '2026-02-02' },
    { school: 'Coura', girls: 12, notes: 'Coura' },
  ])
    for (const person of [cook, developer]) expect((await person.post(meals, { data })).status).toBe(200)
  expect((await cook.get(`${meals}?sort=girls`)).body.errors.sort).toEqual([
    'This list cannot be sorted that way.',
  ])

  // Records of the build before, and of the release before, get their keys when the first list asks.
  await release(registry, {
    ...plain,
    version: '2.1.0',
    collections: [{ name: 'meals', read: meal, write: meal, fields, totals }],
  })
  for (const person of [cook, developer]) {
    const girls = async (query: string) =>
      (await person.get(`${meals}?${query}`)).body.records.data.map(
        (row: { data: { girls: number } }) => row.data.girls,
      )
    expect(await girls('sort=girls')).toEqual([4, 12, 30, 100])
    expect(await girls('sort=-girls&per_page=2&page=2')).toEqual([12, 4])
    expect(await girls('sort=school')).toEqual([4, 12, 30, 100])
    expect(await girls('sort=date')).toEqual([4, 100, 30, 12])
    expect(await girls('sort=girls&school=Coura')).toEqual([4, 12])
    expect(await girls('sort=date&date_from=2026-02-02&date_to=2026-02-03')).toEqual([100, 30])
    expect(await girls('hot=false')).toEqual([4])
    expect(await girls('girls=100')).toEqual([100])
    expect(await girls('search=rice&sort=girls&school=')).toEqual([4, 30])
    const refused = await person.get(`${meals}?sort=notes&colour=red&hot=maybe&date_to=2026-02-30`)
    expect(refused).toMatchObject({
      status: 422,
      body: {
        errors: {
          sort: ['This list cannot be sorted that way.'],
          colour: ['This list has no such filter.'],
          hot: ['This value is not accepted.'],
          date_to: ['Write a date that exists, as dd/mm/yyyy.'],
        },
      },
    })
    const reversed = await person.get(`${meals}?date_from=2026-02-03&date_to=2026-02-02`)
    expect(reversed).toMatchObject({
      status: 422,
      body: { errors: { date_to: ['The end date is before the start date.'] } },
    })
    const total = async (query: string) => (await person.get(`${meals}/totals?${query}`)).body.totals
    expect(await total('total=by-school')).toEqual({
      count: 4,
      sum: 146,
      groups: [
        { value: 'Coura', count: 2, sum: 16 },
        { value: 'Élan', count: 1, sum: 30 },
        { value: 'Fana', count: 1, sum: 100 },
      ],
    })
    expect(await total('total=by-heat&school=Coura')).toEqual({
      count: 2,
      sum: null,
      groups: [
        { value: false, count: 1, sum: null },
        { value: null, count: 1, sum: null },
      ],
    })
    expect(await total('total=girls&date_from=2030-01-01')).toEqual({ count: 0, sum: 0, groups: [] })
    expect((await person.get(`${meals}/totals?total=kilos`)).body.errors).toEqual({
      total: ['This list has no such total.'],
    })
  }

  const [first] = (await cook.get(`${meals}?girls=4`)).body.records.data
  await cook.put(`${meals}/${first.id}`, { data: { ...first.data, girls: 5 }, version: first.version })
  expect((await cook.get(`${meals}?girls=4`)).body.records.total).toBe(0)
  expect((await cook.get(`${meals}?girls=5`)).body.records.total).toBe(1)
  await portal.owner.query(
    'update module_records set keyed = null, data = data || \'{"girls": 6}\' where id = $1',
    [first.id],
  )
  expect((await cook.get(`${meals}?girls=6`)).body.records.total).toBe(1)
  expect((await cook.delete(`${meals}/${first.id}`)).status).toBe(200)
  const { rowCount } = await portal.owner.query('select from module_record_keys where record_id = $1', [
    first.id,
  ])
  expect(rowCount).toBe(0)
})

test('a cook’s records stand in columns of the list of schools, for whoever may read them and in their language', async () => {
  const { name, permissions, collections } = declared('3.0.0', true)
  const [own] = collections
  const fields = (own?.fields ?? []).map((field) => ({
    ...field,
    ...(['school', 'weighed'].includes(field.name) && { filter: true }),
  }))
  const column = (id: string, more: object) => ({
    ...{
      id,
      on: 'school',
      label: label(id, id),
      permission: meal,
      collection: 'meals',
      by: 'school',
      order: 1,
    },
    ...more,
  })
  const columns = [
    column('last', { field: 'date', show: 'date' }),
    column('count', { show: 'number' }),
    // Whole numbers are ids.
    column('by-id', { by: 'weighed', field: 'dish', show: 'badge' }),
  ]
  await release(registry, {
    name,
    version: '3.0.0',
    permissions,
    collections: [{ ...own, name: 'meals', read: meal, write: meal, fields }],
    columns,
  })
  await addPlaces(portal)
  await addSchools(portal, 2)
  const { rows: schools } = await portal.owner.query('select id, admin_code as code from schools order by id')
  const [first, second] = schools
  const cook = await portal.signedIn(meal)
  for (const [date, weighed] of [
    ['2026-03-01', second.id],
    ['2026-03-02', 5],
  ])
    await cook.post(meals, { data: { school: first.code, date, weighed, dish: 'rice' } })
  const ids = `${first.id},${second.id}`
  const read = async (who = cook, headers = {}) =>
    (await who.get(`/modules/columns?on=school&ids=${ids}`, headers)).body.columns
  expect(await read()).toEqual([
    { key: 'mfe-meals:last', values: { [first.id]: '2026-03-02' } },
    { key: 'mfe-meals:count', values: { [first.id]: 2, [second.id]: 0 } },
    { key: 'mfe-meals:by-id', values: { [second.id]: 'Rice' } },
  ])
  expect((await read(cook, { 'accept-language': 'fr' }))[2].values).toEqual({ [second.id]: 'Riz' })
  expect(await read(await portal.signedIn('schools.view'))).toEqual([])
  for (const query of [
    'on=school&ids=1;drop',
    'on=wells&ids=1',
    `on=school&ids=${'1,'.repeat(100)}1`,
    'on=school',
  ])
    expect([query, (await cook.get(`/modules/columns?${query}`)).status]).toEqual([query, 422])
  // Saved by the release before, which writes no keys: the column says so instead of showing less.
  await portal.owner.query('update module_records set keyed = null')
  expect((await read()).map(({ values }: { values: unknown }) => values)).toEqual([null, null, null])
})

test('records keep the version of their fields, and each build reads and saves them as it declares them', async () => {
  const text = { type: 'text', max: 40 } as const
  const school = {
    name: 'school',
    label: label('School', 'École'),
    ...text,
    required: true,
    filter: true,
    sort: true,
  }
  const eaten = { name: 'eaten', label: label('Eaten', 'Mangé'), ...text, sort: true }
  const girls = {
    name: 'girls',
    label: label('Girls', 'Filles'),
    type: 'whole',
    min: 0,
    max: 900,
    sort: true,
  }
  const place = { name: 'place', label: label('Place', 'Lieu'), ...text, required: true, filter: true }
  const notes = { name: 'notes', label: label('Notes', 'Notes'), type: 'text' }
  const change = {
    ...{ to: 2, drop: ['notes'], rename: { eaten: 'girls' }, default: { place: 'yard' } },
    convert: { girls: { from: 'text', to: 'whole', else: 0 } },
  }
  const build = (version: string, collection: object) => ({
    ...declared(version, false),
    collections: [{ name: 'meals', read: meal, write: meal, ...collection }],
  })
  const first = build('4.0.0', { fields: [school, eaten, notes] })
  const second = build('4.1.0', {
    ...{ version: 2, changes: [change], fields: [school, girls, place] },
    totals: [{ name: 'girls', sum: 'girls', by: 'place' }],
  })
  await release(registry, first)
  const cook = await portal.signedIn(meal)
  const trying = await portal.signedIn(meal)
  const saved = async (data: object) => (await cook.post(meals, { data })).body.record
  const old = await saved({ school: 'Coura', eaten: '12', notes: 'Rice' })
  await saved({ school: 'Fana', eaten: 'many' })
  await saved({ school: 'Élan', eaten: '9' })

  // A tenth of the people get the next version: each is asked for what her own build declares.
  const { rows } = await portal.owner.query(
    'select r.name from roles r join user_roles u on u.role_id = r.id where u.user_id = $1',
    [trying.user.id],
  )
  await tryCanary(registry, second, [rows[0].name])
  const list = async (person: typeof cook, query = 'sort=school') => {
    const { status, body } = await person.get(`${meals}?${query}`)
    expect(status, JSON.stringify(body)).toBe(200)
    return body.records.data.map(({ data }: { data: object }) => data)
  }
  expect(await list(trying)).toEqual([
    { school: 'Coura', girls: 12, place: 'yard' },
    { school: 'Élan', girls: 9, place: 'yard' },
    { school: 'Fana', girls: 0, place: 'yard' },
  ])
  expect((await list(cook))[0]).toEqual({ school: 'Coura', eaten: '12', notes: 'Rice' })
  expect((await list(trying, 'sort=girls')).map((data: { girls: number }) => data.girls)).toEqual([0, 9, 12])
  expect((await list(cook, 'sort=eaten')).map((data: { eaten: string }) => data.eaten)).toEqual([
    '12',
    '9',
    'many',
  ])
  expect((await trying.post(meals, { data: { school: 'Coura', eaten: '3' } })).body.errors).toMatchObject({
    'data.eaten': ['The module does not declare a field “eaten”.'],
    'data.place': ['Place: Fill in this field.'],
  })
  const made = (await trying.post(meals, { data: { school: 'Bla', girls: 30, place: 'home' } })).body.record
  expect((await list(cook))[0]).toEqual({ school: 'Bla', eaten: '30' })
  const totals = async () => (await trying.get(`${meals}/totals?total=girls`)).body.totals
  expect(await totals()).toMatchObject({ count: 4, sum: 51 })
  expect(await list(trying, 'place=home')).toEqual([{ school: 'Bla', girls: 30, place: 'home' }])

  // The older build changes what it sees. What it does not see stays as it was.
  const changed = await cook.put(`${meals}/${made.id}`, {
    ...{ data: { school: 'Bla', eaten: '31' }, version: made.version },
  })
  expect(changed.body.record.data).toEqual({ school: 'Bla', eaten: '31' })
  expect(await list(trying, 'place=home')).toEqual([{ school: 'Bla', girls: 31, place: 'home' }])

  await release(registry, { ...second, version: '4.2.0' })
  expect((await list(cook))[1]).toEqual({ school: 'Coura', girls: 12, place: 'yard' })
  const data = { school: 'Coura', girls: 13, place: 'home' }
  const moved = await cook.put(`${meals}/${old.id}`, { data, version: old.version })
  expect(moved.body.record.data).toEqual(data)
  expect(await totals()).toEqual({
    ...{ count: 4, sum: 53 },
    groups: [
      { value: 'home', count: 2, sum: 44 },
      { value: 'yard', count: 2, sum: 9 },
    ],
  })

  // Taken back, the build before reads what the other one has saved by the rules that it left.
  await release(registry, { ...first, version: '4.3.0' })
  expect(await list(cook)).toEqual([
    { school: 'Bla', eaten: '31' },
    { school: 'Coura', eaten: '13' },
    { school: 'Élan', eaten: '9' },
    { school: 'Fana', eaten: 'many' },
  ])
  expect((await list(cook, 'sort=-eaten')).length).toBe(4)
})

test('a record leads to schools, students and cases, for whoever may see them, and goes when a student is erased', async () => {
  const leads = (name: string, to: string, more = {}) => ({
    ...{ name, label: label(name, name), type: 'reference', to, filter: true },
    ...more,
  })
  const fields = [
    leads('school', 'school', { required: true }),
    leads('girl', 'student'),
    leads('about', 'case'),
  ]
  const [own] = declared('5.0.0', false).collections
  const build = {
    ...declared('5.0.0', false),
    collections: [{ ...own, name: 'meals', read: meal, write: meal, fields }],
  }
  await release(registry, build)
  await addPlaces(portal)
  await addSchools(portal, 2)
  const { rows: schools } = await portal.owner.query(
    'select id, admin_code as code, name from schools order by id',
  )
  await addStudents(portal, 1)
  const { rows: girls } = await portal.owner.query('select id, student_code as code from students')
  const [girl] = girls
  const nurse = await portal.signedIn(meal, 'schools.view', 'students.view')
  const cook = await portal.signedIn(meal)
  const data = { school: schools[0].id, girl: girl.id }
  const saved = await nurse.post(meals, { data: { ...data, school: String(data.school) } })
  expect(saved.body.record).toMatchObject({
    data,
    references: {
      school: { code: schools[0].code, name: schools[0].name },
      girl: { code: girl.code, name: 'Aïssata Traoré 1' },
    },
  })
  await nurse.post(meals, { data: { school: schools[1].id } })

  // The audit log has what people know, too, for whoever may see the thing.
  const auditedFor = async (...more: Permission[]) => {
    const auditor = await portal.signedIn('audit-logs.view', meal, ...more)
    const found = await auditor.get('/admin/users/audit/logs?auditable_type=module%20record&sort=created_at')
    return found.body.logs.data[0]
  }
  const inWords = { id: schools[0].id, name: `${schools[0].name} (${schools[0].code})` }
  const named = { id: girl.id, name: `Aïssata Traoré 1 (${girl.code})` }
  const told = await auditedFor('students.view')
  expect(told.new_values).toMatchObject({ school: inWords, girl: named })
  expect((await auditedFor()).new_values).toMatchObject({ school: inWords, girl: girl.id })

  // Whoever may not see them sees that they are there, keeps them, and cannot name others.
  const [seen] = (await cook.get(`${meals}?school=${data.school}`)).body.records.data
  expect(seen).toMatchObject({ data, references: { school: null, girl: null } })
  const change = { data, version: seen.version }
  expect((await cook.put(`${meals}/${seen.id}`, change)).status).toBe(200)
  const other = { data: { ...data, school: schools[1].id }, version: seen.version + 1 }
  expect((await cook.put(`${meals}/${seen.id}`, other)).body.errors).toEqual({
    'data.school': ['school: There is no such school, or you may not see it.'],
  })
  expect((await nurse.post(meals, { data: { ...data, about: 1, girl: 987654 } })).body.errors).toEqual({
    'data.girl': ['girl: There is no such student, or you may not see her.'],
    'data.about': ['about: There is no such case, or you may not see it.'],
  })
  expect((await nurse.post(meals, { data: { school: 'Coura' } })).status).toBe(422)
  // The list of one school is what a tab on its page asks for.
  expect((await nurse.get(`${meals}?school=${schools[1].id}`)).body.records.total).toBe(1)

  // Things to choose from are what the person finds in the portal's own lists, for a field that leads there.
  const places = { place: expect.any(String) }
  expect((await nurse.get(`${meals}/references/school?search=${schools[1].code}`)).body).toEqual({
    things: [{ ...schools[1], ...places }],
    more: false,
  })
  expect((await nurse.get(`${meals}/references/school`)).body.things).toHaveLength(3)
  expect((await nurse.get(`${meals}/references/girl?search=traore%20aiss`)).body.things).toEqual([
    { id: girl.id, code: girl.code, name: 'Aïssata Traoré 1', place: expect.any(String) },
  ])
  // Whoever looks for a girl by name is in the log, wherever she looks (Access 6.8).
  const searched = await portal.owner.query(
    `select auditable_type, new_values from audits a join audit_values w on w.audit_id = a.id where event = 'searched' and user_id = $1`,
    [nurse.user.id],
  )
  expect(searched.rows).toEqual([
    { auditable_type: 'student', new_values: { found: 1, first_found: [girl.id] } },
  ])
  expect((await nurse.get(`${meals}/references/girl?id=${girl.id}`)).body.things).toHaveLength(1)
  expect((await nurse.get(`${meals}/references/girl`)).body).toEqual({ things: [], more: false })
  const unseen = await cook.get(`${meals}/references/school?search=a`)
  expect(unseen).toMatchObject({ status: 403, body: { message: 'You may not see schools.' } })
  expect((await cook.get(`${meals}/references/about?search=a`)).body.things).toEqual([])
  expect((await nurse.get(`${meals}/references/name`)).status).toBe(404)
  const stranger = await portal.signedIn('schools.view')
  expect((await stranger.get(`${meals}/references/school`)).status).toBe(403)

  // The file has the same rights: names for whoever may see them, asked again when it is fetched.
  await portal.worker()
  const asked = await nurse.post(`${meals}/export`, { school: String(data.school) })
  expect(asked).toMatchObject({ status: 202, body: { file_name: expect.stringMatching(/^meals-meals-/) } })
  const address = `/storage/exports/${asked.body.file_name}`
  await until(async () => (await nurse.get(address)).status === 200)
  const book = new exceljs.Workbook()
  await book.xlsx.load((await nurse.get(address)).bytes as never)
  const lines = book.worksheets[0]?.getSheetValues() as unknown[][]
  expect(lines[1]?.slice(1)).toEqual([
    ...[
      'No.',
      'school',
      'school: name',
      'girl',
      'girl: name',
      'about',
      'about: name',
      'Recorded by',
      'Last change',
    ],
  ])
  expect(lines[2]?.slice(1, 6)).toEqual([
    ...[seen.id, schools[0].code, schools[0].name, girl.code, 'Aïssata Traoré 1'],
  ])
  expect(lines).toHaveLength(3)
  expect((await nurse.post(`${meals}/export`, { colour: 'red' })).body.errors).toEqual({
    colour: ['This list has no such filter.'],
  })
  expect((await (await portal.signedIn('schools.view')).post(`${meals}/export`, {})).status).toBe(403)
  const { rows: logged } = await portal.owner.query(
    "select v.new_values from audits a join audit_values v on v.audit_id = a.id where a.event = 'exported'",
  )
  expect(logged).toMatchObject([
    { new_values: { module: 'mfe-meals', collection: 'meals', school: String(data.school), row_count: 1 } },
  ])
  await portal.owner.query(
    `delete from role_permissions rp using permissions p where p.id = rp.permission_id and p.name = 'students.view'`,
  )
  expect((await nurse.get(address)).status).toBe(403)

  const person = await findPerson(portal.db, { by: 'student', name: girl.code })
  if (!person) throw new Error('the student is not there')
  const [theirs] = traces.filter(({ table }) => table === 'module_records')
  await transaction(portal.db, (tx) => Promise.resolve(theirs?.erase?.(tx, person)))
  expect((await nurse.get(meals)).body.records.data).toMatchObject([{ data: { school: schools[1].id } }])
})
