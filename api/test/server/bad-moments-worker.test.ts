import { beforeAll, expect, test } from 'vitest'
import { cloneDatabase } from '../database.ts'
import { startPortal, until } from '../portal.ts'
import { startProxy } from '../proxy.ts'
import { addPlaces, addSchools } from '../registers/registers.ts'

const limits = {
  connections: 4,
  connectMs: 1_000,
  statementMs: 2_000,
  silentMs: 2_500,
  lockMs: 1_000,
  idleMs: 5_000,
}
const database = await cloneDatabase()
const proxy = await startProxy(database.appUrl)
const jobLimits = { connections: 20, connectMs: 1_000, silentMs: 4_000 }
const portal = await startPortal({ databaseUrl: proxy.url, callLimits: limits, jobLimits }, database)
const officer = await portal.signedIn('schools.view', 'schools.export')

beforeAll(async () => {
  await addPlaces(portal)
  await addSchools(portal)
  await portal.worker()
})

async function exported() {
  const asked = await until(async () => {
    const answer = await officer.post('/admin/schools/export', {})
    return answer.status === 202 && answer
  }, 60_000)
  const file = `/storage/exports/${asked.body.file_name}`
  return until(async () => (await officer.get(file)).status === 200, 60_000)
}
/** Whether every entry of the audit log is linked, which a worker does twice a second. */
const linked = () =>
  until(async () => {
    const { rows } = await portal.owner.query(
      'select count(*)::int as open from audits where id > (select coalesce(max(audit_id), 0) from audit_links)',
    )
    return rows[0].open === 0
  }, 60_000)

test('a person gets her export after the machine of the database has vanished and another one took its place', async () => {
  expect(await exported()).toBe(true)
  await linked()
  proxy.lose()
  expect(await exported()).toBe(true)
  await linked()
}, 200_000)

test('a job whose statement takes longer than the limit of silence is not cut', async () => {
  const { rows } = await portal.db.pool.query("select 'counted' as result from pg_sleep(9)")
  expect(rows).toEqual([{ result: 'counted' }])
})
