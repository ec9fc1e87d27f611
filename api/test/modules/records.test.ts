import { describe, expect, test } from 'vitest'
import { startPortal } from '../portal.ts'
import { cases, health, healthStage, record, view, visits } from './health-stage.ts'
import { release } from './modules.ts'

const portal = await startPortal({ moduleRecords: 4 })
const { serverOf } = healthStage(portal)
const { registry } = portal.context

describe('records that a module keeps in the portal', () => {
  test('a nurse adds a visit, searches for it, changes and deletes it, and each change is audited', async () => {
    const nurse = await portal.signedIn(view, record)
    const made = await nurse.post(visits, { data: { school: 'École Coura', girls: 12 } })
    expect(made).toMatchObject({
      status: 200,
      body: { message: 'Saved', record: { version: 1, data: { girls: 12 }, user: { first_name: 'Awa' } } },
    })
    const { id } = made.body.record
    await nurse.post(visits, { data: { school: 'Nord', girls: 3 } })
    expect((await nurse.get(`${visits}?search=ecole cour`)).body.records).toMatchObject({
      total: 1,
      data: [{ id, data: { school: 'École Coura' } }],
    })
    const changed = await nurse.put(`${visits}/${id}`, { data: { school: 'École Coura' }, version: 1 })
    expect(changed.body.record).toMatchObject({ version: 2, data: { school: 'École Coura' } })
    expect((await nurse.delete(`${visits}/${id}`)).status).toBe(200)
    expect((await nurse.get(visits)).body.records.total).toBe(1)
    const { rows } = await portal.owner.query(
      `select event, old_values, new_values from audits a join audit_values v on v.audit_id = a.id
       where auditable_type = 'module record' and auditable_id = $1 order by a.id`,
      [id],
    )
    expect(rows.map(({ event }) => event)).toEqual(['created', 'updated', 'deleted'])
    expect(rows[1]).toMatchObject({
      old_values: { girls: 12, collection: 'visits' },
      new_values: { girls: null },
    })
  })

  test('whoever searches the records of a module is in the audit log with what was found, and not with what was typed', async () => {
    const [nurse, admin] = [await portal.signedIn(view, record), await portal.signedInAs('Administrator')]
    const { id } = (await nurse.post(visits, { data: { school: 'École Sido', girls: 7 } })).body.record
    await nurse.get(visits)
    for (const _ of ['first', 'second'])
      expect((await nurse.get(`${visits}?search=sido`)).body.records.total).toBe(1)
    const searched = async (who: typeof admin) =>
      (await who.get('/admin/users/audit/logs?event=searched')).body.logs.data.filter(
        ({ user }: { user: { id: number } | null }) => user?.id === nurse.user.id,
      )
    expect(await searched(admin)).toMatchObject([
      {
        auditable_type: 'module record',
        auditable_id: null,
        sentence: [{ text: expect.stringMatching(/ searched the records of a module — found: 1/) }],
        new_values: { module: 'mfe-health', collection: 'visits', found: 1, first_found: [id] },
      },
    ])
    const [masked] = await searched(await portal.signedIn('audit-logs.view'))
    expect(masked.new_values).toMatchObject({ module: 'mfe-health', first_found: { en: '(confidential)' } })
  })

  test('when two nurses change the same record, the second reads that it has changed', async () => {
    const nurse = await portal.signedIn(record)
    const { id } = (await nurse.post(visits, { data: { girls: 1 } })).body.record
    await nurse.put(`${visits}/${id}`, { data: { girls: 2 }, version: 1 })
    const stale = await nurse.put(`${visits}/${id}`, { data: { girls: 3 }, version: 1 })
    expect(stale).toMatchObject({
      status: 409,
      body: { message: 'Somebody else has changed this meanwhile. Load it again before you save.' },
    })
  })

  test('a person needs the permissions of the manifest to read and write the records of a module', async () => {
    const reader = await portal.signedIn(view)
    expect((await reader.get(visits)).status).toBe(200)
    expect((await reader.post(visits, { data: {} })).status).toBe(403)
    const stranger = await portal.signedIn('cases.view')
    expect((await stranger.get(visits)).status).toBe(403)
    expect((await reader.get('/modules/mfe-health/records/secrets')).status).toBe(404)
    expect((await reader.get('/modules/mfe-cases/records/visits')).status).toBe(404)
    expect((await reader.get('/modules/mfe-nothing/records/visits')).status).toBe(404)
  })

  test('a nurse’s record may have at most 20 KB', async () => {
    const nurse = await portal.signedIn(record)
    const tooMuch = await nurse.post(visits, { data: { note: 'é'.repeat(10_240) } })
    expect(tooMuch).toMatchObject({
      status: 422,
      body: { errors: { data: ['A record may hold at most 20 KB.'] } },
    })
    expect((await nurse.post(visits, { data: { note: 'e'.repeat(20_000) } })).status).toBe(200)
    expect((await nurse.post(visits, {})).status).toBe(422)
  })

  test('a nurse cannot read records of a disabled module, and finds all of them when it is enabled again', async () => {
    const nurse = await portal.signedIn(record)
    await nurse.post(visits, { data: { girls: 1 } })
    const { generation } = await registry.now()
    await registry.change({ name: 'mfe-health', action: 'disable', generation, by: 'a test' })
    expect((await nurse.get(visits)).status).toBe(404)
    await registry.change({ name: 'mfe-health', action: 'enable', generation: generation + 1, by: 'a test' })
    expect((await nurse.get(visits)).body.records.total).toBe(1)
  })
})

