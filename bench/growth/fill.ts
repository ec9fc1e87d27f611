import pg from 'pg'
import { auditPurpose } from '../../api/src/kit/audit/audit.ts'
import type { Context } from '../../api/src/kit/process/context.ts'
import { sign } from '../../api/src/kit/secrets/seal.ts'
import { seconds } from '../figures.ts'
import { auditRows } from './audits.ts'
import { moneyRows } from './money.ts'
import { registerRows } from './registers.ts'
import type { Filling, Nation } from './size.ts'

/** Tables of millions of rows that nothing was migrated into. They are filled without a log of changes, see `fillTable`. */
const large = new Set([
  'transfer_payrolls',
  'payment_attempts',
  'money_events',
  'attendance',
  'audits',
  'audit_values',
  'audit_links',
])

type Step = { name: string; run: (client: pg.Client) => Promise<unknown> }

/**
 * Fills an empty portal with a nation, as the superuser: without triggers and foreign keys, and with the indexes made
 * afterwards. What triggers would have counted is counted at the end. Steps that are done are noted, so that a fill which was
 * stopped goes on where it was; it stops by itself before the first step after `minutes`. Returns whether all is filled.
 */
export async function fillNation(
  superuserUrl: string,
  context: Context,
  nation: Nation,
  minutes: number,
): Promise<boolean> {
  const began = performance.now()
  const client = new pg.Client({ connectionString: superuserUrl })
  await client.connect()
  try {
    await client.query("set session_replication_role = 'replica'; set maintenance_work_mem = '1GB'")
    await client.query(
      'create schema if not exists bench; create table if not exists bench.filled (step text primary key, ms int not null)',
    )
    const { rows: done } = await client.query<{ step: string }>('select step from bench.filled')
    for (const { name, run } of stepsOf(nation, context)) {
      if (done.some(({ step }) => step === name)) continue
      const from = performance.now()
      if (from - began > minutes * 60_000) return false
      await run(client)
      const took = performance.now() - from
      await client.query('insert into bench.filled values ($1, $2)', [name, Math.round(took)])
      console.log(`${name} in ${seconds(took)}`)
    }
    const { rows } = await client.query<{ size: string; ms: number }>(
      'select pg_size_pretty(pg_database_size(current_database())) as size, sum(ms)::int as ms from bench.filled',
    )
    console.log(`Filled in ${seconds(rows[0]?.ms ?? 0)}: ${rows[0]?.size}\n`)
    return true
  } finally {
    await client.end()
  }
}

function stepsOf(nation: Nation, context: Context): Step[] {
  const fillings = [...registerRows(nation), ...moneyRows(nation), ...auditRows(nation)]
  const tables = [...Map.groupBy(fillings, ({ table }) => table)]
  return [
    ...tables.map(([table, of]) => ({
      name: table,
      run: (client: pg.Client) => fillTable(client, table, of),
    })),
    ...tables.map(([table]) => statementStep(`${table}: indexes`, `reindex table ${table}`)),
    statementStep('next ids', nextIds),
    { name: 'sealed end', run: (client) => sealEnd(client, context, nation) },
    ...tables.map(([table]) => statementStep(`${table}: vacuum`, `vacuum (analyze) ${table}`)),
    statementStep('vacuum', 'vacuum (analyze)'),
    statementStep('totals of registers', countRows),
    statementStep('totals of attendance', countReports),
    statementStep('totals of payments', 'select recount_payments()'),
    statementStep('totals of events', 'select recount_money_events()'),
    statementStep('sums of reports', 'select recount_reports()'),
    statementStep('owed payments', 'select recount_owed()'),
    statementStep('counts of students', 'select recount_students()'),
    statementStep(
      'totals',
      'vacuum (analyze) payment_totals, money_totals, list_totals, owed_payments, counted_students, student_counts, attendance_by_class',
    ),
  ]
}

const statementStep = (name: string, sql: string): Step => ({
  name,
  run: (client) => client.query(sql),
})

/**
 * A table that was truncated in the same transaction is written to the disk once: with `wal_level = minimal` its rows are not
 * logged as well. That is half of what 18 million payments write.
 */
async function fillTable(client: pg.Client, table: string, fillings: readonly Filling[]) {
  await client.query('begin')
  if (large.has(table)) await client.query(`truncate ${table} cascade`)
  // After that, because truncating makes indexes ready.
  await skipIndexes(client, table)
  for (const { sql } of fillings) await client.query(sql)
  await client.query('commit')
}

/** Indexes that are not ready are not written to. `reindex` makes them whole again, by sorting. */
async function skipIndexes(client: pg.Client, table: string) {
  await client.query(
    'update pg_index set indisready = false, indisvalid = false where indrelid = $1::regclass',
    [table],
  )
}

/** Each identity column goes on after the rows that were given an id. */
const nextIds = `
  do $$ declare t record; begin
    for t in select table_name, column_name from information_schema.columns
      where table_schema = 'public' and is_identity = 'YES' and table_name <> 'list_totals'
    loop
      execute format('select setval(pg_get_serial_sequence(%L, %L), greatest((select max(%I) from %I), 1))',
        t.table_name, t.column_name, t.column_name, t.table_name);
    end loop;
  end $$`

const countRows = `
  do $$ declare counted text; begin
    delete from list_totals;
    foreach counted in array array['schools', 'students', 'parents', 'teachers', 'partners', 'arrondissements', 'caps', 'cases', 'audits', 'roles'] loop
      execute format('insert into list_totals (name, rows) select %L, count(*) from %I', counted, counted);
    end loop;
  end $$`

const countReports = `
  insert into attendance_by_month (month, who, present, enrolled)
  select date_trunc('month', date)::date, who, sum(present), sum(enrolled) from attendance where not withdrawn group by 1, 2`

/** The sealed end of the chain, so that the worker appends to it. The links before it are not the portal's. */
async function sealEnd(client: pg.Client, { settings }: Context, { audits }: Nation) {
  const { rows } = await client.query<{ hash: Buffer }>('select hash from audit_links where position = $1', [
    audits,
  ])
  const hash = rows[0]?.hash
  if (!hash) throw new Error('The chain has no end')
  const seal = sign(settings.secret, auditPurpose, `head ${audits} ${hash.toString('hex')}`)
  await client.query(
    'insert into audit_head (id, position, hash, seal, linked_up_to) values (1, $1, $2, $3, $1)',
    [audits, hash, seal],
  )
}
