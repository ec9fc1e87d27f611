import { createHash, createHmac } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { transaction } from '../../src/kit/database/db.ts'
import { checkInstallation } from '../../src/kit/process/installation.ts'
import { readSettings } from '../../src/kit/process/settings.ts'
import { addList, addPeople, addRound } from '../people.ts'
import { startPortal } from '../portal.ts'

const portal = await startPortal()
const elsewhere = mkdtempSync(join(tmpdir(), 'portal-elsewhere-'))
afterAll(() => rmSync(elsewhere, { recursive: true, force: true }))
const installation = '6b1f6f0e-8f5a-4f0e-9b57-2f6a3c1d0e11'
const cohortId = '0d9c2f6a-1111-4222-8333-444455556666'

test('a recipient’s payment has a reference and key computed from installation, cohort, list, round, student and number', async () => {
  await portal.owner.query('update installation_identity set id = $1', [installation])
  const { officer } = await addPeople(portal.db, 1, 'http://127.0.0.1:1')
  await portal.owner.query(`alter table transfer_cohorts alter column public_id set default '${cohortId}'`)
  const { round } = await addRound(portal.db, officer, 1, 'Vector')
  await portal.owner.query('insert into payment_attempts (payroll_id) select id from transfer_payrolls')
  const { rows } = await portal.owner.query(
    `select p.reference, a.idempotency_key as key, (select list_hash from transfer_cohorts) as list_hash from transfer_payrolls p join payment_attempts a on a.payroll_id = p.id
     where p.payroll_group_id = $1`,
    [round],
  )
  const secret = createHash('sha256').update(`portal payment keys ${installation}`).digest()
  const hmac = (...parts: unknown[]) => createHmac('sha256', secret).update(parts.join('\n')).digest('hex')
  const list_hash = '1c7c832e529755a186eded2a94b0f05b21b6f2e3f6162582611602f5da560833'
  const reference = hmac('reference', cohortId, list_hash, 1, 'KYS-000001').slice(0, 32)
  const digest = hmac('key', reference, 1)
  const key = `${digest.slice(0, 12)}8${digest.slice(13, 16)}a${digest.slice(17, 32)}`
  expect(rows).toEqual([
    {
      list_hash,
      reference,
      key: [key.slice(0, 8), key.slice(8, 12), key.slice(12, 16), key.slice(16, 20), key.slice(20)].join('-'),
    },
  ])
  expect({ reference, key }).toEqual({
    reference: '99fc7b75cc3f1a209c0a74232aa20c24',
    key: 'cab56f77c68e85e3a170a3f1e3950f88',
  })
})

test('nobody can change the reference of a payment, or choose the idempotency key of an attempt', async () => {
  await expect(portal.db.pool.query("update transfer_payrolls set reference = '1'")).rejects.toMatchObject({
    code: '23514',
  })
  const { rows } = await portal.owner.query('select idempotency_key from payment_attempts')
  const made = await portal.owner
    .query(
      'insert into payment_attempts (payroll_id, idempotency_key) select id, gen_random_uuid() from transfer_payrolls',
    )
    .catch((error) => error.code)
  // The trigger computes the key of the first attempt again, so the unique index refuses the second attempt.
  expect([made, rows.length]).toEqual(['23505', 1])
})

test('nobody can choose the reference of a new payment', async () => {
  await portal.owner.query(
    'alter table transfer_cohorts alter column public_id set default gen_random_uuid()',
  )
  const { rows: officers } = await portal.owner.query('select id from users order by id desc limit 1')
  const cohort = await transaction(portal.db, (tx) => addList(tx, officers[0].id, 1, 'Chosen'))
  await portal.owner.query(
    'insert into transfer_payroll_groups (cohort_id, n, due_on) values ($1, 1, now())',
    [cohort],
  )
  const pay = (reference: string) =>
    portal.db.pool.query(
      `insert into transfer_payrolls (payroll_group_id, master_list_id, receiver_first_name, receiver_last_name, receiver_phone_number,
        amount, fees, reference)
       select g.id, m.id, m.receiver_first_name, m.receiver_last_name, m.receiver_phone_number, m.amount, m.fees, ${reference}
       from transfer_payroll_groups g join transfer_master_list m on m.cohort_id = g.cohort_id where g.cohort_id = $1
       returning reference = payment_reference(payroll_group_id, master_list_id) as derived`,
      [cohort],
    )
  await expect(pay("repeat('a', 32)")).rejects.toMatchObject({ code: '23514' })
  await expect(pay('payment_reference(g.id, m.id)')).resolves.toMatchObject({
    rows: [{ derived: true }],
  })
})

test('a list that was approved before keeps its hash, whatever signs its names have', async () => {
  const { rows } = await portal.owner.query(`
    select n from generate_series(1, 12287) n
    where json_build_array(n, chr(n), null)::text <> jsonb_build_array(n, chr(n), null)::text`)
  expect(rows).toEqual([])
})

test('an operator whose database or settings belong to another installation than the data folder cannot start the portal', async () => {
  const settings = { dataDir: elsewhere, installation: undefined }
  expect(await checkInstallation(portal.db, settings)).toBe(installation)
  const file = join(elsewhere, 'installation')
  expect(readFileSync(file, 'utf8')).toBe(installation)
  expect(statSync(file).mode & 0o777).toBe(0o600)
  expect(await checkInstallation(portal.db, settings)).toBe(installation)
  await expect(
    checkInstallation(portal.db, { ...settings, installation: '00000000-0000-4000-8000-000000000000' }),
  ).rejects.toThrow(
    'PORTAL_INSTALLATION says 00000000-0000-4000-8000-000000000000, but the database belongs to the installation 6b1f6f0e',
  )
  writeFileSync(file, '00000000-0000-4000-8000-000000000001')
  await expect(checkInstallation(portal.db, settings)).rejects.toThrow(
    `The file ${file} says 00000000-0000-4000-8000-000000000001, but`,
  )
  await expect(portal.owner.query('update installation_identity set id = gen_random_uuid()')).rejects.toThrow(
    'never changes',
  )
  expect(() => readSettings({ DATABASE_URL: 'postgresql://x', PORTAL_INSTALLATION: 'ours' })).toThrow(
    'PORTAL_INSTALLATION is a UUID.',
  )
})

test('an administrator reads which installation this is, a transfer officer does not', async () => {
  const admin = await portal.signedInAs('Administrator')
  const officer = await portal.signedInAs('Transfer Officer')
  expect((await admin.get('/admin/transfers/settings')).body.installation).toBe(installation)
  expect((await officer.get('/admin/transfers/settings')).body.installation).toBeNull()
})
