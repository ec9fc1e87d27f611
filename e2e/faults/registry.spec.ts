import { existsSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { startFullRegistry } from './full-disk.ts'
import { disableLedgers, newModule, refused, shows } from './ledger-modules.ts'
import { makeProbe, newName, owner } from './probe.ts'
import { admit, liveGeneration, operator, publisher, registryFolder, team } from './publisher.ts'
import { expect, expectRestAlive, goBy, reference, test } from './test.ts'

test.afterEach(disableLedgers)

test('a person gets what a partner publishes within ten seconds, and loses it within one', async ({
  person,
}) => {
  const [first, second] = newModule('1.0.0', '1.1.0')
  const { name } = first.record
  const { awa, moussa, release } = await team(name)
  await release(first)
  const admin = await person('admin')
  await admin.goto(first.route)
  await shows(admin, first)

  const sent = Date.now()
  expect(await awa.publish(second!)).toMatchObject({ status: 201 })
  const promoted = await moussa.change(name, 'promote', { version: '1.1.0' })
  expect(promoted).toMatchObject({ status: 200 })
  await admin.goto(first.route)
  await shows(admin, second!)
  const toLive = Date.now() - sent
  expect(toLive).toBeLessThan(10_000)

  const asked = Date.now()
  const back = await moussa.change(name, 'rollback')
  expect(back).toMatchObject({ status: 200 })
  const document = await admin.request.get(first.route)
  const toBack = Date.now() - asked
  expect(await document.text()).toContain(first.record.base)
  expect(toBack).toBeLessThan(1000)
  await admin.goto(first.route)
  await shows(admin, first)
  console.log(`Publish to live: ${toLive} ms, page drawn. Rollback: ${toBack} ms until the next page.`)
})

test('a publisher cannot go live alone: a second person promotes', async ({ person }) => {
  const [probe] = newModule()
  const { awa } = await team(probe.record.name)
  expect(await awa.publish(probe)).toMatchObject({ status: 201 })
  const answer = await awa.change(probe.record.name, 'promote', { version: '1.0.0' })
  expect(answer.status).toBe(403)
  expect(answer.body.message).toContain('published by Awa; somebody else promotes it')
  const admin = await person('admin')
  await admin.goto('/home')
  await expect(admin.getByRole('navigation', { name: 'Main navigation' })).not.toContainText(
    probe.record.title.en,
  )
})

test('two teams chose one address: a person gets the first, and the second team reads whose address it is', async ({
  person,
}) => {
  const [first] = newModule()
  const other = newName('ledger')
  const routes = [`/admin/${other.slice(4)}`, first.route]
  const second = makeProbe({ name: other, title: first.record.title, more: { routes } })
  const [awa, binta] = [await publisher('Awa', [first.record.name]), await publisher('Binta', [other])]
  const moussa = await publisher('Moussa', [first.record.name, other])
  expect(await awa.publish(first)).toMatchObject({ status: 201 })
  expect(await binta.publish(second)).toMatchObject({ status: 201 })
  const promoted = await moussa.change(first.record.name, 'promote', { version: '1.0.0' })
  expect(promoted).toMatchObject({ status: 200 })
  const answer = await moussa.change(other, 'promote', { version: '1.0.0' })
  expect(answer.status).toBe(409)
  expect(answer.body.message).toContain(
    `${other} 1.0.0 cannot go live: ${first.route} belongs to ${first.record.name} (${owner.name})`,
  )
  const admin = await person('admin')
  await admin.goto(first.route)
  await shows(admin, first)
  await expectRestAlive(admin)
})

test('two people publish and promote at once: one goes live, the other is told what to do', async ({
  person,
}) => {
  const [hers, next] = newModule('1.0.0', '1.1.0')
  const { name } = hers.record
  const his = makeProbe({ name, title: hers.record.title, version: '1.0.0', mark: 'his' })
  const { awa, moussa } = await team(name)
  await Promise.all([awa.announce(hers), moussa.announce(his)])
  const commits = await Promise.all([awa.commit(hers), moussa.commit(his)])
  expect(commits.map(({ status }) => status).sort()).toEqual([201, 409])
  expect(commits.find(({ status }) => status === 409)?.body.message).toContain('raise the version')

  await admit(commits[0]?.status === 201 ? hers : his)
  const third = await publisher('Fanta', [name])
  expect(await third.publish(next!)).toMatchObject({ status: 201 })
  const seen = await liveGeneration()
  const promote = (version: string) => third.change(name, 'promote', { version, generation: seen })
  const other = await publisher('Oumar', [name])
  const both = await Promise.all([
    promote('1.0.0'),
    other.change(name, 'promote', { version: '1.1.0', generation: seen }),
  ])
  expect(both.map(({ status }) => status).sort()).toEqual([200, 409])
  const admin = await person('admin')
  await admin.goto(hers.route)
  await expect(admin.getByRole('heading', { name: 'Probe list' })).toBeVisible()
  await expectRestAlive(admin)
})

test('nobody can open a revoked build', async ({ person }) => {
  const [probe] = newModule()
  const { name, title } = probe.record
  const { moussa, release } = await team(name)
  await release(probe)
  const admin = await person('admin')
  await admin.goto(probe.route)
  await shows(admin, probe)
  const revoked = await moussa.change(name, 'revoke', { version: '1.0.0', reason: 'It shows too much.' })
  expect(revoked).toMatchObject({ status: 200 })
  await admin.goto('/home')
  await goBy(admin, title.en)
  await refused(admin, 'This version was withdrawn by those who publish it')
  await refused(admin, `Module ${name}, version 1.0.0, owned by ${owner.name} (${owner.contact}).`)
  await expect(admin.getByRole('main')).toContainText(reference)
  await expectRestAlive(admin)
})

test('a full disk during publishing leaves nothing of the build, and no visitor notices', async ({
  person,
}) => {
  const [first, second] = newModule('1.0.0', '1.1.0')
  const { name } = first.record
  const { moussa, release } = await team(name)
  await release(first)
  const full = await startFullRegistry(600)
  try {
    const fanta = await publisher('Fanta', [name], undefined, full.url)
    const answer = await fanta.publish(second!)
    expect(answer.status).toBe(507)
    expect(answer.body.message).toContain(
      `The portal's store is full: nothing of ${name} ${second!.record.build} was kept and nothing changed.`,
    )
  } finally {
    await full.stop()
  }
  expect(await operator.store.list(`modules/${name}/${second!.record.build}`)).toEqual([])
  const admin = await person('admin')
  await admin.goto(first.route)
  await shows(admin, first)
  await expectRestAlive(admin)
  const { awa } = await team(name)
  expect(await awa.publish(second!)).toMatchObject({ status: 201 })
  expect(await moussa.change(name, 'promote', { version: '1.1.0' })).toMatchObject({ status: 200 })
  await admin.goto(first.route)
  await shows(admin, second!)
})

test('a person uses the product while the store of the registry is gone, and reads that the module of a partner is missing', async ({
  person,
  expected,
}) => {
  expected.push(/Failed to load resource/, /SRI's integrity checks failed/, /Failed to find a valid digest/)
  const [probe] = newModule()
  const { release } = await team(probe.record.name)
  await release(probe)
  const admin = await person('admin')
  await admin.goto('/home')
  renameSync(registryFolder, `${registryFolder}.away`)
  try {
    await admin.goto('/home')
    await goBy(admin, probe.record.title.en)
    await refused(admin, 'did not load')
    await expectRestAlive(admin)
    expect(existsSync(join(registryFolder, 'current.json'))).toBe(false)
  } finally {
    rmSync(registryFolder, { recursive: true, force: true })
    renameSync(`${registryFolder}.away`, registryFolder)
  }
  await goBy(admin, probe.record.title.en)
  await shows(admin, probe)
  expect(readFileSync(join(registryFolder, probe.record.base, 'build.json'), 'utf8')).toBe(probe.text)
})
