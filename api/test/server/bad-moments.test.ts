import { readFile } from 'node:fs/promises'
import { afterEach, expect, test } from 'vitest'
import { caseStage, file, pdf } from '../cases/case-stage.ts'
import type { Answer } from '../client.ts'
import { cloneDatabase } from '../database.ts'
import { untilLocked } from '../locks.ts'
import { startPortal, until } from '../portal.ts'
import { startProxy } from '../proxy.ts'

const limits = {
  connections: 4,
  connectMs: 1000,
  statementMs: 2000,
  silentMs: 2500,
  lockMs: 1000,
  idleMs: 5000,
}
const limitMs = 8000
const database = await cloneDatabase()
const proxy = await startProxy(database.appUrl)
const portal = await startPortal({ databaseUrl: proxy.url, callLimits: limits }, database)
const officer = await portal.signedIn('schools.view')

afterEach(() => proxy.open())

const list = () => officer.get('/admin/schools/list')
const choose = (start: string) => officer.put('/start-page', { start })
const chosen = async () => {
  const { rows } = await portal.owner.query('select path from start_pages where user_id = $1', [
    officer.user.id,
  ])
  return rows.map(({ path }) => path)
}

/** The answer, which must come in time. */
async function inTime(answer: Promise<Answer>) {
  const began = performance.now()
  const given = await answer
  expect(performance.now() - began).toBeLessThan(limitMs)
  return given
}
const works = () => until(async () => (await list()).status === 200)

test('someone who reads while the database is away is told so, and her next call after its return works', async () => {
  await works()
  proxy.away()
  const refused = await inTime(list())
  expect(refused).toMatchObject({
    status: 503,
    body: {
      code: 'database_away',
      message: 'The database of the portal does not answer at the moment. This page tries again by itself.',
    },
    headers: { 'retry-after': '5' },
  })
  proxy.open()
  await works()
})

test('someone who saves while the database is away is told that nothing was saved', async () => {
  proxy.away()
  const refused = await inTime(choose('/admin/schools/list'))
  expect(refused).toMatchObject({
    status: 503,
    body: {
      code: 'database_away',
      message:
        'The database of the portal does not answer at the moment. Nothing was saved: try again in a minute.',
    },
    headers: { 'retry-after': '5' },
  })
  expect(await chosen()).toEqual([])
})

test('people who call while the database is silent are all answered in time, and get their own answers afterwards', async () => {
  await works()
  proxy.silent()
  const refused = await Promise.all(Array.from({ length: 12 }, () => inTime(list())))
  for (const { status, body, headers } of refused) {
    expect({ status, code: body.code, wait: headers['retry-after'] }).toEqual({
      status: 503,
      code: 'database_away',
      wait: '5',
    })
  }
  proxy.open()
  await works()
  const [schools, session] = await Promise.all([list(), officer.get('/session')])
  expect(schools.body.schools.data).toEqual([])
  expect(session.body.user.id).toBe(officer.user.id)
})

test('someone who waits for a table that somebody else has locked is told to try again, and nothing is saved', async () => {
  const holder = await portal.owner.connect()
  try {
    await holder.query('begin; lock table start_pages in access exclusive mode')
    const saving = await inTime(choose('/admin/schools/list'))
    expect(saving).toMatchObject({
      status: 503,
      body: {
        code: 'database_busy',
        message: 'The portal is busy, and this took too long. Nothing was saved: try again in a minute.',
      },
      headers: { 'retry-after': '5' },
    })
    await holder.query('rollback; begin; lock table schools in access exclusive mode')
    expect(await inTime(list())).toMatchObject({
      status: 503,
      body: { code: 'database_busy' },
      headers: { 'retry-after': '5' },
    })
  } finally {
    await holder.query('rollback')
    holder.release()
  }
  expect(await chosen()).toEqual([])
  await works()
})

test('someone whose connections are ended by the database’s operator is told to try again', async () => {
  const holder = await portal.owner.connect()
  try {
    await holder.query('begin; lock table schools in access exclusive mode')
    const reading = inTime(list())
    const [waits] = await untilLocked(portal.db.pool)
    await portal.db.pool.query('select pg_terminate_backend($1)', [waits])
    expect(await reading).toMatchObject({ status: 503, body: { code: 'database_away' } })
  } finally {
    await holder.query('rollback')
    holder.release()
  }
})

test('someone whose change is cut while it is committed is told to look before she repeats it', async () => {
  await works()
  proxy.loseAnswerTo('commit')
  const cut = await inTime(choose('/admin/schools/list'))
  expect(cut).toMatchObject({
    status: 503,
    body: {
      code: 'outcome_unknown',
      message:
        'The database went away while this was being saved, so it is not known whether it was. Reload the page and look before you do it again.',
    },
  })
  expect(await chosen()).toEqual(['/admin/schools/list'])
  // Her choice can be repeated, because it is the same afterwards.
  await until(async () => (await choose('/admin/schools/list')).status === 200)
  expect(await chosen()).toEqual(['/admin/schools/list'])
})

test('someone whose case is committed after the portal gave up waiting has her document in it', async () => {
  await works()
  const { filer, form } = await caseStage(portal)
  // As with a standby that is far behind: no limit of the server counts while it commits.
  await portal.owner.query(`create function wait() returns trigger language plpgsql as
    $$ begin perform pg_sleep(4); return null; end $$;
    create constraint trigger slow after insert on files deferrable initially deferred for each row execute function wait()`)
  const cut = await inTime(filer.upload('/admin/cases', { ...form, file: file('letter.pdf', pdf) }))
  expect(cut).toMatchObject({ status: 503, body: { code: 'outcome_unknown' } })
  const read = () => portal.owner.query('select key from files')
  expect((await read()).rows).toEqual([])
  const kept = await until(async () => (await read()).rows[0])
  await portal.owner.query('drop trigger slow on files; drop function wait()')
  expect(await portal.context.storage.withFile(kept.key, (path) => readFile(path))).toEqual(pdf)
})
