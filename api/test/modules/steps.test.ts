import { once } from 'node:events'
import { beforeEach, expect, onTestFinished, test } from 'vitest'
import { publishRelease } from '../../../deploy/registry/src/release.ts'
import {
  build,
  buildProduct,
  integrityOf,
  makeKey,
  passed,
  signBuild,
} from '../../../deploy/registry/test/test-registry.ts'
import { recordAllLeftSteps } from '../../src/modules/registry-changes.service.ts'
import { startApiProcess } from '../api-process.ts'
import type { Client } from '../client.ts'
import { untilLocked } from '../locks.ts'
import { startPortal, until } from '../portal.ts'

const portal = await startPortal()
const { registry } = portal.context
const key = { id: 'awa', jwk: makeKey() }
const { name } = build().details

/** A partner's build that waits for admission. */
async function publish(version: string) {
  const { details, record, files } = build(version)
  const signed = { name, version, build: details.build, integrity: integrityOf(record) }
  for (const [path, content] of Object.entries({ ...files, 'build.json': record }))
    await registry.store.replace(`modules/${name}/${details.build}/${path}`, content)
  await registry.builds.publish({
    ...{ ...signed, signature: await signBuild(key, signed), key: key.id, person: 'Moussa Sarr' },
    ...{ at: new Date().toISOString(), release: false, checks: passed },
  })
  return details.build
}

/** The product is live, and the partner's key is known. */
async function ready(): Promise<void> {
  if ((await registry.now()).generation > 0) return
  await publishRelease(registry, buildProduct(), { id: 'release-test', jwk: makeKey() })
  const { kty, crv, x } = key.jwk
  await registry.keys.add({
    ...{ id: key.id, person: 'Moussa Sarr', name: key.id, public: { kty, crv, x } },
    ...{ modules: [name], former: [], may: ['publish'], retired: false },
  })
}
beforeEach(ready)
const admin = await portal.signedIn('modules.manage', 'modules.admit')

type Step = { method: 'PUT' | 'POST'; path: string; body: unknown }

const own = 'mfe-users'
const change = async (action: 'enable' | 'disable' | 'rollback', module = own): Promise<Step> => ({
  method: 'PUT',
  path: `/admin/modules/${module}`,
  body: { action, generation: (await registry.now()).generation },
})

/** The audit rows of modules after the row that was the last one, with who did it. */
const rowsAfter = async (last: number) =>
  (
    await portal.owner.query(
      `select a.event, a.user_id, v.old_values || coalesce(v.new_values, '{}') as old, v.new_values as new
       from audits a join audit_values v on v.audit_id = a.id where a.id > $1 and auditable_type = 'module' order by a.id`,
      [last],
    )
  ).rows
const lastRow = async (): Promise<number> =>
  (await portal.owner.query('select coalesce(max(id), 0) as last from audits')).rows[0].last

/** An api as a process of its own. Its transactions with an audit row of a module stop when they are committed. */
async function heldApi() {
  const { child, url, readyz } = await startApiProcess(portal)
  onTestFinished(() => void child.kill('SIGKILL'))
  await until(async () => (await fetch(readyz).catch(() => null))?.status === 200, 60_000)
  const holder = await portal.owner.connect()
  onTestFinished(() => holder.release(true))
  await holder.query('select pg_advisory_lock(4711)')
  await holder.query(`create function wait_for_test() returns trigger language plpgsql as $$
    begin perform pg_advisory_xact_lock_shared(4711); return null; end $$;
    create constraint trigger wait_for_test after insert on audits deferrable initially deferred
      for each row when (new.auditable_type = 'module') execute function wait_for_test()`)
  onTestFinished(async () => {
    await portal.owner.query('drop function if exists wait_for_test cascade')
  })
  const send = ({ method, path, body }: Step, who: Client = admin) =>
    fetch(`${url}${path}`, {
      method,
      headers: {
        ...who.headers,
        'content-type': 'application/json',
        cookie: [...who.cookies].map(([name, value]) => `${name}=${value}`).join('; '),
        'x-xsrf-token': decodeURIComponent(who.cookies.get('XSRF-TOKEN') ?? ''),
      },
      body: JSON.stringify(body),
    }).then(
      (answer) => answer.status,
      () => 'cut off',
    )
  const release = () => holder.query('select pg_advisory_unlock(4711)')
  /** Kills the process while its commit waits. The database ends the session, as it does when it notices. */
  const die = async () => {
    const waiting = await untilLocked(portal.db.pool, { lock: 'advisory' })
    const exited = once(child, 'exit')
    child.kill('SIGKILL')
    await exited
    for (const pid of waiting) await portal.db.pool.query('select pg_terminate_backend($1)', [pid])
    await release()
  }
  return { send, die, release }
}

/** Sends a step to an api that dies between the change of the registry and the commit of its audit row. */
async function dyingStep(step: Step) {
  const { send, die } = await heldApi()
  const answer = send(step)
  await die()
  expect(await answer).toBe('cut off')
}

