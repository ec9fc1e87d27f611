import { mkdirSync, rmdirSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, expect, test } from 'vitest'
import { build } from '../../../deploy/registry/test/test-registry.ts'
import { untilLocked } from '../locks.ts'
import { startPortal } from '../portal.ts'
import { admissionStage, admissions } from './admission-stage.ts'

const portal = await startPortal()
const { firstBuildLive, publish } = admissionStage(portal)
const { registry } = portal.context
beforeEach(firstBuildLive)

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
