import { beforeEach, expect, test } from 'vitest'
import { runImport } from '../../src/imports/import-run.service.ts'
import { untilLocked } from '../locks.ts'
import { startPortal } from '../portal.ts'
import { addPlaces, addSchools, fileOf, send, stopped, student } from '../registers/registers.ts'

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
    const behind = rows[0].pid
    const lost = run().catch((error: Error) => error)
    const [first] = await untilLocked(db.pool, { behind })
    const second = run()
    await untilLocked(db.pool, { behind, count: 2 })
    await db.pool.query('select pg_cancel_backend($1)', [first])
    expect(await lost).toBeInstanceOf(Error)
    await blocker.query('commit')
    await second
  } finally {
    blocker.release()
  }
  expect((await officer.get(`/imports/${id}`)).body.import).toMatchObject({ state: 'imported', rows_new: 1 })
})

test('the import that an officer has confirmed is not ended by the worker of its check, which had not noticed that it was done', async () => {
  const officer = await portal.signedInAs('School Officer')
  const { id } = (await send(officer, 'students', fileOf([student(1)]), true)).body.import
  const { context } = portal
  const storage: typeof context.storage = {
    ...context.storage,
    withFile: async (key, use) => {
      await context.storage.withFile(key, use)
      expect((await officer.post(`/imports/${id}/confirm`, {})).status).toBe(200)
      throw new Error('the connection was lost after the commit')
    },
  }
  const run = (changed = {}) => runImport({ ...context, ...changed }, id, new AbortController().signal, true)
  await expect(run({ storage })).rejects.toThrow('after the commit')
  expect((await officer.get(`/imports/${id}`)).body.import).toMatchObject({ state: 'importing' })
  await run()
  expect((await officer.get(`/imports/${id}`)).body.import).toMatchObject({ state: 'imported', rows_new: 1 })
})

test.each(['reading', 'importing'])(
  'an officer reads that her import failed on our side when a worker was killed on its last try, while %s',
  async (state) => {
    const officer = await portal.signedInAs('School Officer')
    const { id } = (await send(officer, 'students', fileOf([student(1)]))).body.import
    const ofImport = [String(id)]
    await owner.query('update imports set state = $2, rows_new = 1 where id = $1', [id, state])
    await owner.query(
      "insert into import_rows (import_id, \"row\", kind, key, cells, entry) values ($1, 2, 'new', 'S-1', '{}', '{}')",
      [id],
    )
    // A killed worker leaves a claimed job whose heartbeat has stopped.
    const { rowCount } = await owner.query(
      `update pgboss.job set state = 'active', retry_count = retry_limit, started_on = now(), heartbeat_on = now()
       where name = 'import' and data->>'id' = $1`,
      ofImport,
    )
    expect(rowCount).toBe(1)
    const stop = await portal.worker()
    expect(await stopped(officer, id)).toMatchObject({
      state: 'failed',
      rows_new: 0,
      problem: 'The import failed on our side and nothing was saved. Upload the file again.',
    })
    await stop()
    expect((await owner.query('select from import_rows where import_id = $1', [id])).rowCount).toBe(0)
    const { notifications } = (await officer.get('/notifications')).body
    expect(notifications.data.map(({ text }: { text: string }) => text)).toEqual([
      '"list.xlsx" could not be imported. Nothing was saved.',
    ])
  },
)
