import type { ModuleReport } from '@portal/contracts/modules'
import { beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { forgetReports } from '../../src/modules/reports.service.ts'
import { startPortal } from '../portal.ts'
import { release } from './modules.ts'

const portal = await startPortal()
const { registry } = portal.context

const cases = { name: 'mfe-cases', version: '1.0.0' }
const transfers = { name: 'mfe-transfers', version: '1.0.0' }

beforeAll(async () => {
  await release(registry, cases, transfers)
  await release(registry, { ...cases, version: '1.1.0' }, transfers)
})
beforeEach(() => portal.clear())

const list = '/admin/modules'
const found = async (name: string) => {
  const admin = await portal.signedIn('modules.manage')
  const { body } = await admin.get(list)
  return body.modules.find((module: { name: string }) => module.name === name)
}
const load = (ms: number, bytes: number, module = 'mfe-cases'): ModuleReport => ({
  kind: 'load',
  module,
  version: '1.1.0',
  build: '0123456789ab',
  page: '',
  ms,
  bytes,
})
const failure = (reference: string, change: Record<string, unknown> = {}) => ({
  kind: 'error',
  module: 'mfe-cases',
  version: '1.1.0',
  build: '0123456789ab',
  reason: 'threw',
  reference,
  message: 'x is not a function',
  path: '/admin/cases/12/details',
  ...change,
})

describe('the modules of the portal', () => {
  test('an administrator sees which builds are live, who owns and published them, and which were live before', async () => {
    const module = await found('mfe-cases')
    expect(module).toMatchObject({
      version: '1.1.0',
      state: 'live',
      withheld: null,
      owner: { name: 'A team', contact: 'team@portal.example' },
      published_by: 'Release',
      previous: { version: '1.0.0' },
      loads: 0,
      load_ms_median: null,
    })
    expect(await found('mfe-transfers')).toMatchObject({ version: '1.0.0', previous: null })
  })

  test('an administrator disables and enables a module, and both changes are audited', async () => {
    const admin = await portal.signedIn('modules.manage')
    const { generation } = (await admin.get(list)).body
    const off = await admin.put(`${list}/mfe-cases`, { action: 'disable', generation })
    expect(off).toMatchObject({ status: 200, body: { message: 'Module disabled' } })
    expect(await found('mfe-cases')).toMatchObject({ state: 'disabled' })
    const on = await admin.put(`${list}/mfe-cases`, { action: 'enable', generation: off.body.generation })
    expect(on.body.message).toBe('Module enabled')
    expect(await found('mfe-cases')).toMatchObject({ state: 'live', version: '1.1.0' })
    const { rows } = await portal.owner.query(
      "select event, old_values->>'module' as module from audits a join audit_values v on v.audit_id = a.id where auditable_type = 'module' order by a.id",
    )
    expect(rows).toEqual([
      { event: 'disabled', module: 'mfe-cases' },
      { event: 'enabled', module: 'mfe-cases' },
    ])
    const { changes } = (await admin.get(`${list}/mfe-cases/changes`)).body
    expect(changes.slice(0, 2)).toMatchObject([
      { what: 'enable', by: expect.stringMatching(/^administrator Awa Diarra/) },
      { what: 'disable' },
    ])
    // Doing the same again changes nothing.
    const again = await admin.put(`${list}/mfe-cases`, { action: 'enable', generation: on.body.generation })
    expect(again.body.generation).toBe(on.body.generation)
  })

  test('an administrator whose page is out of date cannot change a module, and nothing is audited', async () => {
    const admin = await portal.signedIn('modules.manage')
    const { generation } = (await admin.get(list)).body
    const refused = await admin.put(`${list}/mfe-cases`, { action: 'disable', generation: generation - 1 })
    expect(refused).toMatchObject({
      status: 409,
      body: {
        message: 'Something was published or changed meanwhile. Look at the modules again before you decide.',
      },
    })
    expect(await found('mfe-cases')).toMatchObject({ state: 'live' })
    const { rowCount } = await portal.owner.query("select from audits where auditable_type = 'module'")
    expect(rowCount).toBe(0)
  })

  test('an administrator rolls a module back, and reads when there is no earlier build', async () => {
    const admin = await portal.signedIn('modules.manage')
    const { generation } = (await admin.get(list)).body
    const none = await admin.put(`${list}/mfe-transfers`, { action: 'rollback', generation })
    expect(none).toMatchObject({
      status: 409,
      body: { message: 'There is no earlier version of this module to go back to.' },
    })
    const back = await admin.put(`${list}/mfe-cases`, { action: 'rollback', generation })
    expect(back.body.message).toBe('Module rolled back')
    expect(await found('mfe-cases')).toMatchObject({ version: '1.0.0' })
  })

  test('an administrator cannot roll a module back to an address that another module has by now, and nothing is audited', async () => {
    const rest = [{ ...cases, version: '1.1.0' }, transfers]
    const wells = { name: 'mfe-wells', version: '1.0.0' }
    const moved = { ...wells, version: '1.1.0', routes: ['/admin/water'] }
    await release(registry, ...rest, wells)
    await release(registry, ...rest, moved)
    await release(registry, ...rest, moved, { name: 'mfe-pumps', version: '1.0.0', routes: ['/admin/wells'] })
    onTestFinished(async () => void (await release(registry, ...rest)))
    const admin = await portal.signedIn('modules.manage')
    const { generation } = (await admin.get(list)).body
    const asked = { action: 'rollback', generation }
    expect(await admin.put(`${list}/mfe-wells`, asked)).toMatchObject({
      status: 409,
      body: {
        message:
          'The earlier version cannot be brought back, because it does not fit what is live now: /admin/wells belongs to mfe-pumps (A team): choose another route, or settle it with team@portal.example.',
      },
    })
    expect(await found('mfe-wells')).toMatchObject({ version: '1.1.0' })
    const { rowCount } = await portal.owner.query("select from audits where auditable_type = 'module'")
    expect(rowCount).toBe(0)
  })

  test('an administrator cannot change an unknown module or use an unknown action', async () => {
    const admin = await portal.signedIn('modules.manage')
    expect((await admin.get(`${list}/mfe-nothing/errors`)).status).toBe(404)
    expect((await admin.get(`${list}/mfe-nothing/changes`)).status).toBe(404)
    expect((await admin.put(`${list}/mfe-nothing`, { action: 'enable', generation: 1 })).status).toBe(404)
    expect((await admin.put(`${list}/mfe-cases`, { action: 'pin', generation: 1 })).status).toBe(422)
    const officer = await portal.signedInAs('School Officer')
    expect((await officer.get(list)).body.modules).toEqual([])
    expect((await officer.get(`${list}/mfe-cases/errors`)).status).toBe(404)
  })
})

describe('reports of browsers', () => {
  test('an administrator sees median, 95th percentile and bytes of page loads; cached files count as no bytes', async () => {
    const officer = await portal.signedIn('cases.view')
    const reports = [...Array(19).keys()].map((at) => load(100 + at, at % 2 ? 0 : 30_000))
    const sent = await officer.post('/modules/reports', { reports: [...reports, load(5000, 90_000)] })
    expect(sent.status).toBe(200)
    expect(await found('mfe-cases')).toMatchObject({
      loads: 20,
      errors: 0,
      load_ms_median: 109,
      load_ms_p95: 118,
      bytes_median: 30_000,
    })
  })

  test('an administrator finds a failure by the reference that a person quotes', async () => {
    const officer = await portal.signedIn('cases.view')
    const reports = [failure('MF-AAAAAA'), failure('MF-BBBBBB', { reason: 'integrity', message: '' })]
    await officer.post('/modules/reports', { reports })
    // A browser that sends its report twice.
    await officer.post('/modules/reports', { reports })
    expect(await found('mfe-cases')).toMatchObject({ errors: 2 })
    const admin = await portal.signedIn('modules.manage')
    const { errors } = (await admin.get(`${list}/mfe-cases/errors?search=mf-aaaaaa`)).body
    expect(errors.total).toBe(1)
    expect(errors.data[0]).toMatchObject({
      reference: 'MF-AAAAAA',
      reason: 'threw',
      message: 'x is not a function',
      path: '/admin/cases/12/details',
      user: expect.stringMatching(/^Awa Diarra/),
    })
    expect((await admin.get(`${list}/mfe-transfers/errors`)).body.errors.total).toBe(0)
  })

  test('reports of unknown modules, and more reports than a person can cause, are dropped', async () => {
    const officer = await portal.signedIn('cases.view')
    const unknown = await officer.post('/modules/reports', { reports: [load(100, 0, 'mfe-nothing')] })
    expect(unknown.status).toBe(200)
    const batch = Array.from({ length: 50 }, () => load(100, 0))
    for (let sent = 0; sent < 15; sent += 1) await officer.post('/modules/reports', { reports: batch })
    expect(await found('mfe-cases')).toMatchObject({ loads: 600 })
    const flood = await officer.post('/modules/reports', { reports: [...batch, load(1, 1)] })
    expect(flood.status).toBe(422)
    expect((await officer.post('/modules/reports', { reports: [{ kind: 'gossip' }] })).status).toBe(422)
    const visitor = await portal.visitor()
    expect((await visitor.post('/modules/reports', { reports: [] })).status).toBe(401)
  })

  test('are deleted after 30 days', async () => {
    const officer = await portal.signedIn('cases.view')
    await officer.post('/modules/reports', { reports: [load(100, 0), failure('MF-CCCCCC')] })
    await portal.owner.query(
      "update module_reports set created_at = now() - interval '31 days' where kind = 'load'",
    )
    await forgetReports(portal.db)
    const { rows } = await portal.owner.query('select kind from module_reports')
    expect(rows).toEqual([{ kind: 'error' }])
  })
})
