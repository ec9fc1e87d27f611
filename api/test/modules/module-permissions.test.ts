import { describe, expect, test } from 'vitest'
import { migrate } from '../../src/commands/migrate.ts'
import { followModules } from '../../src/modules/permissions.service.ts'
import { untilLocked } from '../locks.ts'
import { startPortal } from '../portal.ts'
import { cases, health, healthStage } from './health-stage.ts'
import { release } from './modules.ts'

const portal = await startPortal({ moduleRecords: 4 })
healthStage(portal)
const { registry } = portal.context

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
  const owners = (await admin.post('/admin/roles', { name: 'Role of owners' })).body.role
  await admin.post('/admin/permissions', { role_id: owners.id, permissions: ids, version: owners.version })
  const gardener = await portal.signedInAs('Role of gardeners')
  const permissionsOf = async (who = gardener) => (await who.get('/session')).body.permissions
  expect(await permissionsOf()).toEqual(['garden.view', 'garden.water'])

  await live('garden.view')
  expect(await permissionsOf()).toEqual(['garden.view'])
  expect(await permissionsOf(admin)).not.toContain('garden.water')
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
  expect(await permissionsOf(admin)).not.toContain('garden.water')

  await live('garden.view', 'garden.water')
  expect(await permissionsOf(admin)).toContain('garden.water')
  expect(await permissionsOf()).toEqual(['garden.view'])
  const back = await stored()
  expect(back.dropped).toMatchObject([{ name: 'garden.water', declared: true }])
  const cleared = await admin.post('/admin/permissions', {
    ...given,
    permissions: ids.slice(0, 1),
    version: back.version,
  })
  expect(cleared.body.role).toMatchObject({ permissions: [{ name: 'garden.view' }], dropped: [] })
  // Nobody has seen the other role, so it still shows what it lost.
  expect((await admin.get(`/admin/roles/${owners.id}`)).body.role.dropped).toMatchObject([
    { name: 'garden.water' },
  ])
  const { rows } = await portal.owner.query(
    `select event, old_values, new_values from audits a join audit_values v on v.audit_id = a.id
      where event in ('permission dropped', 'permissions assigned') order by a.id desc limit 2`,
  )
  expect(rows).toMatchObject([
    { event: 'permissions assigned', old_values: { dropped: ['garden.water'] } },
    {
      event: 'permission dropped',
      old_values: {
        module: 'mfe-garden',
        permission: 'garden.water',
        roles: ['Role of gardeners', 'Role of owners'],
      },
    },
  ])
})
