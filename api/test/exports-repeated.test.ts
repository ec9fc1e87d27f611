import { expect, test } from 'vitest'
import { transaction } from '../src/kit/db.ts'
import { enqueue } from '../src/kit/jobs.ts'
import { startPortal, until } from './portal.ts'
import { addPlaces, addSchools } from './registers.ts'

const portal = await startPortal()
await portal.worker()
await addPlaces(portal)
await addSchools(portal)

test('a person fetches her export although its job ran once more, because its worker was killed before the job had ended', async () => {
  const person = await portal.signedIn('schools.view', 'schools.export')
  const { file_name } = (await person.post('/admin/schools/export', {})).body
  const fetched = async () => (await person.get(`/storage/exports/${file_name}`)).status
  await until(async () => (await fetched()) === 200)
  const ended = async () =>
    (
      await portal.owner.query(
        "select count(*)::int as n from pgboss.job where name = 'export' and state = 'completed'",
      )
    ).rows[0].n
  await until(async () => (await ended()) === 1)
  const { rows } = await portal.owner.query('select id from exports where file_name = $1', [file_name])
  await transaction(portal.db, (tx) => enqueue(tx, 'export', { id: rows[0].id }))
  await until(async () => (await ended()) === 2)
  expect(await fetched()).toBe(200)
  const { rows: log } = await portal.owner.query("select from audits where event = 'exported'")
  expect(log).toHaveLength(1)
})
