import type { Permission } from '@portal/contracts/permissions'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { migrate } from '../../src/commands/migrate.ts'
import { followModules } from '../../src/modules/permissions.service.ts'
import { Client } from '../client.ts'
import { bellOf, mailsTo, prefer } from '../letters/notices.ts'
import { untilLocked } from '../locks.ts'
import { startPortal } from '../portal.ts'
import { release } from './modules.ts'

const portal = await startPortal({ moduleRecords: 4 })
const { registry } = portal.context

const health = {
  name: 'mfe-health',
  version: '1.0.0',
  permissions: [
    { name: 'health.view', label: { en: 'View visits', fr: 'Voir les visites' } },
    { name: 'health.record', label: { en: 'Record visits', fr: 'Saisir des visites' } },
  ],
  collections: [{ name: 'visits', read: ['health.view', 'health.record'], write: 'health.record' }],
}
const cases = { name: 'mfe-cases', version: '1.0.0' }

// Permissions of modules are not in the type `Permission`, so the test casts them.
const view = 'health.view' as Permission
const record = 'health.record' as Permission

beforeAll(async () => {
  await release(registry, health, cases)
  await followModules(portal.context)()
})
beforeEach(() => portal.clear())

describe('permissions of a module', () => {
  test('exist once the module is live, are granted to administrators, and remain after a migration', async () => {
    const admin = await portal.signedInAs('Administrator')
    const { permissions } = (await admin.get('/admin/permissions/list')).body
    const mine = permissions.filter(({ name }: { name: string }) => name.startsWith('health.'))
    expect(mine).toMatchObject([
      { name: 'health.view', label: { en: 'View visits', fr: 'Voir les visites' } },
      { name: 'health.record' },
    ])
    expect((await admin.get('/session')).body.permissions).toEqual(
      expect.arrayContaining(['modules.manage', 'health.record', 'health.view']),
    )
    await migrate(portal.settings.databaseOwnerUrl ?? '', portal.settings.databaseUrl)
    expect((await admin.get('/session')).body.permissions).toContain('health.view')
  })

  test('an administrator grants them to a role, and people with that role have them', async () => {
    const admin = await portal.signedInAs('Administrator')
    const { role } = (await admin.post('/admin/roles', { name: 'Role of nurses' })).body
    const { permissions } = (await admin.get('/admin/permissions/list')).body
    const ids = permissions
      .filter(({ name }: { name: string }) => name.startsWith('health.'))
      .map(({ id }: { id: number }) => id)
    const given = await admin.post('/admin/permissions', { role_id: role.id, permissions: ids })
    expect(given.status).toBe(200)
    const nurse = await portal.signedInAs('Role of nurses')
    expect((await nurse.get('/session')).body.permissions).toEqual(['health.record', 'health.view'])
    const kept = await nurse.post('/modules/mfe-health/records/visits', { data: { school: 'Coura' } })
    expect(kept.status).toBe(200)
  })

  test('of a module published later are added once, and that is audited', async () => {
    const follow = followModules(portal.context)
    await follow()
    const water = { name: 'water.view', label: { en: 'View wells', fr: 'Voir les puits' } }
    await release(registry, health, cases, { name: 'mfe-water', version: '1.0.0', permissions: [water] })
    await Promise.all([follow(), followModules(portal.context)()])
    const admin = await portal.signedInAs('Administrator')
    expect((await admin.get('/session')).body.permissions).toContain('water.view')
    const { rows } = await portal.owner.query(
      "select new_values from audits a join audit_values v on v.audit_id = a.id where event = 'permission added'",
    )
    expect(rows).toEqual([{ new_values: { module: 'mfe-water', permission: 'water.view' } }])
  })
})

