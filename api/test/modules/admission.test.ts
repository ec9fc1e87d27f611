import { expect, test } from 'vitest'
import { publishRelease } from '../../../deploy/registry/src/release.ts'
import { startS3 } from '../../../deploy/registry/test/s3-server.ts'
import { build, buildProduct, makeKey } from '../../../deploy/registry/test/test-registry.ts'
import { tellOfWaitingBuilds } from '../../src/modules/waiting-builds.service.ts'
import { bellOf, letterWith, linesAt, mailsTo } from '../letters/notices.ts'
import { startPortal, until } from '../portal.ts'
import { admissionStage, admissions, waiting } from './admission-stage.ts'

const portal = await startPortal()
const { publish, promote } = admissionStage(portal)
const { registry } = portal.context

test('an administrator reads what a partner’s build adds, admits it, and only then its team makes it live', async () => {
  await publishRelease(registry, buildProduct(), { id: 'release-test', jwk: makeKey() })
  const made = await publish(build())
  await expect(promote(made)).rejects.toThrow('mfe-health 1.0.0 waits for admission')

  const admin = await portal.signedIn('modules.manage', 'modules.admit')
  const { builds } = (await admin.get(waiting)).body
  expect(builds).toMatchObject([
    {
      ...made,
      person: 'Awa Keïta',
      key: 'awa',
      owner: { name: 'Health team', contact: 'health@partner.example' },
      admitted: null,
      parts: [
        { kind: 'route', value: '/admin/health', change: 'new' },
        { kind: 'permission', value: 'health.view', change: 'new' },
      ],
    },
  ])
  const admitted = await admin.post(admissions(made.name), { build: made.build })
  expect(admitted).toMatchObject({
    status: 200,
    body: { message: 'Version admitted. Its team can make it live now.' },
  })
  // Doing it again changes nothing.
  expect((await admin.post(admissions(made.name), { build: made.build })).status).toBe(200)
  expect((await admin.get(waiting)).body.builds).toEqual([])
  const { rows } = await portal.owner.query(
    "select event, user_id, new_values from audits a join audit_values v on v.audit_id = a.id where auditable_type = 'module'",
  )
  expect(rows).toEqual([
    {
      event: 'admitted',
      user_id: admin.user.id,
      new_values: {
        module: 'mfe-health',
        version: '1.0.0',
        build: made.build,
        published_by: 'Awa Keïta',
        key: 'awa',
        runs: 'isolated',
      },
    },
  ])
  await promote(made)
  expect((await registry.now()).modules.map(({ name }) => name)).toEqual(['mfe-health', 'mfe-users'])
})

test('an administrator waits for a slow store, and whatever she admits, trusts and disables is in the log', async () => {
  const server = await startS3()
  const { endpoint, bucket, state } = server
  const slow = await startPortal({
    registryBucket: { endpoint, bucket, region: 'eu-west-1', key: 'key', secret: 'hidden', pathStyle: true },
    callLimits: { ...portal.settings.callLimits, idleMs: 1_000 },
  })
  const elsewhere = slow.context.registry
  await publishRelease(elsewhere, buildProduct(), { id: 'release-test', jwk: makeKey() })
  const made = await publish(build(), '{}', elsewhere)
  const admin = await slow.signedIn('modules.manage', 'modules.admit')
  // The store answers when the transaction has been idle for longer than a call's may be, or was ended for that.
  state.before = async (call) => {
    if (!/^PUT (admitted|generations)/.test(call)) return
    await until(async () => {
      const { rowCount } = await slow.db.pool.query(
        `select from pg_stat_activity where state = 'idle in transaction' and datname = current_database()
           and clock_timestamp() - state_change < interval '2 seconds'`,
      )
      return rowCount === 0
    })
  }
  expect((await admin.post(admissions(made.name), { build: made.build })).status).toBe(200)
  const { generation } = await elsewhere.now()
  await elsewhere.changes.promote({ by: 'Moussa Sarr', generation, ...made })
  const trust = { build: made.build, trusted: true }
  expect((await admin.put(`/admin/modules/${made.name}/trust`, trust)).status).toBe(200)
  const disable = { action: 'disable', generation: (await elsewhere.now()).generation }
  expect((await admin.put(`/admin/modules/${made.name}`, disable)).status).toBe(200)
  const { rows } = await slow.owner.query(
    "select event from audits where auditable_type = 'module' order by id",
  )
  expect(rows.map(({ event }) => event)).toEqual(['admitted', 'trusted', 'disabled'])
}, 60_000)

