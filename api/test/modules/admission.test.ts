import { mkdirSync, rmdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Permission } from '@portal/contracts/permissions'
import { beforeAll, beforeEach, expect, test } from 'vitest'
import { publishRelease } from '../../../deploy/registry/src/release.ts'
import { startS3 } from '../../../deploy/registry/test/s3-server.ts'
import {
  type Built,
  build,
  buildProduct,
  integrityOf,
  makeKey,
  passed,
  signBuild,
} from '../../../deploy/registry/test/test-registry.ts'
import { tellOfRises } from '../../src/modules/error-rises.service.ts'
import { followModules } from '../../src/modules/permissions.service.ts'
import { tellOfWaitingBuilds } from '../../src/modules/waiting-builds.service.ts'
import { bellOf, letterWith, linesAt, mailsTo } from '../letters/notices.ts'
import { untilLocked } from '../locks.ts'
import { startPortal, until } from '../portal.ts'

const portal = await startPortal()
const { registry } = portal.context
const key = { id: 'awa', jwk: makeKey() }

/** Publishes a partner's build, which nobody has admitted. */
async function publish({ details, record, files }: Built, maps = '{}', into = registry) {
  const { name, version, build } = details
  const signed = { name, version, build, integrity: integrityOf(record) }
  for (const [path, content] of Object.entries({ ...files, 'build.json': record, 'sources.map': maps }))
    await into.store.replace(`modules/${name}/${build}/${path}`, content)
  await into.builds.publish({
    ...{ ...signed, signature: await signBuild(key, signed), key: key.id, person: 'Awa Keïta' },
    ...{ at: new Date().toISOString(), release: false, checks: passed },
  })
  return { name, version, build }
}

const promote = async ({ name, version }: { name: string; version: string }) => {
  const { generation } = await registry.now()
  return registry.changes.promote({ by: 'Moussa Sarr', name, version, generation })
}

beforeAll(async () => {
  const { kty, crv, x } = key.jwk
  await registry.keys.add({
    ...{ id: key.id, person: 'Awa Keïta', name: key.id, public: { kty, crv, x } },
    ...{ modules: ['mfe-health', 'mfe-wells'], may: ['publish'], retired: false },
  })
})
beforeEach(() => portal.clear())

const waiting = '/admin/modules/waiting'
const admissions = (name: string) => `/admin/modules/${name}/admissions`

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

test('an administrator trusts a version, takes that back with her password, and the next version is isolated again', async () => {
  const admin = await portal.signedIn('modules.manage', 'modules.admit')
  const { name, build: now } = (await registry.now()).modules.find((each) => each.name === 'mfe-health')!
  const runs = async () => {
    const { modules } = (await admin.get('/admin/modules')).body
    const { versions } = (await admin.get(`/admin/modules/${name}/versions`)).body
    const listed = modules.find((module: { name: string }) => module.name === name)
    return [listed.runs, ...versions.map((version: { runs: string }) => version.runs)]
  }
  const decide = (trusted: boolean, who = admin) =>
    who.put(`/admin/modules/${name}/trust`, { build: now, trusted })
  expect(await runs()).toEqual(['isolated', 'isolated'])
  expect(await decide(true)).toMatchObject({
    status: 200,
    body: { message: 'Version trusted. It runs in the portal’s own page from now on.' },
  })
  expect(await runs()).toEqual(['trusted', 'trusted'])
  expect((await registry.verified()).inPage).toContain(`${name}/${now}`)
  const next = await publish(build('1.0.1'))
  await admin.post(admissions(name), { build: next.build })
  expect(await runs()).toEqual(['trusted', 'isolated', 'trusted'])

  const officer = await portal.signedInAs('School Officer')
  expect((await decide(false, officer)).status).toBe(403)
  await portal.owner.query("update sessions set created_at = now() - interval '6 minutes'")
  expect(await decide(false)).toMatchObject({ status: 403, body: { reauthenticate: true } })
  const fresh = await portal.signedIn('modules.manage', 'modules.admit')
  expect((await decide(false, fresh)).status).toBe(200)
  expect((await registry.verified()).inPage).not.toContain(`${name}/${now}`)
  const { rows } = await portal.owner.query(
    "select event, user_id from audits where auditable_type = 'module' and event in ('trusted', 'isolated') order by id",
  )
  expect(rows).toEqual([
    { event: 'trusted', user_id: admin.user.id },
    { event: 'isolated', user_id: fresh.user.id },
  ])
  expect((await fresh.get(`/admin/modules/${name}/changes`)).body.changes.slice(0, 2)).toMatchObject([
    { what: 'isolate' },
    { what: 'trust' },
  ])
  // The portal of this test has a second address. Without one, what is not trusted does not run.
  const { settings } = portal.context
  const { modulesAt } = settings
  settings.modulesAt = undefined
  expect((await fresh.get('/admin/modules')).body.modules).toContainEqual(
    expect.objectContaining({ name, state: 'withheld', withheld: 'isolated' }),
  )
  settings.modulesAt = modulesAt
})

