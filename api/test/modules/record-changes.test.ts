import type { Permission } from '@portal/contracts/permissions'
import { beforeAll, beforeEach, expect, onTestFinished, test } from 'vitest'
import { followModules } from '../../src/modules/permissions.service.ts'
import { tidy } from '../../src/privacy/retention.service.ts'
import { Client } from '../client.ts'
import { startPortal } from '../portal.ts'
import { release } from './modules.ts'

const portal = await startPortal()
const { registry } = portal.context
const record = 'health.record' as Permission
const visits = '/modules/mfe-health/records/visits'

beforeAll(async () => {
  await release(registry, {
    name: 'mfe-health',
    version: '1.0.0',
    permissions: [{ name: record, label: { en: 'Record visits', fr: 'Saisir des visites' } }],
    collections: ['visits', 'wells'].map((name) => ({ name, read: record, write: record })),
  })
  await followModules(portal.context)()
})
beforeEach(() => portal.clear())

/** A team's server with a token for collections of its module. */
async function serverFor(...read: string[]) {
  const admin = await portal.signedIn('modules.manage')
  const asked = { name: 'Clinic server', read, days: 30 }
  const { token } = (await admin.post('/admin/modules/mfe-health/tokens', asked)).body
  const server = new Client(portal.http, portal.settings.apiBase)
  server.headers = { authorization: `Bearer ${token}`, 'accept-language': 'en' }
  const ask = (since?: string) =>
    server.get(`${visits}/changes${since ? `?since=${encodeURIComponent(since)}` : ''}`)
  /** Everything from there on, call by call. */
  async function pull(since?: string) {
    const changes: { id: number; at: string; record: { version: number; data: object } | null }[] = []
    for (let next = since; ; ) {
      const { status, body } = await ask(next)
      expect(status).toBe(200)
      changes.push(...body.changes)
      next = body.next as string
      if (!body.more) return { changes, next }
    }
  }
  return { ask, pull }
}

/** Rows as a worker or another release writes them. */
const insert = (collection: string, count: number) =>
  `insert into module_records (module, collection, data, words, user_id)
   select 'mfe-health', '${collection}', jsonb_build_object('n', n), '', (select min(id) from users) from generate_series(1, ${count}) n`

test('a team’s server reads all records, and from then on what was made, changed and deleted since, in that order', async () => {
  const { pull } = await serverFor('visits')
  const nurse = await portal.signedIn(record)
  const made = async (school: string) =>
    (await nurse.post(visits, { data: { school } })).body.record.id as number
  const [coura, kati, segou] = [await made('Coura'), await made('Kati'), await made('Ségou')]
  const first = await pull()
  expect(first.changes.map(({ id }) => id)).toEqual([coura, kati, segou])
  expect(first.changes[0]).toMatchObject({ record: { id: coura, version: 1, data: { school: 'Coura' } } })
  expect((await pull(first.next)).changes).toEqual([])

  await nurse.delete(`${visits}/${kati}`)
  await nurse.put(`${visits}/${coura}`, { data: { school: 'Coura Nord' }, version: 1 })
  await nurse.put(`${visits}/${coura}`, { data: { school: 'Coura Sud' }, version: 2 })
  const next = await made('Mopti')
  const then = await pull(first.next)
  expect(then.changes).toMatchObject([
    { id: kati, record: null },
    { id: coura, record: { version: 3, data: { school: 'Coura Sud' } } },
    { id: next, record: { version: 1 } },
  ])
  expect((await pull(then.next)).changes).toEqual([])
  // A moment will do, too; what was deleted is nothing to whoever begins.
  expect((await pull(then.changes[1]?.at)).changes.map(({ id }) => id)).toEqual([coura, next])
  expect((await pull()).changes.map(({ id }) => id)).toEqual([segou, coura, next])
})

test('a change that is committed after a later one is not passed over', async () => {
  const { pull } = await serverFor('visits')
  const nurse = await portal.signedIn(record)
  const slow = await portal.owner.connect()
  onTestFinished(() => slow.release(true))
  const begin = await pull()
  await slow.query('begin')
  await slow.query(insert('visits', 1))
  const { id } = (await nurse.post(visits, { data: { school: 'Coura' } })).body.record
  const meanwhile = await pull(begin.next)
  expect(meanwhile.changes).toEqual([])
  await slow.query('commit')
  const { changes } = await pull(meanwhile.next)
  expect(changes.map((change) => change.record?.data)).toEqual([{ n: 1 }, { school: 'Coura' }])

  // What is under way in another collection holds up nobody.
  await slow.query('begin')
  await slow.query(insert('wells', 1))
  expect((await pull(begin.next)).changes.at(-1)).toMatchObject({ id })
  await slow.query('rollback')
})

test('a server that is still reading the first records learns which of them were deleted meanwhile', async () => {
  const { ask, pull } = await serverFor('visits')
  await portal.signedIn(record)
  await portal.owner.query(insert('visits', 150))
  // One statement is one moment of the clock to the microsecond at most, and the order stays one.
  const first = (await ask()).body
  expect(first).toMatchObject({ more: true })
  expect(first.changes).toHaveLength(100)
  await portal.owner.query('delete from module_records where id = any($1)', [
    [first.changes[0].id, first.changes[99].id],
  ])
  const rest = await pull(first.next)
  expect(rest.changes.filter(({ record }) => record)).toHaveLength(50)
  expect(rest.changes.slice(50)).toMatchObject([
    { id: first.changes[0].id, record: null },
    { id: first.changes[99].id, record: null },
  ])
})

test('a server reads what to do when it asks after deletions were forgotten, without the right, or for nonsense', async () => {
  const { ask } = await serverFor('visits')
  const nurse = await portal.signedIn(record)
  const { id } = (await nurse.post(visits, { data: {} })).body.record
  await nurse.delete(`${visits}/${id}`)
  await portal.owner.query("update module_record_deletions set deleted_at = now() - interval '91 days'")
  await tidy(portal.context)
  expect((await portal.owner.query('select from module_record_deletions')).rows).toHaveLength(0)
  const old = new Date(Date.now() - 91 * 86_400_000).toISOString()
  const sentence =
    'The portal remembers deleted records for 90 days. Leave “since” out, and read all records anew.'
  expect(await ask(old)).toMatchObject({ status: 422, body: { errors: { since: [sentence] } } })
  // Also when the reading of everything began then, and has not come far.
  expect((await ask(`2020-01-01T00:00:00Z~7~${old}`)).status).toBe(422)
  for (const since of ['yesterday', '2026-02-30T00:00:00Z', '2026-11-01T00:00:00Z~x'])
    expect([since, (await ask(since)).status]).toEqual([since, 422])
  expect((await (await serverFor('wells')).ask()).status).toBe(403)
  expect((await (await portal.signedIn('schools.view')).get(`${visits}/changes`)).status).toBe(403)
})