test('a permission of a new version stays with its people, although a slow process still adds those of the version before', async () => {
  const follow = followModules(portal.context)
  await follow()
  const other = await portal.owner.connect()
  await other.query("begin; select pg_advisory_xact_lock(hashtext('access'))")
  const forest = { name: 'forest.view', label: { en: 'View trees', fr: 'Voir les arbres' } }
  await release(registry, health, cases, { name: 'mfe-forest', version: '1.0.0' })
  // This process has read the version that declares nothing, and waits for somebody who changes access.
  const slow = followModules(portal.context)()
  await untilLocked(portal.db.pool, { lock: 'advisory' })
  await release(registry, health, cases, { name: 'mfe-forest', version: '1.1.0', permissions: [forest] })
  // Another process has added its permission before.
  await other.query(
    `insert into permissions (name, module, label) values ('forest.view', 'mfe-forest', '{"en": "View trees", "fr": "Voir les arbres"}')`,
  )
  await other.query('commit')
  other.release()
  await slow
  const { rows } = await portal.owner.query("select dropped_at from permissions where name = 'forest.view'")
  expect(rows).toEqual([{ dropped_at: null }])
  await follow()
  expect(
    (await (await portal.signedInAs('Administrator')).get('/admin/permissions/list')).body.permissions,
  ).toContainEqual(expect.objectContaining({ name: 'forest.view' }))
})

test('a permission that its module drops allows nothing any more, shows as such, and is not granted again by its return', async () => {
  const follow = followModules(portal.context)
  const garden = (...names: string[]) => ({
    ...{ name: 'mfe-garden', version: `1.${names.length}.0` },
    permissions: names.map((name) => ({ name, label: { en: `May ${name}`, fr: `Peut ${name}` } })),
  })
  const live = async (...names: string[]) => {
    await release(registry, health, cases, garden(...names))
    await follow()
  }
  await live('garden.view', 'garden.water')
  const admin = await portal.signedInAs('Administrator')
  const idOf = async (name: string) =>
    (await admin.get('/admin/permissions/list')).body.permissions.find(
      (each: { name: string }) => each.name === name,
    )?.id
  const ids = [await idOf('garden.view'), await idOf('garden.water')]
  const made = (await admin.post('/admin/roles', { name: 'Role of gardeners' })).body.role
  await admin.post('/admin/permissions', { role_id: made.id, permissions: ids, version: made.version })
  const gardener = await portal.signedInAs('Role of gardeners')
  const held = async (who = gardener) => (await who.get('/session')).body.permissions
  expect(await held()).toEqual(['garden.view', 'garden.water'])

  await live('garden.view')
  expect(await held()).toEqual(['garden.view'])
  expect(await held(admin)).not.toContain('garden.water')
  const stored = async () => (await admin.get(`/admin/roles/${made.id}`)).body.role
  const dropped = await stored()
  expect(dropped).toMatchObject({
    permissions: [{ name: 'garden.view' }],
    dropped: [{ name: 'garden.water', label: { en: 'May garden.water' }, declared: false }],
  })
  expect(await idOf('garden.water')).toBeUndefined()
  const given = { role_id: made.id, permissions: ids, version: dropped.version }
  expect((await admin.post('/admin/permissions', given)).body.errors).toMatchObject({
    permissions: expect.anything(),
  })
  await migrate(portal.settings.databaseOwnerUrl ?? '', portal.settings.databaseUrl)
  expect(await held(admin)).not.toContain('garden.water')

  await live('garden.view', 'garden.water')
  expect(await held(admin)).toContain('garden.water')
  expect(await held()).toEqual(['garden.view'])
  const back = await stored()
  expect(back.dropped).toMatchObject([{ name: 'garden.water', declared: true }])
  const cleared = await admin.post('/admin/permissions', {
    ...given,
    permissions: ids.slice(0, 1),
    version: back.version,
  })
  expect(cleared.body.role).toMatchObject({ permissions: [{ name: 'garden.view' }], dropped: [] })
  const { rows } = await portal.owner.query(
    `select event, old_values, new_values from audits a join audit_values v on v.audit_id = a.id
      where event in ('permission dropped', 'permissions assigned') order by a.id desc limit 2`,
  )
  expect(rows).toMatchObject([
    { event: 'permissions assigned', old_values: { dropped: ['garden.water'] } },
    {
      event: 'permission dropped',
      old_values: { module: 'mfe-garden', permission: 'garden.water', roles: ['Role of gardeners'] },
    },
  ])
})