test('a version that went live before there was a choice stays in the page, until somebody isolates it', async () => {
  const name = 'mfe-health'
  const { build: now } = (await registry.now()).modules.find((each) => each.name === name)!
  const before = { by: 'administrator Fatou', at: '2026-01-05T08:00:00.000Z' }
  await registry.store.replace(`admitted/${name}/${now}.json`, JSON.stringify(before))
  expect((await registry.verified()).inPage).toContain(`${name}/${now}`)
  const admin = await portal.signedIn('modules.manage', 'modules.admit')
  const decided = async () => {
    const { versions } = (await admin.get(`/admin/modules/${name}/versions`)).body
    return versions.find((version: { build: string }) => version.build === now)
  }
  expect(await decided()).toMatchObject({ runs: 'trusted', admitted_by: before.by, decided_by: null })
  await admin.put(`/admin/modules/${name}/trust`, { build: now, trusted: false })
  expect(await decided()).toMatchObject({
    runs: 'isolated',
    admitted_by: before.by,
    decided_by: expect.stringContaining('administrator Awa'),
  })
})

/** What the audit log says of modules. */
const auditsOfModules = async () =>
  (
    await portal.owner.query(
      "select event, user_id, new_values->>'runs' as runs from audits a join audit_values v on v.audit_id = a.id where auditable_type = 'module' order by a.id",
    )
  ).rows

/** Makes two calls that have both read the registry before one of them has changed anything. */
async function atTheSameMoment<T>(first: () => Promise<T>, second: () => Promise<T>): Promise<T[]> {
  const holder = await portal.owner.connect()
  await holder.query('begin; lock table audits in exclusive mode')
  try {
    const calls = []
    for (const [at, call] of [first, second].entries()) {
      calls.push(call())
      await untilLocked(portal.db.pool, { count: at + 1 })
    }
    await holder.query('commit')
    return await Promise.all(calls)
  } finally {
    holder.release()
  }
}

test('of two administrators who admit a version at the same moment, one decides where it runs and the other reads that', async () => {
  const made = await publish(build('1.0.2'))
  const [awa, fatou] = [
    await portal.signedIn('modules.manage', 'modules.admit'),
    await portal.signedIn('modules.manage', 'modules.admit'),
  ]
  const admit = (who: typeof awa, trusted: boolean) =>
    who.post(admissions(made.name), { build: made.build, trusted })
  const answers = await atTheSameMoment(
    () => admit(awa, false),
    () => admit(fatou, true),
  )
  expect(answers).toMatchObject([
    { status: 200 },
    {
      status: 409,
      body: {
        message:
          'Somebody else has admitted this version meanwhile, and it runs in a frame of its own. You can change where it runs in the list of versions.',
      },
    },
  ])
  expect(
    await registry.admissions.runs(made.name, await registry.builds.ofBuild(made.name, made.build)),
  ).toBe('isolated')
  expect(await auditsOfModules()).toEqual([{ event: 'admitted', user_id: awa.user.id, runs: 'isolated' }])
  // A second press of the button is not another decision.
  expect((await admit(awa, false)).status).toBe(200)
  expect((await admit(awa, true)).status).toBe(409)
  expect(await auditsOfModules()).toHaveLength(1)
})

