import { sql } from 'kysely'
import { afterAll, expect, onTestFinished, test } from 'vitest'
import { audit, eraseAudit, eraseAuditsOf } from '../../src/kit/audit/audit.ts'
import { linkAudits } from '../../src/kit/audit/audit-chain.ts'
import { openDb } from '../../src/kit/database/db.ts'
import { portal as system } from '../../src/kit/http/session.ts'
import { startPortal, until } from '../portal.ts'
import { chainStage } from './chain-stage.ts'

const portal = await startPortal()
const { foundAfter, tamper, verify, wholeChain, write } = chainStage(portal)
const { db, settings, owner } = portal
/** Only the owner of the database may empty values of the log. */
const asOwner = openDb(portal.settings.databaseOwnerUrl ?? '', 1)
afterAll(() => asOwner.pool.end())

test('when a person changes a name, the audit log has who, from where, and the old and new name', async () => {
  const person = await portal.signedIn()
  await person.put(
    `/users/profile/update/${person.user.id}`,
    { first_name: 'Aïssata', last_name: 'Diarra' },
    { 'user-agent': 'Test/1.0' },
  )
  const { rows } = await owner.query(
    `select a.user_id, a.ip_address, a.user_agent, a.event, v.old_values, v.new_values from audits a
     join audit_values v on v.audit_id = a.id where a.event = 'updated' and a.auditable_id = $1`,
    [person.user.id],
  )
  expect(rows).toMatchObject([
    {
      user_id: person.user.id,
      ip_address: '127.0.0.1',
      user_agent: 'Test/1.0',
      new_values: { first_name: 'Aïssata', last_name: 'Diarra' },
    },
  ])
  expect(rows[0].old_values.first_name).toBe('Awa')
})

test('when a person’s change is rolled back, no audit row remains', async () => {
  const count = async () => (await owner.query('select count(*) as n from audits')).rows[0].n
  const before = await count()
  await expect(
    db.transaction().execute(async (tx) => {
      await audit(tx, system, 'updated', 'school', 7)
      throw new Error('given up')
    }),
  ).rejects.toThrow('given up')
  expect(await count()).toBe(before)
})

test('someone with the application’s database role cannot change, delete or truncate the audit log', async () => {
  await write('kept')
  for (const table of ['audits', 'audit_links', 'audit_values']) {
    for (const statement of [
      `update ${table} set ${table === 'audits' ? 'event' : 'audit_id'} = default`,
      `delete from ${table}`,
      `truncate ${table} cascade`,
    ]) {
      await expect(db.pool.query(statement)).rejects.toThrow(/permission denied/)
    }
  }
  await expect(owner.query("update audits set event = 'other'")).rejects.toThrow(/only ever added to/)
  await expect(owner.query('delete from audit_values')).rejects.toThrow(/emptied, nothing else/)
})

test('an auditor’s log is linked by a running worker after each commit', async () => {
  const stop = await portal.worker()
  const id = await write('linked by the worker')
  await until(async () => (await owner.query('select from audit_links where audit_id = $1', [id])).rowCount)
  await stop()
})

test('a row with a low number that commits late is linked after the rows committed before it', async () => {
  await wholeChain()
  const slowWriter = await db.pool.connect()
  await slowWriter.query('begin')
  const reserved = (
    await slowWriter.query(
      "select nextval(pg_get_serial_sequence('audits', 'id')) as id, pg_current_xact_id()::text as xid",
    )
  ).rows[0]
  const first = await write('early')
  let { since } = await linkAudits(db, settings.secret, null)
  await slowWriter.query(
    `insert into audits (id, created_at, event, auditable_type, values_hash, seal) overriding system value
     select $1, created_at, event, auditable_type, values_hash, seal from audits where id = $2`,
    [reserved.id, first],
  )
  await slowWriter.query('commit')
  slowWriter.release()
  ;({ since } = await linkAudits(db, settings.secret, since))
  const { rows } = await owner.query('select audit_id from audit_links order by position desc limit 2')
  expect(rows.map((row) => row.audit_id)).toEqual([reserved.id, first])
  expect((await verify()).fault).toMatch(/not written by the portal|values are gone/)
  await tamper(
    `delete from audit_links where audit_id = ${reserved.id}; delete from audits where id = ${reserved.id}; delete from audit_head; `,
  )
  await tamper('delete from audit_links')
  await wholeChain()
})

