import { join } from 'node:path'
import { expect, test } from 'vitest'
import { keyCommands } from '../src/key-commands.ts'
import { openRegistry } from '../src/registry.ts'
import { diskStore } from '../src/store.ts'
import { emptyFolder, operator } from './operator.ts'
import { build, buildProduct, makeKey, startRegistry } from './test-registry.ts'

test('an operator adds a publisher’s key, retires it, and revokes what it signed', async () => {
  const folder = emptyFolder()
  const run = operator(folder, { PORTAL_DIST_DIR: buildProduct() })
  await run('release')
  const { kty, crv, x } = JSON.parse((await run('key:make')).output)
  const half = JSON.stringify({ kty, crv, x })
  const add = ['key:add', 'awa', '--person', 'Awa Keïta', '--modules', 'mfe-health', '--public', half]
  expect((await run(...add)).output).toBe(
    `Store: ${join(folder, 'registry')}\nawa of Awa Keïta may publish, promote, rollback, disable, pin mfe-health.`,
  )
  expect((await run(...add)).output).toMatch(/There is a key awa already, of Awa Keïta: choose another id/)
  expect((await run('key:add', 'x')).output).toMatch(/needs an id, --person, --public and --modules/)
  expect((await run('key:remove', 'awa')).output).toMatch(/signs nothing new/)
  expect((await run('key:list')).output).toMatch(/awa {2}Awa Keïta {2}mfe-health {2}retired/)
  expect((await run('revoke', '--key', 'awa', '--reason', 'stolen')).code).toBe(0)
  expect((await run('revoke', 'mfe-users', '0.1.0', '--reason', 'it leaks')).output).toMatch(
    /Revoked: mfe-users 0\.1\.0/,
  )
  const registry = openRegistry({ store: diskStore(join(folder, 'registry')) })
  expect((await registry.status()).modules[0]).toMatchObject({ state: 'withheld', withheld: 'revoked' })
  expect((await run('log')).output).toMatch(
    /operator: revoke {2}mfe-users 0\.1\.0: it leaks[\s\S]*operator: key:add {2}awa of Awa Keïta/,
  )
  expect((await run('dance')).output).toMatch(/^npm run registry -- <command>/)
})

test('an operator gives a key another module, withdraws one, and rotates the key; what it signed stays live', async () => {
  const { registry, person } = await startRegistry()
  const [awa, moussa] = [await person('Awa'), await person('Moussa')]
  await awa.publish(build())
  expect((await moussa.change('mfe-health', 'promote', { version: '1.0.0' })).status).toBe(200)
  const run = (name: string, id: string, given: { modules?: string; to?: string; public?: string } = {}) =>
    (keyCommands[name] as (typeof keyCommands)[string])(registry, [id], given).catch(
      (fault: Error) => fault.message,
    )
  const clinics = build('1.0.0', {
    ...{ name: 'mfe-clinics', routes: ['/admin/clinics'], preloads: { '/admin/clinics': ['page.js'] } },
    ...{ permission: 'users.view', permissions: [] },
  })
  const asked = await awa.publishOnly(clinics)
  expect(asked.body.message).toMatch(/add the module to it \(npm run registry -- key:grant\)/)

  expect(await run('key:grant', 'awa', { modules: 'Clinics' })).toMatch(/Clinics is no module/)
  expect(await run('key:grant', 'awa', { modules: 'mfe-clinics' })).toMatch(
    /awa of Awa is for mfe-clinics, mfe-health now, with the same rights/,
  )
  expect((await awa.publishOnly(clinics)).body).toMatchObject({ version: '1.0.0' })

  expect(await run('key:withdraw', 'awa', { modules: 'mfe-wells' })).toMatch(/not for mfe-wells/)
  expect(await run('key:withdraw', 'awa', { modules: 'mfe-health' })).toMatch(/stays good/)
  expect((await awa.publishOnly(build('1.1.0'))).status).toBe(403)
  const live = async () => (await registry.verified()).modules.find(({ name }) => name === 'mfe-health')
  expect(await live()).toMatchObject({ version: '1.0.0', withheld: null })

  const { kty, crv, x } = makeKey()
  const half = JSON.stringify({ kty, crv, x })
  expect(await run('key:rotate', 'awa')).toMatch(/needs an id, --to with the new id/)
  expect(await run('key:rotate', 'awa', { to: 'awa-2', public: half })).toMatch(
    /awa-2 of Awa may publish.* mfe-clinics\. awa signs nothing new/,
  )
  expect((await awa.publishOnly(clinics)).status).toBe(401)
  expect(await registry.keys.read('awa-2')).toMatchObject({ person: 'Awa', modules: ['mfe-clinics'] })
  expect(await run('key:rotate', 'awa', { to: 'awa-3', public: half })).toMatch(/was taken back/)
  const lines = (await registry.log.read()).filter(({ what }) => what.startsWith('key:'))
  expect(lines.map(({ by, what, message }) => [by, what, message])).toEqual([
    ['operator', 'key:rotate', 'awa of Awa is replaced by awa-2'],
    ['operator', 'key:withdraw', 'awa of Awa no longer for mfe-health'],
    ['operator', 'key:grant', 'awa of Awa for mfe-clinics too'],
  ])
})
