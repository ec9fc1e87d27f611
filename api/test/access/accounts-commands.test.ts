import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { markEmpty } from '../../src/demo/marker.service.ts'
import { audit } from '../../src/kit/audit/audit.ts'
import { linkAudits } from '../../src/kit/audit/audit-chain.ts'
import { portal as system } from '../../src/kit/http/session.ts'
import { runCommand } from '../commands.ts'
import { startPortal } from '../portal.ts'

const portal = await startPortal()
const { db, owner, settings } = portal

const run = (name: string, words: string[], input = '') => runCommand(settings, name, words, input)

test('an operator makes the first administrator with a command, and repeats it to give her access again', async () => {
  const words = ['Chef@Test.example', 'Nana', 'Sow']
  expect(await run('admin-create', words, 'short\n')).toMatchObject({
    code: 1,
    err: 'A password has 12 to 200 characters.\n',
  })
  expect((await run('admin-create', ['no address', 'Nana', 'Sow'], 'x\n')).code).toBe(1)
  const made = await run('admin-create', words, 'une phrase assez longue\n')
  expect(made).toMatchObject({ code: 0, out: expect.stringContaining('can sign in as an administrator') })
  expect(made.out + made.err).not.toContain('une phrase')
  const client = await portal.visitor()
  const entered = await client.post('/login', {
    email: 'chef@test.example',
    password: 'une phrase assez longue',
  })
  expect(entered.body.session.permissions).toContain('permissions.assign')
  await owner.query(
    "update users set deactivated_at = now(), totp_secret = '\\x00', totp_confirmed_at = now()",
  )
  expect((await run('admin-create', words, 'une autre phrase longue\n')).code).toBe(0)
  expect((await client.get('/users/profile/details')).status).toBe(401)
  const again = await client.post('/login', {
    email: 'chef@test.example',
    password: 'une autre phrase longue',
  })
  expect(again.status).toBe(200)
})

test('an operator verifies the audit log with a command, which names the first broken row and exits with 1', async () => {
  const id = await db
    .transaction()
    .execute((tx) => audit(tx, system, 'updated', 'user', 77, { new: { first_name: 'Awa' } }))
  await linkAudits(db, settings.secret, null)
  const whole = await run('audit-verify', [])
  expect(whole).toMatchObject({
    code: 0,
    out: expect.stringMatching(/The audit log holds: \d+ linked rows, 0 not linked yet/),
  })
  const end = /Its end: (\d+:[0-9a-f]{72})\s/.exec(whole.out)?.[1] ?? ''
  expect((await run('audit-verify', [end])).code).toBe(0)
  expect((await run('audit-verify', ['later'])).code).toBe(1)
  expect((await run('audit-erase', ['user'])).code).toBe(1)
  expect((await run('audit-erase', ['user', '77'])).out).toContain(
    'The values of 1 audit rows about user 77 are gone',
  )
  await linkAudits(db, settings.secret, null)
  expect((await run('audit-verify', [end])).code).toBe(0)
  await owner.query(
    `begin; set local portal.maintenance = 'on'; update audits set user_id = 1 where id = ${id}; commit`,
  )
  expect(await run('audit-verify', [])).toMatchObject({
    code: 1,
    err: expect.stringContaining(`(audit row ${id}): the row was changed`),
  })
})

test('an operator gets no made-up target list of real people', async () => {
  await markEmpty(db)
  const out = join(settings.dataDir, 'list.csv')
  expect(await run('target-list', ['--rows', '1', '--out', out])).toMatchObject({
    code: 1,
    err: expect.stringContaining('This database holds no demo'),
  })
  expect(existsSync(out)).toBe(false)
})
