import { afterEach, beforeEach, expect, test } from 'vitest'
import {
  noteCheckpoints,
  rebuildCheckpoints,
  verifyCheckpoints,
} from '../../src/kit/audit/audit-checkpoints.ts'
import { startPortal } from '../portal.ts'

const connections = {
  connections: 1,
  connectMs: 5000,
  statementMs: 60_000,
  silentMs: 61_000,
  lockMs: 5000,
  idleMs: 5000,
}
const portal = await startPortal({ callLimits: connections })
const { db, owner } = portal
let auditor: Awaited<ReturnType<typeof portal.signedInAs>>

/** Entries of the days before, seven in each second: a checkpoint stands among entries of one moment, and ids have another order. */
const fillLog = (entries: number, days: number, event = 'opened', person: number | null = null) =>
  owner.query(
    `insert into audits (user_id, created_at, event, auditable_type, auditable_id, values_hash, seal)
      select $4::bigint, date_trunc('second', now()) - interval '1 day' * $2 + n / 7 * interval '5 seconds', $3, 'school', 1, '\\x00', sha256(n::text::bytea)
      from generate_series(1, $1::int) n order by n % 3, n`,
    [entries, days, event, person],
  )
/** As the worker says when it has linked all entries. */
const linked = () =>
  owner.query(
    `insert into audit_head (id, position, hash, seal, linked_up_to) select 1, max(id), '\\x00', '\\x00', max(id) from audits
      on conflict (id) do update set position = excluded.position, linked_up_to = excluded.linked_up_to`,
  )
const checkpoints = async () =>
  (await owner.query('select entries from audit_checkpoints order by 1')).rows.map(({ entries }) =>
    Number(entries),
  )
const pageOf = async (n: number, query: string) => {
  const { logs } = (await auditor.get(`/admin/users/audit/logs?per_page=100&page=${n}&${query}`)).body
  return { ...logs, ids: logs.data.map(({ id }: { id: number }) => id) } as {
    ids: number[]
    total: number
    last_page: number
  }
}
/** All entries up to a number, oldest first, read without the portal. */
const entriesUpTo = async (until: number) =>
  (await owner.query('select id from audits where id <= $1 order by created_at, id', [until])).rows.map(
    ({ id }) => Number(id),
  )
const newest = async () => Number((await owner.query('select max(id) as id from audits')).rows[0].id)

/** Opens the first and last pages, those around each checkpoint, and each seventeenth, in both orders. */
async function expectPagesOf(until: number) {
  const entries = await entriesUpTo(until)
  const last = Math.ceil(entries.length / 100)
  const around = [1, last / 4, last / 2, last].flatMap((n) => [n - 1, n, n + 1])
  const borders = [10_000, 20_000, 30_000].flatMap((n) => [
    n / 100,
    n / 100 + 1,
    Math.ceil((entries.length - n) / 100),
  ])
  const some = Array.from({ length: Math.ceil(last / 17) }, (_, n) => 1 + n * 17)
  const pages = [...new Set([...around, ...borders, ...some].map(Math.floor))].filter(
    (n) => n > 0 && n <= last,
  )
  for (const n of pages) {
    const part = (all: number[]) => all.slice((n - 1) * 100, n * 100)
    const newestFirst = await pageOf(n, `until=${until}`)
    expect(newestFirst).toMatchObject({
      ids: part(entries.toReversed()),
      total: entries.length,
      last_page: last,
    })
    expect((await pageOf(n, `until=${until}&sort=created_at`)).ids).toEqual(part(entries))
  }
}

beforeEach(async () => {
  auditor = await portal.signedInAs('Auditor')
})
afterEach(() => portal.clear())

test('an auditor who opens a page in the middle of a long log waits for ten thousand entries at most', async () => {
  await fillLog(60_000, 9)
  await linked()
  await owner.query('vacuum analyze audits')
  await noteCheckpoints(db)
  const read = async () => {
    await portal.callsDb.pool.query('select pg_stat_force_next_flush()')
    const { rows } = await owner.query(
      "select sum(idx_tup_read)::int as n from pg_stat_user_indexes where relname = 'audits'",
    )
    return rows[0].n as number
  }
  const until = await newest()
  await pageOf(300, `until=${until}`)
  const before = await read()
  expect((await pageOf(301, `until=${until}`)).ids).toHaveLength(100)
  const passed = (await read()) - before
  expect(passed).toBeGreaterThan(100)
  expect(passed).toBeLessThan(10_500)
})

