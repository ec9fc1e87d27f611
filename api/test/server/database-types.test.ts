import pg from 'pg'
import { expect, test } from 'vitest'
import { startPortal } from '../portal.ts'
import { statementsOfSource } from '../transfers/sums/statements.ts'
import { databaseTypes } from './database-types.ts'

const portal = await startPortal()

/** What PostgreSQL says of a column or a table that is not there; whatever else it says is about fragments. */
const missing = ['42703', '42P01']

test('a developer finds in the types of the database what its migrations made', async () => {
  const made = await databaseTypes(portal.settings.databaseOwnerUrl ?? '')
  await expect(made).toMatchFileSnapshot(
    '../../src/kit/database/database.types.ts',
    'npm run database:types writes it',
  )
})

test('a developer who drops a column is told which statements still name it', async () => {
  const client = new pg.Client({ connectionString: portal.settings.databaseOwnerUrl })
  await client.connect()
  const wrong: string[] = []
  let understood = 0
  for (const { file, text } of statementsOfSource()) {
    try {
      await client.query(`prepare statement as ${text}`)
      await client.query('deallocate statement')
      understood++
    } catch (error) {
      if (error instanceof pg.DatabaseError && missing.includes(error.code ?? ''))
        wrong.push(`${file}: ${error.message}: ${text}`)
    }
  }
  await client.end()
  expect(wrong).toEqual([])
  expect(understood).toBeGreaterThan(250)
})

test('a person reads each moment as ISO text with milliseconds, however PostgreSQL writes it', async () => {
  const written = [
    '2026-11-27 00:01:20.123456+00',
    '2026-11-27 00:01:20.1239+00',
    '2026-11-27 00:01:20.12+00',
    '2026-11-27 00:01:20+00',
    '1999-02-28 23:59:59.999999+00',
  ]
  const client = new pg.Client({ connectionString: portal.settings.databaseUrl })
  await client.connect()
  for (const zone of ['UTC', 'Africa/Bamako', 'Asia/Kathmandu']) {
    await client.query(`set timezone = '${zone}'`)
    const { rows } = await client.query('select t from unnest($1::timestamptz[]) t', [written])
    expect(rows.map(({ t }) => t)).toEqual([
      '2026-11-27T00:01:20.123Z',
      '2026-11-27T00:01:20.123Z',
      '2026-11-27T00:01:20.120Z',
      '2026-11-27T00:01:20.000Z',
      '1999-02-28T23:59:59.999Z',
    ])
  }
  await client.end()
})
