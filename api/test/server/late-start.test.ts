import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { runCommand, startCommand } from '../commands.ts'
import { cloneDatabase } from '../database.ts'
import { startPortal } from '../portal.ts'
import { startProxy } from '../proxy.ts'

const database = await cloneDatabase()
const proxy = await startProxy(database.appUrl)
const portal = await startPortal({ databaseUrl: proxy.url }, database)
const owner = Object.assign(new URL(database.ownerUrl), { port: new URL(proxy.url).port })
const place = `127.0.0.1:${owner.port}`
const settings = { ...portal.settings, databaseOwnerUrl: owner.toString() }
const production = {
  PORTAL_DEMO: 'false',
  PORTAL_PUBLIC_URL: 'https://portal.example.org',
  PORTAL_SECRET: readFileSync(join(portal.settings.dataDir, 'secret'), 'utf8'),
}
const prepare = (more: Record<string, string>) =>
  runCommand(settings, 'prepare', [], '', { ...production, ...more })

test('an operator whose database comes five seconds late after a power cut finds it prepared, and reads what was waited for', async () => {
  proxy.away()
  const child = startCommand(settings, 'prepare', [], production)
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk) => {
      // The machine of the database boots from the moment at which the portal has missed it.
      if (!output) setTimeout(() => proxy.open(), 5_000)
      output += chunk
    })
  const code = await new Promise((resolve) => child.on('close', resolve))
  expect({ code, output }).toEqual({
    code: 0,
    output: expect.stringMatching(
      new RegExp(
        `^(Waiting for the database at ${place}, 600 s at most: .+\\n)+The database at ${place} answers, after \\d+ s\\.\\n$`,
      ),
    ),
  })
})

test('an operator whose database does not come at all is told so after the limit', async () => {
  proxy.away()
  const { code, err } = await prepare({ PORTAL_START_SECONDS: '1' })
  expect({ code, err }).toEqual({
    code: 1,
    err: expect.stringMatching(
      new RegExp(`^The database at ${place} did not answer within 1 s \\(.+\\)\\. Nothing was done\\.\\n$`),
    ),
  })
})

/** The address with a role that the database does not know. */
const wrong = (url: string | URL) =>
  Object.assign(new URL(url), { username: 'nobody_here', password: 'x' }).toString()
const refusal = (setting: string) =>
  new RegExp(
    `^The database at ${place} refuses ${setting} \\(.*nobody_here.*\\): check role, password and name of the database in it\\.\\n$`,
  )

test.each([
  ['prepare', 'prepare', [], 'DATABASE_OWNER_URL', { DATABASE_OWNER_URL: wrong(owner) }],
  ['prepare', 'prepare', [], 'DATABASE_URL', { DATABASE_URL: wrong(proxy.url) }],
  ['the check of the ledger', 'ledger-verify', [], 'DATABASE_URL', { DATABASE_URL: wrong(proxy.url) }],
  ['erasures', 'person-erase', ['--approved'], 'DATABASE_OWNER_URL', { DATABASE_OWNER_URL: wrong(owner) }],
  ['the api', 'main', [], 'DATABASE_URL', { DATABASE_URL: wrong(proxy.url), PORTAL_ROLE: 'api', PORT: '0' }],
  ['the worker', 'main', [], 'DATABASE_URL', { DATABASE_URL: wrong(proxy.url), PORTAL_ROLE: 'worker' }],
] as const)(
  'an operator of %s whose database refuses the role is told at once which setting it is',
  async (_, name, words, setting, more) => {
    proxy.open()
    const { code, out, err } = await runCommand(settings, name, [...words], '', { ...production, ...more })
    expect({ code, out, err }).toEqual({ code: 1, out: '', err: expect.stringMatching(refusal(setting)) })
  },
)