test('an auditor sees the same entries on each page before and after checkpoints were noted', async () => {
  await fillLog(32_345, 6)
  await linked()
  const until = await newest()
  await expectPagesOf(until)
  await noteCheckpoints(db)
  expect(await checkpoints()).toEqual([10_000, 20_000, 30_000])
  await expectPagesOf(until)
  expect(await verifyCheckpoints(db)).toBe(null)
})

test('an auditor’s pages in the middle stay the same while entries are added, days later, too', async () => {
  await fillLog(15_000, 6)
  const until = await newest()
  await linked()
  await noteCheckpoints(db)
  // She left her page open. What came after it is two days old by now, and stands before entries that she sees.
  await fillLog(15_000, 5)
  await linked()
  await noteCheckpoints(db)
  expect(await checkpoints()).toEqual([10_000, 20_000, 30_000])
  await expectPagesOf(until)
  await expectPagesOf(await newest())
})

test('an auditor’s filters find the same entries as before, and count as before', async () => {
  await fillLog(25_000, 6)
  await fillLog(400, 4, 'exported')
  await linked()
  await noteCheckpoints(db)
  expect(await pageOf(4, 'event=exported')).toMatchObject({ total: 400, last_page: 4 })
  expect(await pageOf(50, 'event=opened')).toMatchObject({ total: 10_000, capped: true })
})

test('an auditor who searches a busy colleague reads that there are more than are counted, or exactly how many', async () => {
  await owner.query("update users set first_name = 'Djénéba', last_name = 'Kouyaté' where id = $1", [
    auditor.user.id,
  ])
  await fillLog(10_002, 6, 'opened', auditor.user.id)
  const { min } = (await owner.query("select min(id)::int as min from audits where event = 'opened'")).rows[0]
  const search = (until: number, more = '') => pageOf(2, `search=kouyate&until=${until}${more}`)
  // Her sign-in is an entry of hers, too.
  expect(await search(min + 10_001)).toMatchObject({ total: 10_000, capped: true, last_page: 100 })
  expect(await search(min + 9999)).toMatchObject({ total: 10_000, capped: true })
  const exact = await search(min + 9998)
  expect(exact).toMatchObject({ total: 10_000, last_page: 100 })
  expect(exact).not.toHaveProperty('capped')
  expect(await search(min + 10_001, '&event=opened')).toMatchObject({ total: 10_000, capped: true })
  expect(await search(min + 10_001, '&event=signed%20in')).toMatchObject({ total: 1 })
})

test('entries of today, and those that are not linked yet, have no checkpoint, and are on their pages', async () => {
  await fillLog(11_000, 6)
  await noteCheckpoints(db)
  expect(await checkpoints()).toEqual([])
  await linked()
  await fillLog(11_000, 1)
  await linked()
  await noteCheckpoints(db)
  expect(await checkpoints()).toEqual([10_000])
  await expectPagesOf(await newest())
})

test('an entry of a server whose clock is wrong stands where its time says, on each page', async () => {
  await fillLog(32_000, 6)
  await linked()
  await noteCheckpoints(db)
  await owner.query(`insert into audits (created_at, event, auditable_type, values_hash, seal)
    select created_at, 'opened', 'user', '\\x00', '\\x01' from audits order by created_at, id offset 15000 limit 1`)
  expect(await checkpoints()).toEqual([10_000])
  await linked()
  await expectPagesOf(await newest())
  await noteCheckpoints(db)
  expect(await checkpoints()).toEqual([10_000, 20_000, 30_000])
  await expectPagesOf(await newest())
})

test('an operator is told of a checkpoint that is not at its entry, and makes all again', async () => {
  await fillLog(32_000, 6)
  await linked()
  await noteCheckpoints(db)
  await owner.query('update audit_checkpoints set entries = 20001 where entries = 20000')
  expect(await verifyCheckpoints(db)).toMatch(
    /^the checkpoint of entry 20001 of the log is not at its entry, 20000 are up to it/,
  )
  await owner.query('update audit_checkpoints set entries = 20000, last_id = 1 where entries = 20001')
  expect(await verifyCheckpoints(db)).toMatch(/^the checkpoint of entry 20000 of the log/)
  await rebuildCheckpoints(db)
  expect(await verifyCheckpoints(db)).toBe(null)
  await expectPagesOf(await newest())
})
