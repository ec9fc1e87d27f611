import { appendFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Entry } from '@portal/registry/schemas'
import { openModule } from './expect-state.ts'
import { disableLedgers, newModule, refused, shows } from './ledger-modules.ts'
import { entryOf, makeProbe, owner, type Probe } from './probe.ts'
import { liveGeneration, operator, publisher, registryFolder, team } from './publisher.ts'
import { expect, expectRestAlive, test } from './test.ts'

test.afterEach(disableLedgers)

/** Somebody who can write into the store makes an entry of it live, past the registry. */
async function forge(change: (entry: Entry) => Entry, probe: Probe): Promise<void> {
  const live = await operator.now()
  const modules = live.modules.map((entry) => (entry.name === probe.record.name ? change(entry) : entry))
  const next = { ...live, generation: live.generation + 1, what: 'promote', by: 'An intruder', modules }
  const file = join(registryFolder, 'generations', `${String(next.generation).padStart(8, '0')}.json`)
  writeFileSync(file, JSON.stringify(next))
}

const forgeries: [string, (probe: Probe) => Promise<void>, string][] = [
  [
    'without a signature',
    (probe) => forge((entry) => ({ ...entry, signature: null }), probe),
    'Nobody has signed this version, so the portal does not run it.',
  ],
  [
    'signed with a key of another module',
    async (probe) => {
      const stranger = await publisher('Binta', ['mfe-of-others'])
      const signature = await stranger.signed(probe)
      await forge((entry) => ({ ...entry, signature }), probe)
    },
    'It was signed with a key that may not publish this module',
  ],
  [
    'with the signature of another build',
    (probe) => {
      const { name, title } = probe.record
      const forged = entryOf(makeProbe({ name, title, mark: 'forged' }))
      return forge((entry) => ({ ...forged, signature: entry.signature }), probe)
    },
    'It was signed with a key that may not publish this module',
  ],
  [
    'whose document was changed in the store',
    async (probe) => {
      const file = join(registryFolder, probe.record.base, 'build.json')
      appendFileSync(file, ' ')
      await forge((entry) => entry, probe)
    },
    'Its record in the registry is damaged, so the portal does not run it.',
  ],
]

for (const [what, attack, sentence] of forgeries) {
  test(`a person finds a build ${what} in the menu, and it does not run`, async ({ person }) => {
    const [probe] = newModule()
    const { release } = await team(probe.record.name)
    await release(probe)
    await attack(probe)
    const admin = await person('admin')
    const ran: string[] = []
    admin.on('request', (request) => ran.push(new URL(request.url()).pathname))
    await admin.goto('/home')
    await openModule(admin, { probe } as Parameters<typeof openModule>[1])
    await refused(admin, sentence)
    await refused(admin, `Module ${probe.record.name}, version 1.0.0, owned by ${owner.name}`)
    expect(ran.filter((path) => path.startsWith(`/modules/${probe.record.name}/`))).toEqual([])
    await expectRestAlive(admin)
  })
}

test('a person does not run a file that was changed in the store behind the registry', async ({
  person,
  expected,
}) => {
  expected.push(/Failed to find a valid digest/, /Failed to load resource/)
  const [probe] = newModule()
  const { release } = await team(probe.record.name)
  await release(probe)
  const folder = join(registryFolder, probe.record.base)
  for (const file of ['entry.js', 'entry.js.br', 'entry.js.gz']) rmSync(join(folder, file), { force: true })
  writeFileSync(join(folder, 'entry.js'), `${probe.files['entry.js']}globalThis.stolen = true`)
  const admin = await person('admin')
  await admin.goto(probe.route)
  await refused(admin, 'A file of it is not the one that was published, so none of it was run.')
  expect(await admin.evaluate(() => 'stolen' in globalThis)).toBe(false)
  await expectRestAlive(admin)
})

test('a person still gets the previous generation when the newest one is damaged', async ({ person }) => {
  const [probe, next] = newModule('1.0.0', '1.1.0')
  const { release } = await team(probe.record.name)
  await release(probe)
  const number = (await liveGeneration()) + 1
  writeFileSync(
    join(registryFolder, 'generations', `${String(number).padStart(8, '0')}.json`),
    '{"generation":',
  )
  const admin = await person('admin')
  await admin.goto(probe.route)
  await shows(admin, probe)
  await expectRestAlive(admin)
  await release(next!)
  await admin.goto(probe.route)
  await shows(admin, next!)
})