test('nobody admits a build who signed in long ago, may not manage modules, or names one that does not exist', async () => {
  const made = await publish(build('1.1.0'))
  const admin = await portal.signedIn('modules.manage', 'modules.admit')
  expect((await admin.post(admissions(made.name), { build: '000000000000' })).status).toBe(404)
  expect((await admin.post(admissions('mfe-nothing'), { build: made.build })).status).toBe(404)
  // Names that are no names: a browser, or a script of somebody, sends what it likes.
  expect((await admin.post(admissions('%2e%2e'), { build: made.build })).status).toBe(404)
  expect((await admin.post(admissions(made.name), { build: '../x' })).status).toBe(404)
  const odd = ['..', 'a/../b', ' '].map((build) => ({
    ...{ kind: 'load', module: made.name, version: '1.0.0', build, ms: 9, bytes: 9, page: '/admin/health' },
  }))
  expect((await admin.post('/modules/reports', { reports: odd })).status).toBe(200)
  const officer = await portal.signedInAs('School Officer')
  expect((await officer.post(admissions(made.name), { build: made.build })).status).toBe(403)
  expect((await officer.get(waiting)).status).toBe(403)
  await portal.owner.query("update sessions set created_at = now() - interval '6 minutes'")
  const late = await admin.post(admissions(made.name), { build: made.build })
  expect(late).toMatchObject({ status: 403, body: { reauthenticate: true } })
  await expect(promote(made)).rejects.toThrow('mfe-health 1.1.0 waits for admission')
})

test('an administrator is told once of a build that waits, on the bell, by mail and at home, until it was admitted', async () => {
  const admin = await portal.signedInAs('Administrator')
  const english = await portal.signedIn('modules.manage', 'modules.admit')
  await portal.owner.query("update users set locale = 'en' where id = $1", [english.user.id])
  const officer = await portal.signedInAs('School Officer')
  const made = await publish(build('1.2.0'))
  // Two workers look at the same time, and again later.
  await Promise.all([tellOfWaitingBuilds(portal.context), tellOfWaitingBuilds(portal.context)])
  await tellOfWaitingBuilds(portal.context)
  const link = `/admin/modules?build=${made.build}`
  const sentence = '"School health" 1.2.0 of Health team waits for admission.'
  expect(await linesAt(english, link)).toEqual([sentence])
  expect(await linesAt(admin, link)).toHaveLength(1)
  expect(await bellOf(officer)).toEqual([])
  const subject = 'A new version of mfe-health waits for admission: '
  expect(await mailsTo(portal, english)).toEqual([`${subject}1.1.0.`, `${subject}1.2.0.`])
  expect(await mailsTo(portal, officer)).toEqual([])
  await portal.worker()
  const letter = await letterWith(portal, admin, link)
  expect(letter).toContain('Une nouvelle version de mfe-health attend une admission\u00a0: 1.2.0.')
  expect(letter).toContain(`${portal.settings.publicUrl}${link}\n`)

  const atHome = async (who: typeof admin) => (await who.get('/home/waiting')).body.builds
  const oldest = { title: { en: 'School health', fr: 'School health' }, version: '1.1.0' }
  expect(await atHome(admin)).toMatchObject({ count: 2, oldest })
  expect(await atHome(officer)).toEqual({ count: 0, oldest: null })

  // An admission under Modules takes it off every bell. The version before it no longer waits, too.
  await admin.post(admissions(made.name), { build: made.build })
  expect(await atHome(admin)).toEqual({ count: 0, oldest: null })
  expect(await linesAt(english, link)).toEqual([])
  await tellOfWaitingBuilds(portal.context)
  expect((await english.get('/notifications')).body).toMatchObject({ unread: 0, notifications: { data: [] } })
  // An admission by the operator is noticed by the worker.
  const next = await publish(build('1.3.0'))
  await tellOfWaitingBuilds(portal.context)
  expect(await bellOf(admin)).toMatchObject([{ link: `/admin/modules?build=${next.build}` }])
  await registry.admit({ by: 'operator', name: next.name, build: next.build })
  await tellOfWaitingBuilds(portal.context)
  expect(await bellOf(admin)).toEqual([])
})

test('an administrator cannot admit a build whose address another module has by now, and nothing is audited', async () => {
  const made = await publish(build('1.0.0', { name: 'mfe-wells', permission: undefined, permissions: [] }))
  const admin = await portal.signedIn('modules.manage', 'modules.admit')
  expect(await admin.post(admissions(made.name), { build: made.build })).toMatchObject({
    status: 409,
    body: {
      message: expect.stringMatching(
        /^This version cannot be admitted\. For its team: \/admin\/health belongs to mfe-health/,
      ),
    },
  })
  const { rowCount } = await portal.owner.query("select from audits where auditable_type = 'module'")
  expect(rowCount).toBe(0)
})

test('an administrator cannot roll back to a build that was never admitted, and reads what to do', async () => {
  const [admitted] = (await registry.builds.list('mfe-health')).filter(({ version }) => version === '1.0.0')
  const made = (await registry.builds.ofVersion('mfe-health', '1.1.0'))!
  await registry.admit({ by: 'administrator', name: made.name, build: made.build })
  await promote(made)
  await registry.store.remove(`admitted/mfe-health/${admitted?.build}.json`)
  const admin = await portal.signedIn('modules.manage', 'modules.admit')
  const { generation } = (await admin.get('/admin/modules')).body
  const refused = await admin.put('/admin/modules/mfe-health', { action: 'rollback', generation })
  expect(refused).toMatchObject({
    status: 409,
    body: { message: 'Version 1.0.0 has not been admitted. Admit it under Modules first, then roll back.' },
  })
  expect((await admin.get(waiting)).body.builds).toContainEqual(
    expect.objectContaining({
      name: 'mfe-health',
      version: '1.0.0',
      live: { version: '1.1.0', newer: true },
    }),
  )
})