test('a server calls with a token for the collections that an administrator gave it, until the token is revoked', async () => {
  await release(registry, { ...health, version: '1.1.0' }, cases)
  const admin = await portal.signedInAs('Administrator')
  const tokens = '/admin/modules/mfe-health/tokens'
  const asked = { name: 'Clinic server', read: ['visits'], days: 30 }
  expect((await admin.post(tokens, { ...asked, read: ['secrets'] })).body.errors.read).toEqual([
    'The live version of the module has no collection “secrets”.',
  ])
  expect((await admin.post(tokens, { ...asked, read: [] })).status).toBe(422)
  const reader = (await admin.post(tokens, asked)).body
  const writer = (await admin.post(tokens, { ...asked, name: 'Feed', read: [], write: ['visits'] })).body
  expect((await (await portal.signedIn(view)).post(tokens, asked)).status).toBe(403)

  const server = (token: string) => serverOf(admin, token)
  const made = await server(writer.token).post(visits, { data: { school: 'Coura' } })
  expect(made).toMatchObject({
    status: 200,
    body: { record: { data: { school: 'Coura' }, user: { first_name: 'Feed', last_name: '' } } },
  })
  const { id } = made.body.record
  expect((await server(reader.token).get(visits)).body.records).toMatchObject({ total: 1, data: [{ id }] })
  expect((await server(reader.token).delete(`${visits}/${id}`)).status).toBe(403)
  expect((await server(writer.token).get('/modules/mfe-cases/records/visits')).status).toBe(403)
  const changed = await server(writer.token).put(`${visits}/${id}`, { data: { school: 'Nord' }, version: 1 })
  expect(changed.body.record).toMatchObject({ version: 2, data: { school: 'Nord' } })
  const { rows } = await portal.owner.query(
    `select user_id, event, new_values from audits a join audit_values v on v.audit_id = a.id
      where auditable_type = 'module record' order by a.id`,
  )
  expect(rows).toMatchObject([
    { user_id: null, event: 'created', new_values: { token: 'Feed', school: 'Coura' } },
    { user_id: null, event: 'updated' },
  ])
  const { rows: hashes } = await portal.owner.query('select token_hash from module_tokens')
  expect(JSON.stringify(hashes)).not.toContain(writer.token)

  const listed = (await admin.get(tokens)).body.tokens
  expect(listed).toMatchObject([
    { name: 'Feed', write: ['visits'], last_used_at: expect.any(String), revoked_at: null },
    { name: 'Clinic server', read: ['visits'], write: [] },
  ])
  expect((await admin.delete(`${tokens}/${writer.id}`)).body.message).toBe('The token was revoked.')
  expect((await admin.delete(`${tokens}/${writer.id}`)).status).toBe(409)
  expect((await server(writer.token).get(visits)).status).toBe(401)
  await portal.owner.query("update module_tokens set expires_at = now() - interval '1 second'")
  const expired = await server(reader.token).get(visits)
  expect(expired).toMatchObject({ status: 401 })
  expect(expired.headers['www-authenticate']).toBe('Bearer')
})

test('a nurse is told when the collection has as many records as the portal keeps', async () => {
  const nurse = await portal.signedIn(record)
  for (let n = 1; n <= 4; n++) expect((await nurse.post(visits, { data: { n } })).status).toBe(200)
  expect((await nurse.post(visits, { data: {} })).body.message).toBe(
    'This collection holds 4 records, and this portal keeps no more. Delete some, or write to the team of the module.',
  )
})
