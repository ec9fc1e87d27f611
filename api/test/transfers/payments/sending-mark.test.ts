import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { renewLease, takeLease } from '../../../src/transfers/engine/agency-lease.service.ts'
import { claimPayments, recordLine } from '../../../src/transfers/engine/payments.service.ts'
import { haltCohort } from '../../../src/transfers/rounds/cohort-halt.service.ts'
import { type Mark, readMarkFile, writeMarkFile } from '../../../src/transfers/sending-hold/sending-mark.ts'
import { compareMarks } from '../../../src/transfers/sending-hold/sending-watch.jobs.ts'
import { addPeople, addRound } from '../../people.ts'
import { startPortal } from '../../portal.ts'

const portal = await startPortal()
const pool = portal.db.pool
const approver = await portal.account('Transfer Approver')
const endpoint = 'http://127.0.0.1:1'
const { officer } = await addPeople(portal.db, 5, endpoint)
const markFile = join(portal.settings.dataDir, 'sending-mark.json')
let cohorts = 0
const newRound = (size: number) => addRound(portal.db, officer, size, `Marked ${++cohorts}`)
await newRound(1)
await compareMarks(portal.context)

async function moveMark(change: (mark: Mark) => Partial<Mark>) {
  const file = await readMarkFile(portal.settings)
  if (file.kind !== 'read') throw new Error('there is no mark')
  await writeMarkFile(portal.settings, { ...file.mark, ...change(file.mark) })
}

test('sending is held when the mark outside the database is missing, changed or in the future', async () => {
  const reasons = async (before?: Awaited<ReturnType<typeof compareMarks>>) => {
    await compareMarks(portal.context, before)
    const { rows } = await pool.query<{ reasons: string[] }>(
      'update sending_holds set released_at = now(), released_by = $1 where released_at is null returning reasons',
      [approver.id],
    )
    return rows[0]?.reasons
  }
  expect(await reasons()).toBeUndefined()
  rmSync(markFile)
  expect(await reasons()).toEqual(['mark_missing'])
  const text = readFileSync(markFile, 'utf8')
  writeFileSync(markFile, text.replace(/"counter":\d+/, '"counter":1'))
  expect(await reasons()).toEqual(['mark_unreadable'])
  await moveMark((mark) => ({ at: mark.at + 86_400_000 }))
  expect(await reasons()).toEqual(['clock'])
  const before = await compareMarks(portal.context)
  expect(await reasons({ ...before, database: before.database - 3 * 3_600_000 })).toEqual(['clock'])
})

test('a worker claims no payment after its database server was replaced', async () => {
  const { round } = await newRound(3)
  const lease = await takeLease(pool, 'first')
  if (!lease) throw new Error('the agency was not to be had')
  const { agency_id } = lease
  const id = await recordLine(pool, {
    agency_id,
    endpoint,
    account: '',
    protocol: 'sandbox',
    version: 1,
  })
  const claim = () => claimPayments(pool, lease, { id, repeat_hours: 1 }, round, 1)
  expect(await claim()).toHaveLength(1)
  await pool.query("update sending_marks set incarnation = 'another server'")
  await expect(claim()).rejects.toThrow('taken over')
  const { rounds } = (await renewLease(pool, lease)) ?? { rounds: [] }
  expect(rounds.find(({ group_id }) => group_id === round)).toMatchObject({ may_send: false })
  await compareMarks(portal.context)
  expect(await claim()).toHaveLength(1)
  // The promoted server gave the same fencing token to another worker.
  await pool.query("update agency_leases set owner = 'somebody' where agency_id = $1", [agency_id])
  await expect(claim()).rejects.toThrow('taken over')
})

test('a worker that finds the account empty while sending is being held does not put the cohort into error', async () => {
  const { cohort } = await newRound(1)
  await pool.query('update agency_leases set owner = null, lease_until = null')
  const lease = await takeLease(pool, 'second')
  if (!lease) throw new Error('the agency was not to be had')
  const status = async () =>
    (await pool.query('select status, error_reason from transfer_cohorts where id = $1', [cohort])).rows[0]
  await moveMark((mark) => ({ counter: mark.counter + 50 }))
  await compareMarks(portal.context)
  await haltCohort(portal.db, lease, cohort, 'funds')
  expect(await status()).toEqual({ status: 'approved', error_reason: null })
  await pool.query(
    'update sending_holds set released_at = now(), released_by = $1 where released_at is null',
    [approver.id],
  )
  await pool.query('update agency_leases set owner = null, lease_until = null')
  const again = await takeLease(pool, 'third')
  if (!again) throw new Error('the agency was not to be had')
  await haltCohort(portal.db, again, cohort, 'funds')
  expect(await status()).toEqual({ status: 'error', error_reason: 'funds' })
})