test('two administrators who trust a version at the same moment are one decision in the log', async () => {
  const { build: now } = (await registry.builds.ofVersion('mfe-health', '1.0.2'))!
  const [awa, fatou] = [
    await portal.signedIn('modules.manage', 'modules.admit'),
    await portal.signedIn('modules.manage', 'modules.admit'),
  ]
  const trust = (who: typeof awa) => who.put('/admin/modules/mfe-health/trust', { build: now, trusted: true })
  const answers = await atTheSameMoment(
    () => trust(awa),
    () => trust(fatou),
  )
  expect(answers.map(({ status }) => status)).toEqual([200, 200])
  expect(await auditsOfModules()).toMatchObject([{ event: 'trusted', user_id: awa.user.id }])
})

test('an administrator whose decision broke off repeats it, and open pages follow although the file says it already', async () => {
  const { name, build: now } = (await registry.now()).modules.find((each) => each.name === 'mfe-health')!
  const admin = await portal.signedIn('modules.manage', 'modules.admit')
  const decide = (trusted: boolean) => admin.put(`/admin/modules/${name}/trust`, { build: now, trusted })
  await decide(true)
  const { generation } = await registry.now()
  // The next generation cannot be made, as if the process died before it.
  const next = join(
    portal.settings.registryDir,
    'generations',
    `${String(generation + 1).padStart(8, '0')}.json`,
  )
  mkdirSync(next)
  expect((await decide(false)).status).toBe(500)
  rmdirSync(next)
  expect(await auditsOfModules()).toMatchObject([{ event: 'trusted' }])
  expect((await decide(false)).status).toBe(200)
  // Both decisions are in the log, because the first one had reached the file.
  const decided = [{ event: 'trusted' }, { event: 'isolated' }, { event: 'isolated' }]
  expect(await auditsOfModules()).toMatchObject(decided)
  expect(await registry.now()).toMatchObject({ generation: generation + 1, what: 'isolate', module: name })
  expect((await decide(false)).status).toBe(200)
  expect((await registry.now()).generation).toBe(generation + 1)
  expect(await auditsOfModules()).toHaveLength(3)
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

test('a partner’s colleague sees how her module fares, which versions there are and where a page stopped, and nothing of others', async () => {
  await followModules(portal.context)()
  // Line 12, column 7 of page.js is line 42, column 3 of the page's source.
  const page = {
    version: 3,
    sources: ['src/visits/VisitsPage.tsx'],
    names: [],
    mappings: `${';'.repeat(11)}MAyCE`,
  }
  const maps = JSON.stringify({ 'page.js': page })
  const card = { id: 'due', title: { en: 'Visits due', fr: 'Visites à faire' }, order: 1 }
  const made = await publish(build('1.9.0', { cards: [card], maps: integrityOf(maps, 'sha256') }), maps)
  await registry.admit({ ...made, by: 'operator' })
  await promote(made)
  const { version, build: id } = made
  const visitor = await portal.signedIn('schools.view')
  const at = { module: 'mfe-health', version, build: id }
  const failure = {
    ...{ ...at, kind: 'error', reason: 'crash', reference: 'MF-WATCHED', message: 'no such thing' },
    path: '/admin/health',
    stack: [
      'TypeError: no visit of Awa Keïta',
      `    at t (https://portal.example/modules/mfe-health/${id}/page.js:12:7)`,
      'at Table (/assets/lib.1a2b.js?who=awa:1:9)',
    ].join('\n'),
  }
  const pages = ['/admin/health', '/admin/health', '/admin/health/12', '', '/cards/due', '/cards/12']
  const loads = pages.map((page) => ({
    ...at,
    kind: 'load',
    ms: page === '/cards/due' ? 90 : 400,
    bytes: 9,
    page,
  }))
  await visitor.post('/modules/reports', { reports: [...loads, failure] })
  const atHome = await portal.signedIn('schools.view')
  await atHome.post('/modules/reports', { reports: loads.filter(({ page }) => page === '/cards/due') })
  const watcher = await portal.signedIn('mfe-health.watch' as Permission)
  const { modules } = (await watcher.get('/admin/modules')).body
  expect(modules).toMatchObject([{ name: 'mfe-health', loads: 5, errors: 1 }])
  const read = async (what: string, who = watcher) =>
    (await who.get(`/admin/modules/mfe-health/${what}`)).body
  const { errors } = await read('errors')
  expect(errors.data).toMatchObject([{ reference: 'MF-WATCHED', user: null }])
  expect(errors.data[0].stack).toBe('at src/visits/VisitsPage.tsx:42:3\nat Table (/assets/lib.1a2b.js:1:9)')
  const admin = await portal.signedIn('modules.manage', 'modules.admit')
  expect((await read('errors', admin)).errors.data).toMatchObject([
    { user: expect.stringContaining('Diarra') },
  ])
  const usage = await read('usage')
  // Whoever was only shown a card has not used the module.
  expect(usage.weeks).toMatchObject([{ loads: 5, errors: 1, people: 1, load_ms_median: 400 }])
  // An address that no page of the build has is not kept: it may have the id of somebody.
  const { week } = usage.weeks[0]
  expect(usage.pages).toEqual([
    { page: '/admin/health', week, loads: 2 },
    { page: '/cards/due', week, loads: 2 },
  ])
  const { versions } = await read('versions')
  expect(versions.find((one: { build: string }) => one.build === id)).toMatchObject({
    ...{ version, state: 'live', person: 'Awa Keïta', admitted_by: expect.any(String) },
  })
  expect((await read('changes')).changes[0]).toMatchObject({ by: 'Moussa Sarr' })

  for (const what of ['errors', 'usage', 'versions', 'changes'])
    expect((await watcher.get(`/admin/modules/mfe-users/${what}`)).status).toBe(404)
  expect((await visitor.get('/admin/modules')).body.modules).toEqual([])
  expect((await visitor.get('/admin/modules/mfe-health/usage')).status).toBe(404)
  const { generation } = await registry.now()
  expect((await watcher.put('/admin/modules/mfe-health', { action: 'disable', generation })).status).toBe(403)
  expect((await watcher.get(waiting)).status).toBe(403)
})

test('whoever watches a module is told by bell and mail when its errors rise, once a day', async () => {
  await followModules(portal.context)()
  const watcher = await portal.signedIn('mfe-health.watch' as Permission)
  const other = await portal.signedIn('schools.view')
  const happened = (count: number, who: typeof watcher, ago: string) =>
    portal.owner.query(
      `insert into module_reports (kind, module, version, build, reason, reference, message, path, user_id, created_at)
        select 'error', 'mfe-health', '1.0.0', '0123456789ab', 'crash', 'MF-' || $1::bigint || '-' || n, 'no', '/admin/health', $1::bigint, now() - $3::interval
        from generate_series(1, $2::int) n`,
      [who.user.id, count, ago],
    )
  await happened(6, watcher, '10 minutes')
  await tellOfRises(portal.context)
  expect(await bellOf(watcher)).toEqual([])

  await happened(2, other, '20 minutes')
  await Promise.all([tellOfRises(portal.context), tellOfRises(portal.context)])
  await tellOfRises(portal.context)
  const link = '/admin/modules?module=mfe-health'
  const text = '"School health" had 8 errors in the last hour, for 2 people. In the 24 hours before it had 0.'
  expect(await linesAt(watcher, link)).toEqual([text])
  expect(await bellOf(other)).toEqual([])
  const subjects = await mailsTo(portal, watcher)
  expect(subjects).toEqual([
    'Les erreurs du module mfe-health augmentent\u00a0: 8 au cours de la dernière heure, 0 dans les 24 heures d’avant.',
  ])
})
