import { execFile } from 'node:child_process'
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { audit } from '../../src/kit/audit/audit.ts'
import { linkAudits } from '../../src/kit/audit/audit-chain.ts'
import { keepAuditEnd } from '../../src/kit/audit/audit-end.ts'
import { portal as system } from '../../src/kit/http/session.ts'
import { startPortal } from '../portal.ts'

const portal = await startPortal()
const { db, owner, settings, context } = portal
const write = (id: number) => db.transaction().execute((tx) => audit(tx, system, 'created', 'school', id))
const link = () => linkAudits(db, settings.secret, null)
const file = join(settings.dataDir, 'audit-end.json')
const run = promisify(execFile)

/** Runs `npm run audit:verify` on this portal, without its launcher. */
async function verified(): Promise<{ code: number; output: string }> {
  const command = join(import.meta.dirname, '../../src/commands/audit-verify.ts')
  const env = {
    ...process.env,
    DATABASE_URL: settings.databaseUrl,
    PORTAL_DATA_DIR: settings.dataDir,
    PORTAL_DEMO: 'true',
  }
  return run(process.execPath, [command], { env }).then(
    ({ stdout }) => ({ code: 0, output: stdout }),
    (fault) => ({ code: fault.code, output: fault.stderr }),
  )
}
/** Runs SQL as somebody who owns the whole database. */
async function tamper(statement: string) {
  const client = await owner.connect()
  try {
    await client.query(`begin; set local portal.maintenance = 'on'; ${statement}; commit`)
  } finally {
    client.release()
  }
}

test('the application can neither delete the end of the chain, nor move it back, nor empty values of the log', async () => {
  const id = await write(1)
  await link()
  await expect(sql`delete from audit_head`.execute(db)).rejects.toThrow('permission denied')
  await expect(sql`truncate audit_head`.execute(db)).rejects.toThrow('permission denied')
  await expect(sql`update audit_head set position = 0`.execute(db)).rejects.toThrow('only moves forward')
  await expect(sql`select erase_audit_values(${id})`.execute(db)).rejects.toThrow('permission denied')
  await expect(owner.query('delete from audit_head')).rejects.toThrow('only moves forward')
})

test('an operator reads which rows are missing after the whole log was deleted with its end', async () => {
  for (const id of [2, 3]) await write(id)
  await link()
  expect(await keepAuditEnd(context)).toBeNull()
  expect(await verified()).toMatchObject({ code: 0 })
  const { position, audit_id } = JSON.parse(readFileSync(file, 'utf8').split('\n')[0] ?? '')
  expect(position).toBe(3)
  await tamper('truncate audit_values, audit_links, audits, audit_head')
  expect(await verified()).toMatchObject({
    code: 1,
    output: expect.stringContaining(`links 1 to ${position} are missing, up to audit row ${audit_id}`),
  })
  // The worker goes on with a new chain and keeps the proof.
  await write(4)
  await link()
  expect(await keepAuditEnd(context)).toMatch(`does not contain link ${position}`)
  expect(JSON.parse(readFileSync(file, 'utf8').split('\n')[0] ?? '').position).toBe(position)
  expect((await verified()).code).toBe(1)
  // Nor is the log whole once the new chain is as long as the old one.
  for (const id of [5, 6]) await write(id)
  await link()
  expect(await keepAuditEnd(context)).toMatch(`does not contain link ${position}`)
  expect((await verified()).code).toBe(1)
})

test('an operator reads that somebody changed the end that is kept outside the database', async () => {
  const text = readFileSync(file, 'utf8')
  writeFileSync(file, text.replace(/"position":\d+/, '"position":1'))
  expect(await keepAuditEnd(context)).toMatch('audit-end.json is damaged')
  expect(await verified()).toMatchObject({ code: 1, output: expect.stringContaining('audit-end.json') })
  writeFileSync(file, text)
})

test('a worker whose end of the chain is gone says so, and does not fail at every turn', async () => {
  await tamper('truncate audit_values, audit_links, audits, audit_head')
  await write(5)
  await link()
  await tamper('delete from audit_head')
  await write(6)
  expect(await link()).toMatchObject({ linked: 0 })
  rmSync(file, { force: true })
  expect(await keepAuditEnd(context)).toMatch('audit_head')
})
