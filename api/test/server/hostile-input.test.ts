import type { Permission } from '@portal/contracts/permissions'
import { beforeAll, expect, test } from 'vitest'
import { followModules } from '../../src/modules/permissions.service.ts'
import { caseStage, file } from '../cases/case-stage.ts'
import { release } from '../modules/modules.ts'
import { startPortal } from '../portal.ts'

const portal = await startPortal()
const strange = 'This text has a character that cannot be stored. Write it again.'
const deep = 'This value is nested too deeply: at most 20 levels are read.'
const empty = 'The file is empty.'
const nested = (levels: number) => `${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`
const json = { 'content-type': 'application/json' }
const record = 'health.record' as Permission

beforeAll(async () => {
  const label = { en: 'Record visits', fr: 'Saisir des visites' }
  await release(portal.context.registry, {
    name: 'mfe-health',
    version: '1.0.0',
    permissions: [{ name: record, label }],
    collections: [{ name: 'visits', read: record, write: record }],
  })
  await followModules(portal.context)()
})

test.each([
  ['half a character', '\ud800'],
  ['the second half of a character', 'x\udc00y'],
  ['NUL', 'a\u0000b'],
])('a visitor who signs in with %s is told which field has it', async (_, text) => {
  const visitor = await portal.visitor()
  const answer = await visitor.post('/login', { email: `${text}@test.example`, password: text })
  expect(answer.status).toBe(422)
  expect(answer.body.errors).toEqual({ email: [strange], password: [strange] })
})

test('a visitor whose text has a whole character of two halves is not refused for it', async () => {
  const visitor = await portal.visitor()
  const answer = await visitor.post('/login', {
    email: 'awa@test.example',
    password: '👧🏾 is not a password',
  })
  expect(answer.status).not.toBe(500)
  expect(answer.body.errors?.password).toBeUndefined()
})

test('a person who searches for such a character, or writes it into a form with a file, is told', async () => {
  const { filer, form } = await caseStage(portal)
  const auditor = await portal.signedIn('users.view')
  expect(await auditor.get('/admin/users/list?search=%00')).toMatchObject({
    status: 422,
    body: { errors: { search: [strange] } },
  })
  expect(await filer.upload('/admin/cases', { ...form, title: 'Payment\u0000' })).toMatchObject({
    status: 422,
    body: { errors: { title: [strange] } },
  })
})

test('an auditor who asks for a day of the year 0, which no calendar of a database has, is told which field has it', async () => {
  const auditor = await portal.signedIn('audit-logs.view')
  for (const field of ['from', 'to'])
    expect(await auditor.get(`/admin/users/audit/logs?${field}=0000-01-01`)).toMatchObject({
      status: 422,
      body: { errors: { [field]: ['Write a date that exists, as dd/mm/yyyy.'] } },
    })
  expect((await auditor.get('/admin/users/audit/logs?from=0001-01-01&to=9999-12-31')).status).toBe(200)
})

test('a nurse reads where in a record such a character stands, and in which name of a field', async () => {
  const nurse = await portal.signedIn(record)
  const keep = (data: unknown) => nurse.post('/modules/mfe-health/records/visits', { data })
  expect((await keep({ children: [{ name: 'Awa' }, { name: '\ud83d' }] })).body.errors).toEqual({
    'data.children.1.name': [strange],
  })
  expect(await keep({ 'na\u0000me': 'Awa' })).toMatchObject({
    status: 422,
    body: { errors: { data: [strange] } },
  })
  expect((await keep({ name: 'Awa 👧🏾' })).status).toBe(200)
})

test('a nurse whose record is nested thousands deep is told so', async () => {
  const nurse = await portal.signedIn(record)
  const keep = (data: string) =>
    nurse.post('/modules/mfe-health/records/visits', Buffer.from(`{"data":${data}}`), json)
  expect((await keep(nested(19))).status).toBe(200)
  for (const levels of [21, 5000])
    expect(await keep(nested(levels))).toMatchObject({ status: 422, body: { errors: { data: [deep] } } })
})

