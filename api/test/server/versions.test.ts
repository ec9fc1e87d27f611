import type { Permission } from '@portal/contracts/permissions'
import { beforeAll, expect, test } from 'vitest'
import { caseStage } from '../cases/case-stage.ts'
import { startStage } from '../cohorts.ts'

const stage = await startStage(1)
const { portal, agency } = stage
const admin = await portal.signedInAs('Administrator')
const person = await portal.account()

let turn = 0
/** A new unique name. */
const fresh = () => `Name ${++turn}`

type Answer = { status: number; body: { message: string } }
type Row = { version: number }
const changedMeanwhile = /^Somebody else has changed this since you opened it/

const userNow = async () => (await admin.get(`/admin/users/${person.id}`)).body.user
const roleNow = async (id: number) => (await admin.get(`/admin/roles/${id}`)).body.role
const agencyNow = async () => (await admin.get('/admin/transfers/settings')).body.agencies.at(-1)
const parameterNow = async () => (await admin.get('/admin/transfers/settings')).body.parameters.at(-1)
const user = (change: object) => admin.put(`/users/profile/update/${person.id}`, change)
const idsOf = async (...names: Permission[]) =>
  (
    await portal.owner.query('select id::int from permissions where name = any($1) order by id', [names])
  ).rows.map(({ id }) => id as number)

let role = 0
let other = 0
let permissions: number[] = []
beforeAll(async () => {
  role = (await admin.post('/admin/roles', { name: 'Inspectors' })).body.role.id
  other = (await admin.post('/admin/roles', { name: 'Visitors' })).body.role.id
  permissions = await idsOf('schools.view')
})

const names = { first_name: 'Awa', last_name: 'Keïta' }
const permit = (body: object) => admin.post('/admin/permissions', { role_id: role, permissions, ...body })

/** Each form that edits a row: how the row is read, what another person changes in it, and what the form sends. */
const forms: Record<
  string,
  { now: () => Promise<Row>; meanwhile: () => Promise<Answer>; send: (version: object) => Promise<Answer> }
> = {
  'a person’s record': {
    now: userNow,
    meanwhile: () => user({ ...names, first_name: fresh() }),
    send: (version) => user({ ...names, ...version }),
  },
  'a person’s activation': {
    now: userNow,
    meanwhile: () => user({ ...names, first_name: fresh() }),
    send: (version) => user({ deactivate: true, ...version }),
  },
  'a person’s role': {
    now: userNow,
    meanwhile: () => user({ ...names, first_name: fresh() }),
    send: (version) => user({ role_id: other, assign_role: true, ...version }),
  },
  'a role’s name': {
    now: () => roleNow(role),
    meanwhile: () => admin.put(`/admin/roles/${role}`, { name: fresh() }),
    send: (version) => admin.put(`/admin/roles/${role}`, { name: 'Inspectors of Kayes', ...version }),
  },
  'what a role allows': {
    now: () => roleNow(role),
    meanwhile: async () => permit({ permissions: await idsOf('schools.view', 'cases.view') }),
    send: (version) => permit(version),
  },
  'the end of a role': {
    now: () => roleNow(other),
    meanwhile: () => admin.put(`/admin/roles/${other}`, { name: fresh() }),
    send: (version) => admin.put(`/admin/roles/${other}`, { delete: true, ...version }),
  },
  'an agency’s status': {
    now: agencyNow,
    meanwhile: () => admin.put(`/admin/transfers/agency/${agencyId}`, { status: 'inactive' }),
    send: (version) => admin.put(`/admin/transfers/agency/${agencyId}`, { status: 'active', ...version }),
  },
  'an agency’s account': {
    now: agencyNow,
    meanwhile: () => admin.put(`/admin/transfers/agency/${agencyId}`, { status: 'inactive' }),
    send: (version) =>
      admin.put(`/admin/transfers/agency/${agencyId}`, {
        endpoint: agency.url,
        details: '{"protocol":"sandbox","token":"another"}',
        ...version,
      }),
  },
  'a parameter': {
    now: parameterNow,
    meanwhile: () => admin.put(`/admin/transfers/parameter/${parameterId}`, { status: 'inactive' }),
    send: (version) =>
      admin.put(`/admin/transfers/parameter/${parameterId}`, { status: 'active', ...version }),
  },
}
const agencyId = (await agencyNow()).id
const parameterId = (await parameterNow()).id

