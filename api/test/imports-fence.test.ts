import { beforeEach, expect, test } from 'vitest'
import { runImport } from '../src/imports/import-run.service.ts'
import { startPortal, until } from './portal.ts'
import { addPlaces, addSchools, fileOf, send, student } from './registers.ts'

const portal = await startPortal()
const { owner, db } = portal

beforeEach(async () => {
  await portal.clear()
  await addPlaces(portal)
  await addSchools(portal)
})

test('the import of an officer is not ended by a worker that lost it, while another one runs it', async () => {
  const officer = await portal.signedInAs('School Officer')
  const { id } = (await send(officer, 'students', fileOf([student(1)]))).body.import
  const run = () => runImport(portal.context, id, new AbortController().signal, true)
  const blocker = await owner.connect()
  try {
    await blocker.query('begin; lock table schools in access exclusive mode')
    const { rows } = await blocker.query('select pg_backend_pid() as pid')
    const waiting = async () =>
      (
        await db.pool.query('select pid from pg_stat_activity where $1 = any (pg_blocking_pids(pid))', [
          rows[0].pid,
        ])
      ).rows
    const lost = run().catch((error: Error) => error)
    const [first] = await until(async () => {
      const found = await waiting()
      return found.length === 1 && found
    })
    const second = run()
    await until(async () => (await waiting()).length === 2)
    await db.pool.query('select pg_cancel_backend($1)', [first.pid])
    expect(await lost).toBeInstanceOf(Error)
    await blocker.query('commit')
    await second
  } finally {
    blocker.release()
  }
  expect((await officer.get(`/imports/${id}`)).body.import).toMatchObject({ state: 'imported', rows_new: 1 })
})