test('an administrator who pastes such details of an agency is told, as an object and as a text', async () => {
  const admin = await portal.signedInAs('Administrator')
  const add = (details: string) =>
    admin.post(
      '/admin/transfers/agency',
      Buffer.from(
        `{"name":"Agency","description":"Mobile money","type":"mobile_money","country":"ml","fees":1,
          "endpoint":"https://agency.example","details":${details}}`,
      ),
      json,
    )
  for (const details of [nested(5000), JSON.stringify(nested(3000))])
    expect(await add(details)).toMatchObject({ status: 422, body: { errors: { details: [deep] } } })
  const half = '{"protocol": "sandbox", "account": "\\ud800"}'
  for (const details of [half, JSON.stringify(half)])
    expect(await add(details)).toMatchObject({
      status: 422,
      body: { errors: { 'details.account': [strange] } },
    })
})

test('a reviewer and a filer who send an empty file are told so', async () => {
  const { reviewer, filer, form, fileCase } = await caseStage(portal)
  const nothing = file('photo.jpg', Buffer.alloc(0), 'image/jpeg')
  const filed = await fileCase(filer)
  expect(
    await reviewer.upload('/admin/cases/file', {
      complain_id: filed.id,
      description: 'A photo',
      file: nothing,
    }),
  ).toMatchObject({ status: 422, body: { errors: { file: [empty] } } })
  expect(await filer.upload('/admin/cases', { ...form, file: nothing })).toMatchObject({
    status: 422,
    body: { errors: { file: [empty] } },
  })
})

/** A form as a script may write it: each part is its headers and its content. */
const rawForm = (parts: [headers: string, content: string][], boundary = 'b') => ({
  body: Buffer.from(
    `${parts.map(([headers, content]) => `--${boundary}\r\n${headers}\r\n\r\n${content}\r\n`).join('')}--${boundary}--\r\n`,
  ),
  headers: { 'content-type': `multipart/form-data; boundary=${boundary}` },
})
const title = 'Content-Disposition: form-data; name="title"'
const ofType = (type: string) => `${title}\r\nContent-Type: ${type}`

test.each([
  [
    'a part without a name',
    rawForm([['Content-Disposition: form-data', 'Payment']]),
    'A part of this form has no name, or one that no field can have.',
  ],
  [
    'a file without a name',
    rawForm([['Content-Disposition: form-data; filename="letter.pdf"', '%PDF-1.4']]),
    'A part of this form has no name, or one that no field can have.',
  ],
  [
    'a name that every object has',
    rawForm([['Content-Disposition: form-data; name="toString"', 'Payment']]),
    'A part of this form has no name, or one that no field can have.',
  ],
  [
    'a part that should be JSON and is not',
    rawForm([[ofType('application/json'), '{']]),
    'A part of this form is not readable JSON, though its type says so.',
  ],
  [
    'a boundary of 300 characters',
    rawForm([[title, 'Payment']], 'b'.repeat(300)),
    'The boundary between the parts of this form is too long.',
  ],
])('a filer’s program that sends %s reads what is wrong', async (_, { body, headers }, message) => {
  const { filer } = await caseStage(portal)
  const refused = await filer.post('/admin/cases', body, headers)
  expect({ status: refused.status, message: refused.body.message }).toEqual({ status: 422, message })
})

test('a filer’s program may send a text as JSON', async () => {
  const { filer, form } = await caseStage(portal)
  const fields = Object.entries({ ...form, title: '"Payment"', description: '{"a": 1}' })
  const { body, headers } = rawForm(
    fields.map(([name, value]) => [
      `Content-Disposition: form-data; name="${name}"\r\nContent-Type: application/json`,
      name === 'priority' ? JSON.stringify(value) : String(value),
    ]),
  )
  const filed = await filer.post('/admin/cases', body, headers)
  expect(filed.status).toBe(200)
  const { rows } = await portal.owner.query('select title, description from cases order by id desc limit 1')
  expect(rows).toEqual([{ title: 'Payment', description: '{"a":1}' }])
})
