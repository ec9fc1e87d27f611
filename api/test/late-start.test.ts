import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { runCommand, startCommand } from './commands.ts'
import { cloneDatabase } from './database.ts'
import { startPortal } from './portal.ts'
import { startProxy } from './proxy.ts'

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

test('an operator with a wrong password is told so at once', async () => {
  proxy.open()
  const wrong = Object.assign(new URL(owner), { username: 'nobody_here', password: 'x' })
  const { code, out, err } = await prepare({ DATABASE_OWNER_URL: wrong.toString() })
  expect({ code, out }).toEqual({ code: 1, out: '' })
  expect(err).toMatch(/nobody_here/)
})
