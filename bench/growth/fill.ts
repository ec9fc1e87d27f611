import pg from 'pg'
import { auditPurpose } from '../../api/src/kit/audit.ts'
import type { Context } from '../../api/src/kit/context.ts'
import { sign } from '../../api/src/kit/seal.ts'
import { seconds } from '../figures.ts'
import { auditRows } from './audits.ts'
import { moneyRows } from './money.ts'
import { registerRows } from './registers.ts'
import type { Nation } from './size.ts'

/**
 * Fills an empty portal with a nation, as the superuser: without triggers and foreign keys, and with the indexes made
 * afterwards. What triggers would have counted is counted at the end.
 */
export async function fillNation(superuserUrl: string, context: Context, nation: Nation): Promise<void> {
  const began = performance.now()
  const client = new pg.Client({ connectionString: superuserUrl })
  await client.connect()
  try {
    const { rows: filled } = await client.query('select from audit_head')
    if (filled.length > 0) return
    await client.query("set session_replication_role = 'replica'; set maintenance_work_mem = '1GB'")
    const fillings = [...registerRows(nation), ...moneyRows(nation), ...auditRows(nation)]
    for (const table of Map.groupBy(fillings, (filling) => filling.table).keys())
      await skipIndexes(client, table)
    for (const { table, sql } of fillings) {
      const from = performance.now()
      const { rowCount } = await client.query(sql)
      console.log(
        `${table}: ${(rowCount ?? 0).toLocaleString('en-US')} rows in ${seconds(performance.now() - from)}`,
      )
    }
    for (const table of Map.groupBy(fillings, (filling) => filling.table).keys()) {
      const from = performance.now()
      await client.query(`reindex table ${table}`)
      console.log(`${table}: indexes in ${seconds(performance.now() - from)}`)
    }
    await client.query(nextIds)
    await sealEnd(client, context, nation)
    await client.query('vacuum (analyze, parallel 2)')
    const counted = performance.now()
    await client.query(countRows)
    await client.query('select recount_payments(), recount_money_events()')
    console.log(`Counted again in ${seconds(performance.now() - counted)}`)
    await client.query('vacuum (analyze) payment_totals, money_totals, list_totals')
    const { rows } = await client.query<{ size: string }>(
      'select pg_size_pretty(pg_database_size(current_database())) as size',
    )
    console.log(`Filled in ${seconds(performance.now() - began)}: ${rows[0]?.size}\n`)
  } finally {
    await client.end()
  }
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

/** The sealed end of the chain, so that the worker appends to it. The links before it are not the portal's. */
async function sealEnd(client: pg.Client, { settings }: Context, { audits }: Nation) {
  const { rows } = await client.query<{ hash: Buffer }>('select hash from audit_links where position = $1', [
    audits,
  ])
  const hash = rows[0]?.hash
  if (!hash) throw new Error('The chain has no end')
  const seal = sign(settings.secret, auditPurpose, `head ${audits} ${hash.toString('hex')}`)
  await client.query('insert into audit_head (id, position, hash, seal) values (1, $1, $2, $3)', [
    audits,
    hash,
    seal,
  ])
}