const visits = '/modules/mfe-health/records/visits'

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

/** A browser or a server without a session, with cookies of somebody that count for nothing. */
function serverOf(person: Client, token: string) {
  const client = new Client(portal.http, portal.settings.apiBase)
  for (const [name, value] of person.cookies) if (name !== 'XSRF-TOKEN') client.cookies.set(name, value)
  client.headers = { authorization: `Bearer ${token}`, 'accept-language': 'en' }
  return client
}

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

describe('notices of a module', () => {
  const fields = [
    { name: 'student', label: { en: 'Student', fr: 'Élève' }, type: 'text' },
    { name: 'date', label: { en: 'Date', fr: 'Date' }, type: 'day' },
    { name: 'nurse', label: { en: 'Nurse', fr: 'Infirmière' }, type: 'whole' },
  ]
  const told = {
    ...{ collection: 'visits', permission: 'health.view', link: '/admin/health?search={student}&visit={id}' },
    title: { en: 'Girl referred', fr: 'Élève orientée' },
    text: { en: '{student} was referred on {date}.', fr: '{student} a été orientée le {date}.' },
  }
  const telling = {
    ...{ ...health, version: '1.3.0', title: { en: 'Health', fr: 'Santé' } },
    collections: health.collections.map((each) => ({ ...each, fields })),
    notices: [
      { ...told, id: 'referred' },
      { ...told, id: 'yours', to: 'nurse' },
    ],
  }
  const path = '/modules/mfe-health/notices'
  const awa = { student: 'Awa Diallo', date: '2026-03-02' }
  beforeEach(async () => {
    await release(registry, telling, cases)
    await followModules(portal.context)()
  })

  test('a nurse tells who may read it, once for each version of the record; the mail names nobody', async () => {
    const nurse = await portal.signedIn(view, record)
    const doctor = await portal.signedIn(view)
    const clerk = await portal.signedIn('cases.view')
    await prefer(doctor, { modules: { 'mfe-health': { bell: true, mail: 'at-once' } } })
    const { id } = (await nurse.post(visits, { data: awa })).body.record
    const sent = await nurse.post(path, { notice: 'referred', record: id })
    expect(sent).toMatchObject({ status: 200, body: { message: 'One person was told.', people: 1 } })
    expect(await bellOf(doctor)).toMatchObject([
      {
        text: 'Health: Awa Diallo was referred on 2 Mar 2026.',
        link: `/admin/health?search=Awa%20Diallo&visit=${id}`,
      },
    ])
    expect(await mailsTo(portal, doctor)).toEqual(['Santé : Élève orientée'])
    expect([await bellOf(nurse), await bellOf(clerk)]).toEqual([[], []])
    expect((await nurse.post(path, { notice: 'referred', record: id })).body).toEqual({
      message: 'Nobody was told: everybody concerned knows of it already.',
      people: 0,
    })
    await nurse.put(`${visits}/${id}`, { data: { ...awa, date: '2026-03-03' }, version: 1 })
    expect((await nurse.post(path, { notice: 'referred', record: id })).body.people).toBe(1)
    const { rows } = await portal.owner.query(
      `select user_id, new_values from audits a join audit_values v on v.audit_id = a.id where event = 'people told' order by a.id`,
    )
    expect(rows).toHaveLength(2)
    expect(rows[0]).toEqual({
      user_id: nurse.user.id,
      new_values: { module: 'mfe-health', collection: 'visits', notice: 'referred', people: 1 },
    })
  })

  test('a notice to the account of a field reaches her alone, and nobody without the permission', async () => {
    const nurse = await portal.signedIn(record)
    const [one, other] = [await portal.signedIn(view), await portal.signedIn(view)]
    const clerk = await portal.signedIn('cases.view')
    for (const [who, people] of [
      [one, 1],
      [clerk, 0],
    ] as const) {
      const { id } = (await nurse.post(visits, { data: { ...awa, nurse: who.user.id } })).body.record
      expect((await nurse.post(path, { notice: 'yours', record: id })).body.people).toBe(people)
    }
    expect([(await bellOf(one)).length, (await bellOf(other)).length]).toEqual([1, 0])
  })

  test('a person switches the notices of a module off, and chooses for none that cannot reach her', async () => {
    const nurse = await portal.signedIn(record)
    const doctor = await portal.signedIn(view)
    const own = (await doctor.get('/notifications/preferences')).body
    expect(own).toEqual({
      preferences: { modules: { 'mfe-health': { bell: true, mail: 'digest' } } },
      titles: { 'mfe-health': { en: 'Health', fr: 'Santé' } },
    })
    await prefer(doctor, { modules: { 'mfe-health': { bell: false, mail: 'off' } } })
    const { id } = (await nurse.post(visits, { data: awa })).body.record
    await nurse.post(path, { notice: 'referred', record: id })
    expect(await bellOf(doctor)).toEqual([])
    const off = { modules: { 'mfe-health': { bell: false, mail: 'off' } } }
    expect((await nurse.put('/notifications/preferences', off)).status).toBe(422)
  })

  test('what is not declared, not written by the caller or more than a day may have, tells nobody', async () => {
    const nurse = await portal.signedIn(record)
    const doctor = await portal.signedIn(view)
    const { id } = (await nurse.post(visits, { data: awa })).body.record
    const unknown = await nurse.post(path, { notice: 'lottery', record: id })
    expect(unknown.body.errors.notice).toEqual([
      'The live version of the module declares no notice “lottery”.',
    ])
    expect((await nurse.post(path, { notice: 'referred', record: id + 1 })).status).toBe(404)
    expect((await doctor.post(path, { notice: 'referred', record: id })).status).toBe(403)
    expect((await nurse.post('/modules/mfe-cases/notices', { notice: 'referred', record: id })).status).toBe(
      422,
    )
    await portal.owner.query(
      "insert into module_notice_days values ('mfe-health', (now() at time zone 'utc')::date, 1000)",
    )
    const spent = await nurse.post(path, { notice: 'referred', record: id })
    expect(spent).toMatchObject({
      status: 429,
      body: { message: expect.stringContaining('may write 1000 lines a day') },
    })
    expect(await bellOf(doctor)).toEqual([])
  })

  test('a server tells people with its token, if that writes the collection', async () => {
    const admin = await portal.signedInAs('Administrator')
    const doctor = await portal.signedIn(view)
    const tokens = '/admin/modules/mfe-health/tokens'
    const feed = (await admin.post(tokens, { name: 'Feed', write: ['visits'], days: 30 })).body
    const reader = (await admin.post(tokens, { name: 'Copy', read: ['visits'], days: 30 })).body
    const { id } = (await serverOf(admin, feed.token).post(visits, { data: awa })).body.record
    expect((await serverOf(admin, reader.token).post(path, { notice: 'referred', record: id })).status).toBe(
      403,
    )
    expect((await serverOf(admin, feed.token).post(path, { notice: 'referred', record: id })).status).toBe(
      200,
    )
    expect(await bellOf(doctor)).toHaveLength(1)
    const { rows } = await portal.owner.query(
      `select user_id, new_values from audits a join audit_values v on v.audit_id = a.id where event = 'people told'`,
    )
    expect(rows).toMatchObject([{ user_id: null, new_values: { token: 'Feed', notice: 'referred' } }])
  })
})
