import { expect, test } from 'vitest'
import { emptyFolder, operator } from './operator.ts'
import { build, startRegistry } from './test-registry.ts'

test('an operator admits a build that waits, once, and reads why another one cannot be admitted', async () => {
  const { folder, registry, person } = await startRegistry()
  const awa = await person('Awa')
  for (const version of ['1.0.0', '1.1.0']) await awa.publishOnly(build(version))
  const run = operator(emptyFolder(), { PORTAL_REGISTRY_DIR: folder })
  const admit = (...words: string[]) => run('admit', ...words)
  const refused = (output: RegExp) => ({ code: 1, output: expect.stringMatching(output) })

  expect(await admit('mfe-health')).toMatchObject(refused(/admit needs a module and a version/))
  expect(await admit('mfe-health', '9.9.9')).toMatchObject(
    refused(/mfe-health 9\.9\.9 was never published; there are 1\.0\.0, 1\.1\.0\.$/),
  )
  expect(await admit('mfe-nothing', '1.0.0')).toMatchObject(
    refused(/mfe-nothing 1\.0\.0 was never published\.$/),
  )
  expect(await admit('mfe-users', '0.1.0')).toMatchObject(
    refused(/mfe-users is one of the portal's own modules: the release key admits it\.$/),
  )
  expect((await registry.waiting()).map(({ version }) => version)).toEqual(['1.1.0', '1.0.0'])

  expect(await admit('mfe-health', '1.0.0')).toEqual({
    code: 0,
    output: expect.stringMatching(
      /^Store: .*\nmfe-health 1\.0\.0 \([a-f0-9]{12}\) is admitted, and runs isolated: its team can promote it\.$/,
    ),
  })
  expect(await admit('mfe-health', '1.0.0')).toEqual({
    code: 0,
    output: expect.stringMatching(
      /mfe-health 1\.0\.0 \([a-f0-9]{12}\) was admitted already, by operator on \d{4}-\d\d-\d\d: trust and isolate decide where it runs\.$/,
    ),
  })
  const moussa = await person('Moussa')
  expect((await moussa.change('mfe-health', 'promote', { version: '1.0.0' })).status).toBe(200)

  const page = async () => [...(await registry.verified()).inPage].filter((each) => each.includes('health'))
  expect(await page()).toEqual([])
  expect((await run('trust', 'mfe-health', '1.0.0')).output).toMatch(
    /is trusted: it runs in the portal's page/,
  )
  expect(await page()).toHaveLength(1)
  expect((await run('isolate', 'mfe-health', '1.0.0')).output).toMatch(
    /runs isolated, in a frame of its own\.$/,
  )
  expect(await page()).toEqual([])
  expect((await run('trust', 'mfe-health', '1.1.0')).output).toMatch(
    /waits for admission: it is decided there\.$/,
  )

  await run('revoke', 'mfe-health', '1.1.0', '--reason', 'it leaks')
  expect(await admit('mfe-health', '1.1.0')).toMatchObject(
    refused(/mfe-health 1\.1\.0 was revoked by operator \(it leaks\): publish a new version\.$/),
  )
  expect((await registry.log.read()).filter(({ what }) => what === 'admit')).toHaveLength(1)
}, 120_000)

test('an operator removes a partner’s module, and what waited of it waits no longer', async () => {
  const { folder, registry, person } = await startRegistry()
  const [awa, moussa] = [await person('Awa'), await person('Moussa')]
  await awa.publish(build())
  await moussa.change('mfe-health', 'promote', { version: '1.0.0' })
  await awa.publishOnly(build('1.1.0'))
  const run = operator(emptyFolder(), { PORTAL_REGISTRY_DIR: folder })
  const live = async () => (await registry.now()).modules.map(({ name }) => name)

  expect((await run('remove')).output).toMatch(/remove needs a module/)
  expect(await run('remove', 'mfe-nothing')).toMatchObject({
    code: 1,
    output: expect.stringMatching(/There is no module mfe-nothing\.$/),
  })
  expect(await run('remove', 'mfe-users')).toMatchObject({
    code: 1,
    output: expect.stringMatching(/mfe-users is one of the portal's own modules/),
  })
  expect(await live()).toEqual(['mfe-health', 'mfe-users'])

  const gone =
    /mfe-health is no longer part of the portal \(generation 3\)\. Its builds stay published; none of them waits for admission any more\.$/
  expect(await run('remove', 'mfe-health')).toEqual({ code: 0, output: expect.stringMatching(gone) })
  expect(await live()).toEqual(['mfe-users'])
  expect(await registry.waiting()).toEqual([])
  expect((await moussa.change('mfe-health', 'promote', { version: '1.1.0' })).body.message).toBe(
    'mfe-health 1.1.0 was published before mfe-health was removed from the portal, and waits for nobody: raise the version in package.json, build and publish again.',
  )

  // A module that was never live is removed alike.
  await awa.publishOnly(build('1.2.0'))
  expect((await registry.waiting()).map(({ version }) => version)).toEqual(['1.2.0'])
  expect(await run('remove', 'mfe-health')).toEqual({ code: 0, output: expect.stringMatching(gone) })
  expect(await registry.waiting()).toEqual([])
  expect((await run('log')).output).toMatch(
    /operator: remove {2}mfe-health[\s\S]*operator: remove {2}remove mfe-health/,
  )
}, 120_000)