const lastMark = async () =>
  (
    await portal.owner.query(
      `select new_values->'without_version' as mark from audit_values order by audit_id desc limit 1`,
    )
  ).rows[0].mark

test.each(Object.entries(forms))(
  'of two administrators who open the form of %s the second is told that the first has saved it',
  async (_, { now, meanwhile, send }) => {
    const opened = await now()
    expect((await meanwhile()).status).toBe(200)
    expect(await lastMark()).toBe(true)
    const stored = await now()
    expect(stored.version).toBeGreaterThan(opened.version)
    const stale = await send({ version: opened.version })
    expect(stale).toMatchObject({ status: 409, body: { message: expect.stringMatching(changedMeanwhile) } })
    expect(await now()).toEqual(stored)
    // A change that a second person has to confirm is accepted with 202.
    expect([200, 202]).toContain((await send({ version: stored.version })).status)
    expect(await lastMark()).toBeNull()
  },
)

test('when two supervisors give a case to another reviewer, the second reads that it has changed', async () => {
  const { filer, form, reviewer } = await caseStage(portal)
  const id = (await filer.upload('/admin/cases', form)).body.complain.id as number
  const supervisor = await portal.signedIn('cases.view', 'cases.manage')
  const second = await portal.signedInAs('Case Reviewer')
  await portal.owner.query(
    `insert into partners (name, user_id, partner_type, partner_since) values ('Delta Aid', $1, 'ngo', '2020-01-01')`,
    [second.user.id],
  )
  const now = async () => (await supervisor.get(`/admin/cases/${id}/details`)).body.complain
  const assign = (body: object) => supervisor.put(`/admin/cases/${id}/assign`, body)
  const decide = (body: object) =>
    reviewer.post('/admin/cases/resolve', { complain_id: id, action: 'resolve', ...body })

  const opened = await now()
  expect((await assign({ reviewer: second.user.id, version: opened.version })).status).toBe(200)
  const stale = await assign({ reviewer: second.user.id, version: opened.version })
  expect(stale).toMatchObject({ status: 409, body: { message: expect.stringMatching(changedMeanwhile) } })
  expect((await assign({ reviewer: reviewer.user.id })).status).toBe(200)
  expect((await decide({ version: opened.version })).status).toBe(409)

  // The reviewer's own action does not outdate her form.
  const seen = await now()
  const note = { complain_id: id, note: 'Called the guardian.', channel_id: form.channel }
  expect((await reviewer.post('/admin/cases/activity', note)).status).toBe(200)
  expect((await decide({ version: seen.version })).status).toBe(200)
  expect(await lastMark()).toBeNull()
})

test('people save and start exports while a release adds columns to the tables that they change', async () => {
  const save = (n: number) =>
    Promise.all(Array.from({ length: n }, () => user({ first_name: fresh(), last_name: 'Keïta' })))
  const start = () => admin.post('/admin/schools/export', {})
  const statuses = async () => [...(await save(8)), await start()].map(({ status }) => status)
  const answered = [...Array(8).fill(200), 202]
  // The connections have prepared their statements then.
  expect(await statuses()).toEqual(answered)
  const tables = ['users', 'sessions', 'audits', 'audit_values', 'exports', 'pgboss.job', 'pgboss.queue']
  const each = (change: string) =>
    portal.owner.query(tables.map((table) => `alter table ${table} ${change}`).join('; '))
  await each('add column of_next_release text')
  try {
    expect(await statuses()).toEqual(answered)
  } finally {
    await each('drop column of_next_release')
  }
})
