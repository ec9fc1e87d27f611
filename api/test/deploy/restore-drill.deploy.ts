import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { migrate } from '../../src/commands/migrate.ts'
import { caseStage, file, pdf } from '../cases/case-stage.ts'
import { clearLine } from '../database.ts'
import { addPeople, addRound } from '../people.ts'
import { type Portal, startPortal, until } from '../portal.ts'
import { startAgency } from '../transfers/agencies/agency.ts'
import { startDebianPostgres } from './debian-postgres.ts'
import { handed } from './handed.ts'

const scripts = join(import.meta.dirname, '../../../deploy/systemd')
const folder = mkdtempSync(join(tmpdir(), 'portal-drill-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))
const debian = await startDebianPostgres()
const agency = await startAgency()
afterAll(() => agency.close())

const run = (script: string, word: string, env: Record<string, string>) =>
  spawnSync(join(scripts, script), [word], { env, encoding: 'utf8' })

test('an operator backs up a portal in the middle of its payments, restores it elsewhere, and nobody is paid twice', async () => {
  const database = await debian.database('portal')
  await migrate(database.ownerUrl, database.appUrl)
  await clearLine(database.ownerUrl)
  const portal = await startPortal({ agencyHosts: [agency.host] }, database)
  const { officer } = await addPeople(portal.db, 200, agency.url)
  const { filer, form, fileCase } = await caseStage(portal)
  await fileCase(filer, { ...form, file: file('letter.pdf', pdf) })
  await agency.set({ latency_ms: 200 })
  await addRound(portal.db, officer, 200, 'Drilled list')
  const stop = await portal.worker()
  const paid = async (of: Portal) =>
    (await of.owner.query("select count(*)::int as n from transfer_payrolls where status = 'success'"))
      .rows[0].n
  await until(async () => (await paid(portal)) > 5, 60_000)

  // The list of the fixture has a row for its file, and no file.
  await portal.owner.query("update files set dropped_at = now() where name = 'list.xlsx'")

  const backups = join(folder, 'backups')
  mkdirSync(backups)
  const dataDir = portal.settings.dataDir
  const backedUp = run('backup.sh', backups, handed(folder, portal, database, dataDir))
  expect([backedUp.status, backedUp.stderr]).toEqual([0, ''])
  const [name = ''] = readdirSync(backups)
  await until(async () => (await paid(portal)) > 60, 60_000)
  await stop()
  const before = (await agency.ledger()).filter(({ executed }) => executed > 0).length

  const elsewhere = await debian.database('restored')
  const restoredDir = join(folder, 'restored')
  const env = handed(folder, portal, elsewhere, restoredDir)
  const restored = run('restore.sh', join(backups, name), env)
  process.stdout.write(restored.stdout)
  expect([restored.stderr, restored.status]).toEqual(['', 0])
  expect(restored.stdout).toMatch(/Restoring the database \.\.\.\n {4}\d+ s\n/)
  expect(restored.stdout).toMatch(/audit log: holds, \d+ linked rows/)
  expect(restored.stdout).toMatch(/ledger: holds, 1 approved lists, 200 payments/)
  expect(restored.stdout).toMatch(/files: holds, [1-9]\d* files compared with their hashes/)
  expect(existsSync(join(restoredDir, 'sending-mark.json'))).toBe(false)

  const again = run('restore.sh', join(backups, name), env)
  expect([again.status, again.stderr]).toEqual([
    1,
    expect.stringMatching(/^The database has \d+ tables already/),
  ])

  const copy = await startPortal({ agencyHosts: [agency.host], dataDir: restoredDir }, elsewhere)
  await copy.worker()
  const held = await until(async () => {
    const { rows } = await copy.owner.query('select reasons from sending_holds where released_at is null')
    return rows[0]
  })
  expect(held.reasons).toContain('mark_missing')
  const verified = execFileSync(process.execPath, ['api/src/commands/verify.ts'], { env, encoding: 'utf8' })
  expect(verified).toMatch(/\nsending: held until a person releases it \(.*mark_missing.*\)/)
  // The agencies are asked about what the backup does not know; what they paid meanwhile is known again.
  await until(async () => (await paid(copy)) >= before, 60_000)
  const ledger = await agency.ledger()
  expect(ledger.filter(({ executed }) => executed > 1)).toEqual([])
})
