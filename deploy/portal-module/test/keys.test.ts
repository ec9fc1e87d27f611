import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startRegistry } from '../../registry/test/test-registry.ts'
import { makeModule, type TestModule } from './module.ts'

let module: TestModule
let text: string
beforeAll(async () => {
  module = await makeModule()
  await module.run(['key', 'awa', '--person', 'Awa Keïta'])
  text = readFileSync(join(module.dir, 'awa.key.json'), 'utf8')
}, 60_000)
afterAll(() => module.end())

test('a team signs in CI with a key that is a secret of the environment', async () => {
  const { app, registry } = await startRegistry()
  const half = JSON.parse(readFileSync(join(module.dir, 'awa.public.json'), 'utf8'))
  await registry.keys.add({
    ...{ id: 'awa', person: 'Awa Keïta', name: 'awa', public: half, modules: ['mfe-users'], retired: false },
    may: ['pin'],
  })
  const portal = await app.listen({ port: 0, host: '127.0.0.1' })
  const { output } = await module.run(['pin', 'mfe-users'], portal, { PORTAL_KEY: text })
  expect(output).toContain('stays as it is')
})

/** What a person may have put where the key belongs: none of it is a key, and all of it may contain one. */
const mistakes: [what: string, make: (secret: string) => string][] = [
  ['a key that was cut off', () => text.slice(0, -20)],
  ['a key without its id', () => JSON.stringify({ private: JSON.parse(text).private })],
  ['only the private part', (secret) => secret],
  ['a key in base64', () => Buffer.from(text).toString('base64')],
  ['a PEM', (secret) => `-----BEGIN PRIVATE KEY-----\n${secret}\n-----END PRIVATE KEY-----\n`],
  ['a private part that is damaged', (secret) => text.replace(secret, `${secret.slice(0, -3)}!`)],
]

test.each(mistakes)(
  'a team that gives %s as its key reads what to do, and no part of the key',
  async (what, make) => {
    const secret: string = JSON.parse(text).private.d
    const given = make(secret)
    const { code, output } =
      what === 'only the private part'
        ? await module.run(['publish', `--key=${given}`], undefined, { DEBUG: '1' })
        : await module.run(['publish'], undefined, { PORTAL_KEY: given })
    expect(code).toBe(1)
    expect(output).toContain('portal-module key makes one')
    for (const part of [secret.slice(0, 8), secret.slice(-12, -4), given.slice(0, 12).trim()])
      expect(output.includes(part), 'the output has a part of the key').toBe(false)
  },
)
