import { pipeline } from 'node:stream/promises'
import type pg from 'pg'
import { from, to } from 'pg-copy-streams'
import { jobSchema } from '../kit/jobs/jobs.ts'

/** A table with the columns that are copied, in the form of SQL. Generated columns are computed again. */
type Table = { name: string; columns: string; partition: boolean }
type ForeignKey = { table: string; name: string; definition: string }

/** What migrations fill at the target, so that it differs although nothing has happened there yet. */
const schemas = ['public', jobSchema]

async function tablesOf(client: pg.Client): Promise<Table[]> {
  const { rows } = await client.query<Table>(
    `select c.oid::regclass::text as name, c.relispartition as partition,
       string_agg(quote_ident(a.attname), ', ' order by a.attname) as columns
     from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
     where c.relnamespace = any($1::regnamespace[]) and c.relkind in ('r', 'p')
     group by c.oid order by 1`,
    [schemas],
  )
  return rows
}

async function foreignKeysOf(client: pg.Client): Promise<ForeignKey[]> {
  const { rows } = await client.query<ForeignKey>(
    `select conrelid::regclass::text as table, quote_ident(conname) as name, pg_get_constraintdef(oid) as definition
     from pg_constraint where contype = 'f' and conparentid = 0 and connamespace = any($1::regnamespace[])`,
    [schemas],
  )
  return rows
}

async function copySequences(source: pg.Client, target: pg.Client) {
  const { rows } = await source.query<{ name: string }>(
    `select oid::regclass::text as name from pg_class where relkind = 'S' and relnamespace = any($1::regnamespace[])`,
    [schemas],
  )
  for (const { name } of rows) {
    const { rows: at } = await source.query(`select last_value::text, is_called from ${name}`)
    await target.query('select setval($1::regclass, $2::bigint, $3)', [
      name,
      at[0].last_value,
      at[0].is_called,
    ])
  }
}

/**
 * Copies all rows in one transaction of the target, and returns how many each table has. The tables have to be the same on
 * both sides. Triggers and foreign keys are off meanwhile, because they note events and refuse orders of rows; foreign keys
 * are checked when they come back. Throws, and changes nothing, if any table has another count at the end.
 */
export async function copyTables(source: pg.Client, target: pg.Client): Promise<Record<string, number>> {
  await source.query('begin isolation level repeatable read read only')
  await target.query('begin')
  try {
    const tables = await tablesOf(source)
    const there = new Map((await tablesOf(target)).map(({ name, columns }) => [name, columns]))
    const other = tables.find(({ name, columns }) => there.get(name) !== columns)
    if (other || there.size !== tables.length)
      throw new Error(
        `The tables of the two databases are not the same: ${other?.name ?? 'their number differs'}`,
      )
    // Rows of a partition are copied with its table.
    const whole = tables.filter(({ partition }) => !partition)
    const keys = await foreignKeysOf(target)
    const counts: Record<string, number> = {}
    for (const { name } of whole) await target.query(`alter table ${name} disable trigger user`)
    for (const { table, name } of keys) await target.query(`alter table ${table} drop constraint ${name}`)
    await target.query(`truncate ${whole.map(({ name }) => name).join(', ')}`)
    for (const { name, columns } of whole) counts[name] = await copyTable(source, target, name, columns)
    for (const { table, name, definition } of keys)
      await target.query(`alter table ${table} add constraint ${name} ${definition}`)
    for (const { name } of whole) await target.query(`alter table ${name} enable trigger user`)
    await copySequences(source, target)
    await target.query('commit')
    return counts
  } catch (error) {
    await target.query('rollback').catch(() => {})
    throw error
  } finally {
    await source.query('rollback').catch(() => {})
  }
}

async function copyTable(source: pg.Client, target: pg.Client, name: string, columns: string) {
  await pipeline(
    source.query(to(`copy (select ${columns} from ${name}) to stdout`)),
    target.query(from(`copy ${name} (${columns}) from stdin`)),
  )
  const countIn = async (client: pg.Client) =>
    Number((await client.query(`select count(*) as n from ${name}`)).rows[0].n)
  const [copied, there] = [await countIn(target), await countIn(source)]
  if (copied !== there) throw new Error(`${name} has ${copied} rows at the target and ${there} at the source`)
  return copied
}