test('a worker on a restored database, whose transactions had higher numbers, reads the whole log neither at every turn nor when it starts again', async () => {
  await write('before')
  await wholeChain()
  // As an older server had written them: 20,000 entries, linked, by transactions that this server will not reach. A smaller
  // table, or one that was not analyzed, is rightly read from its beginning.
  onTestFinished(() =>
    tamper("delete from audit_links where position >= 1000000; delete from audits where event = 'old'"),
  )
  await tamper(`
    insert into audits (created_at, event, auditable_type, values_hash, seal, transaction)
      select now(), 'old', 'user', values_hash, seal, '4000000000'::xid8 from audits, generate_series(1, 20000) limit 20000;
    insert into audit_links (position, audit_id, previous, hash)
      select 1000000 + id, id, sha256(id::text::bytea), sha256(id::text::bytea) from audits where event = 'old';
    analyze audits, audit_links`)
  const one = openDb(settings.databaseUrl, 1)
  onTestFinished(() => one.pool.end())
  const read = async () => {
    await one.pool.query('select pg_stat_force_next_flush()')
    const { rows } = await one.pool.query(
      "select (seq_tup_read + idx_tup_fetch)::int as n from pg_stat_user_tables where relname = 'audits'",
    )
    return rows[0].n
  }
  let { since } = await linkAudits(one, settings.secret, null)
  // It comes to the end once the transactions have ended that were open then, also those of other databases of the server.
  await until(async () => {
    ;({ since } = await linkAudits(one, settings.secret, since))
    return since && since.id > 15_000
  })
  const before = await read()
  for (let n = 0; n < 4; n++) await linkAudits(one, settings.secret, since)
  expect((await read()) - before).toBeLessThan(10_000)
  // Nor does a worker that starts, once the one before it has linked something.
  await write('after')
  expect((await linkAudits(one, settings.secret, since)).linked).toBe(1)
  const stopped = await read()
  await linkAudits(one, settings.secret, null)
  expect((await read()) - stopped).toBeLessThan(5000)
})

test('two concurrent workers link every audit row exactly once', async () => {
  for (let n = 0; n < 20; n++) await write(`crowd ${n}`)
  await Promise.all(Array.from({ length: 5 }, () => linkAudits(db, settings.secret, null)))
  await wholeChain()
})

test('everything logged about a person who asks to be forgotten is erased, and the chain is still valid', async () => {
  const person = await portal.signedIn()
  await person.put(`/users/profile/update/${person.user.id}`, {
    first_name: 'Secrète',
    last_name: 'Personne',
  })
  await wholeChain()
  const erased = await asOwner
    .transaction()
    .execute((tx) => eraseAuditsOf(tx, system, 'user', person.user.id))
  expect(erased).toBeGreaterThan(1)
  await wholeChain()
  const { rows } = await owner.query(
    "select count(*) as n from audit_values where new_values::text like '%Secrète%'",
  )
  expect(rows[0].n).toBe(0)
  expect(await asOwner.transaction().execute((tx) => eraseAuditsOf(tx, system, 'user', person.user.id))).toBe(
    0,
  )
})

test('erasing an entry empties its values, is audited and leaves the chain valid', async () => {
  const id = await write('personal')
  await wholeChain()
  await asOwner.transaction().execute((tx) => eraseAudit(tx, system, id))
  const { rows } = await owner.query(
    'select old_values, new_values, erased_at is not null as erased from audit_values where audit_id = $1',
    [id],
  )
  expect(rows).toEqual([{ old_values: null, new_values: null, erased: true }])
  await wholeChain()
  expect(
    await foundAfter(`update audit_values set new_values = '{"name": "again"}' where audit_id = ${id}`),
  ).toMatch('written again')
  const silent = await write('silently emptied')
  await sql`select erase_audit_values(${silent})`.execute(asOwner)
  expect((await verify()).fault).toMatch('without an audited erasure')
})
