import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { connectionsOf } from '../../src/kit/database/connections.ts'
import { readSettings } from '../../src/kit/process/settings.ts'
import { startPortal, until } from '../portal.ts'

const root = join(import.meta.dirname, '../../..')
const read = (path: string) => readFileSync(join(root, path), 'utf8')
const settingsOf = (role: string, more: Record<string, string> = {}) =>
  readSettings({
    DATABASE_URL: 'postgresql://portal_app:x@database/portal',
    PORTAL_DEMO: 'true',
    PORTAL_ROLE: role,
    PORTAL_MACHINE_PORT: '9101',
    ...more,
  })
const [api, worker] = [connectionsOf(settingsOf('api')), connectionsOf(settingsOf('worker'))]

test('an operator reads everywhere how many connections a process takes, as the code has it', () => {
  const page = read('docs/settings.md')
  expect(page).toContain(`An api has ${api - settingsOf('api').callLimits.connections} more`)
  expect(page).toContain(`A worker has ${worker - settingsOf('worker').jobLimits.connections} more`)
  const both = `An api takes ${api}, a worker ${worker}: two of each ${2 * (api + worker)}`
  for (const file of ['deploy/systemd/patroni.yml', 'docs/decisions/0135-poolers-are-refused.md'])
    expect(read(file), file).toContain(both)
  for (const [file, limit] of [
    ['deploy/systemd/patroni.yml', /max_connections: (\d+)/],
    ['deploy/helm/database.yaml', /max_connections: "(\d+)"/],
  ] as const)
    expect(Number(limit.exec(read(file))?.[1]), file).toBeGreaterThan(2 * (api + worker))
  // PostgreSQL's own limit is 100, which one server of each kind is below.
  expect(api + worker).toBeLessThan(90)
})

test('an operator decides by settings how many connections calls and jobs take', () => {
  const more = { PORTAL_DB_CONNECTIONS: '50', PORTAL_DB_JOB_CONNECTIONS: '30' }
  expect(connectionsOf(settingsOf('api', more))).toBe(api + 30)
  expect(connectionsOf(settingsOf('worker', more))).toBe(worker + 10)
})

test('a worker with much to do takes no more connections than its operator was told', async () => {
  const given = settingsOf('worker')
  const portal = await startPortal({ role: 'worker', jobLimits: { ...given.jobLimits, connections: 5 } })
  const most = connectionsOf({ ...given, jobLimits: { ...given.jobLimits, connections: 5 } })
  await portal.worker()
  let isBusy = true
  const work = Array.from({ length: 30 }, () => portal.db.pool.query('select pg_sleep(0.2)'))
  const done = Promise.all(work).finally(() => {
    isBusy = false
  })
  const counts: number[] = []
  await until(async () => {
    const { rows } = await portal.owner.query(
      "select count(*)::int as n from pg_stat_activity where datname = current_database() and usename = 'portal_app'",
    )
    counts.push(rows[0].n)
    return !isBusy
  })
  await done
  expect(portal.db.pool.totalCount).toBeLessThanOrEqual(5)
  expect(Math.max(...counts)).toBeLessThanOrEqual(most)
})
