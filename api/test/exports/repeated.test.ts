import { expect, test } from 'vitest'
import { transaction } from '../../src/kit/database/db.ts'
import { enqueue } from '../../src/kit/jobs/jobs.ts'
import { startPortal, until } from '../portal.ts'
import { addPlaces, addSchools } from '../registers/registers.ts'

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

test('a person whose export fails is told so after its last try, and not while it will be tried again', async () => {
  const person = await portal.signedIn('schools.view', 'schools.export')
  await portal.owner.query(`create function no_room() returns trigger language plpgsql as $$
      begin raise exception 'no room'; end $$;
    create trigger no_room before update on exports for each row when (new.state = 'ready') execute function no_room()`)
  const asked = async () =>
    `/storage/exports/${(await person.post('/admin/schools/export', {})).body.file_name}`
  /** Waits until a try has failed, and lets one more follow. */
  const failedOnce = () =>
    until(async () => {
      const { rowCount } = await portal.owner.query(
        "update pgboss.job set retry_limit = retry_count + 1 where name = 'export' and state = 'retry'",
      )
      return rowCount === 1
    })
  const given = await asked()
  const { rows } = await portal.owner.query(
    "select retry_limit from pgboss.job where name = 'export' order by created_on desc limit 1",
  )
  expect(rows).toEqual([{ retry_limit: 5 }])
  await failedOnce()
  expect((await person.get(given)).status).toBe(202)
  await portal.owner.query('alter table exports disable trigger no_room')
  await until(async () => (await person.get(given)).status === 200)

  await portal.owner.query('alter table exports enable trigger no_room')
  const lost = await asked()
  await failedOnce()
  const told = await until(async () => {
    const answer = await person.get(lost)
    return answer.status !== 202 && answer
  })
  expect([told.status, told.body.message]).toEqual([409, 'The export could not be written. Start it again.'])
})

test('a person is told that her export failed when its worker was killed on the last try', async () => {
  await portal.owner.query('drop trigger no_room on exports')
  const person = await portal.signedIn('schools.view', 'schools.export')
  const address = `/storage/exports/${(await person.post('/admin/schools/export', {})).body.file_name}`
  await until(async () => (await person.get(address)).status !== 202)
  // A worker that is killed leaves no file, and its job is given up when its heartbeat stops.
  await portal.owner.query(`update exports set state = 'writing', file_key = null where file_name = $1`, [
    address.split('/').at(-1),
  ])
  await portal.owner.query("update pgboss.job set state = 'failed' where name = 'export'")
  const told = await until(async () => {
    const answer = await person.get(address)
    return answer.status !== 202 && answer
  }, 15_000)
  expect([told.status, told.body.message]).toEqual([409, 'The export could not be written. Start it again.'])
})