/** No step is left that a worker would look up. */
const looked = () =>
  until(async () => (await portal.owner.query('select from registry_steps')).rowCount === 0)

test('an administrator whose api dies while she disables a module is found in the audit log once, with what she did', async () => {
  const last = await lastRow()
  await dyingStep(await change('disable'))
  const { generation, what } = await registry.now()
  expect(what).toBe('disable')
  expect(await rowsAfter(last)).toEqual([])
  const stop = await portal.worker()
  await until(async () => (await rowsAfter(last)).length > 0)
  expect(await rowsAfter(last)).toMatchObject([
    { event: 'disabled', user_id: admin.user.id, old: { module: own, generation: generation - 1 } },
  ])
  expect((await rowsAfter(last))[0].new).toEqual({ recorded: 'afterwards' })
  // A second look finds nothing more to write.
  await stop()
  await recordAllLeftSteps(portal.context)
  expect(await rowsAfter(last)).toHaveLength(1)
}, 90_000)

test('an administrator whose api dies while she admits a version is found in the audit log once, and the operator is not', async () => {
  const [hers, operators] = [await publish('1.0.0'), await publish('1.1.0')]
  const last = await lastRow()
  await dyingStep({ method: 'POST', path: `/admin/modules/${name}/admissions`, body: { build: hers } })
  await registry.admit({ by: 'operator', name, build: operators })
  await registry.change({ name: own, action: 'enable', ...(await registry.now()), by: 'operator' })
  expect(await registry.admissions.of(name, hers)).not.toBeNull()
  expect(await rowsAfter(last)).toEqual([])
  await portal.worker()
  await looked()
  expect(await rowsAfter(last)).toMatchObject([
    {
      event: 'admitted',
      user_id: admin.user.id,
      new: { module: name, build: hers, published_by: 'Moussa Sarr', recorded: 'afterwards' },
    },
  ])
}, 90_000)

test('of two administrators who decide about a version both are in the audit log, also when the api of the first one dies', async () => {
  const { build: decided } = (await registry.builds.list(name)).find(({ version }) => version === '1.0.0')!
  const second = await portal.signedIn('modules.manage', 'modules.admit')
  const path = `/admin/modules/${name}/trust`
  const last = await lastRow()
  await dyingStep({ method: 'PUT', path, body: { build: decided, trusted: true } })
  expect((await registry.admissions.of(name, decided))?.trust?.trusted).toBe(true)
  expect((await second.put(path, { build: decided, trusted: false })).status).toBe(200)
  await portal.worker()
  await looked()
  expect(await rowsAfter(last)).toMatchObject([
    { event: 'trusted', user_id: admin.user.id, new: { recorded: 'afterwards' } },
    { event: 'isolated', user_id: second.user.id },
  ])
}, 90_000)

test('an administrator whose steps succeed or are refused has one entry for each that changed something, also after a worker looked', async () => {
  const last = await lastRow()
  await portal.worker()
  for (const action of ['disable', 'enable'] as const) {
    const { path, body } = await change(action)
    expect((await admin.put(path, body)).status).toBe(200)
  }
  const { path, body } = await change('rollback')
  expect((await admin.put(path, body)).status).toBe(409)
  await recordAllLeftSteps(portal.context)
  await looked()
  expect((await rowsAfter(last)).map(({ event, new: recorded }) => [event, recorded])).toEqual([
    ['disabled', null],
    ['enabled', null],
  ])
})

test('an administrator whose step is still under way has one entry, although a worker looks for left steps meanwhile', async () => {
  const { send, release } = await heldApi()
  const last = await lastRow()
  const answer = send(await change('disable'))
  await until(async () => (await registry.now()).what === 'disable')
  await recordAllLeftSteps(portal.context)
  expect(await rowsAfter(last)).toEqual([])
  await release()
  expect(await answer).toBe(200)
  await recordAllLeftSteps(portal.context)
  expect((await rowsAfter(last)).map(({ event, new: recorded }) => [event, recorded])).toEqual([
    ['disabled', null],
  ])
}, 90_000)

test('an administrator whose step never reached the registry has no entry, and the portal forgets it after a day', async () => {
  const { generation } = await registry.now()
  const last = await lastRow()
  await portal.owner.query(
    `insert into registry_steps (event, module, generation, author, changes, created_at)
     select 'disabled', $1, $2, $3, '{}', now() - age from unnest(array[interval '23 hours', interval '25 hours']) age`,
    [own, generation - 1, JSON.stringify({ id: admin.user.id })],
  )
  await recordAllLeftSteps(portal.context)
  const { rows } = await portal.owner.query(
    "select now() - created_at < interval '1 day' as young from registry_steps",
  )
  expect(rows).toEqual([{ young: true }])
  expect(await rowsAfter(last)).toEqual([])
})
