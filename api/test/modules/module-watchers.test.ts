import type { Permission } from '@portal/contracts/permissions'
import { beforeEach, expect, test } from 'vitest'
import { build, integrityOf } from '../../../deploy/registry/test/test-registry.ts'
import { tellOfRises } from '../../src/modules/error-rises.service.ts'
import { followModules } from '../../src/modules/permissions.service.ts'
import { bellOf, linesAt, mailsTo } from '../letters/notices.ts'
import { startPortal } from '../portal.ts'
import { admissionStage, waiting } from './admission-stage.ts'

const portal = await startPortal()
const { firstBuildLive, publish, promote } = admissionStage(portal)
const { registry } = portal.context
beforeEach(firstBuildLive)

test('a partner’s colleague sees how her module fares, which versions there are and where a page stopped, and nothing of others', async () => {
  await followModules(portal.context)()
  // Line 12, column 7 of page.js is line 42, column 3 of the page's source.
  const page = {
    version: 3,
    sources: ['src/visits/VisitsPage.tsx'],
    names: [],
    mappings: `${';'.repeat(11)}MAyCE`,
  }
  const maps = JSON.stringify({ 'page.js': page })
  const card = { id: 'due', title: { en: 'Visits due', fr: 'Visites à faire' }, order: 1 }
  const made = await publish(build('1.9.0', { cards: [card], maps: integrityOf(maps, 'sha256') }), maps)
  await registry.admit({ ...made, by: 'operator' })
  await promote(made)
  const { version, build: id } = made
  const visitor = await portal.signedIn('schools.view')
  const at = { module: 'mfe-health', version, build: id }
  const failure = {
    ...{ ...at, kind: 'error', reason: 'crash', reference: 'MF-WATCHED', message: 'no such thing' },
    path: '/admin/health',
    stack: [
      'TypeError: no visit of Awa Keïta',
      `    at t (https://portal.example/modules/mfe-health/${id}/page.js:12:7)`,
      'at Table (/assets/lib.1a2b.js?who=awa:1:9)',
    ].join('\n'),
  }
  const pages = ['/admin/health', '/admin/health', '/admin/health/12', '', '/cards/due', '/cards/12']
  const loads = pages.map((page) => ({
    ...at,
    kind: 'load',
    ms: page === '/cards/due' ? 90 : 400,
    bytes: 9,
    page,
  }))
  await visitor.post('/modules/reports', { reports: [...loads, failure] })
  const atHome = await portal.signedIn('schools.view')
  await atHome.post('/modules/reports', { reports: loads.filter(({ page }) => page === '/cards/due') })
  const watcher = await portal.signedIn('mfe-health.watch' as Permission)
  const { modules } = (await watcher.get('/admin/modules')).body
  expect(modules).toMatchObject([{ name: 'mfe-health', loads: 5, errors: 1 }])
  const read = async (what: string, who = watcher) =>
    (await who.get(`/admin/modules/mfe-health/${what}`)).body
  const { errors } = await read('errors')
  expect(errors.data).toMatchObject([{ reference: 'MF-WATCHED', user: null }])
  expect(errors.data[0].stack).toBe('at src/visits/VisitsPage.tsx:42:3\nat Table (/assets/lib.1a2b.js:1:9)')
  const admin = await portal.signedIn('modules.manage', 'modules.admit')
  expect((await read('errors', admin)).errors.data).toMatchObject([
    { user: expect.stringContaining('Diarra') },
  ])
  const usage = await read('usage')
  // Whoever was only shown a card has not used the module.
  expect(usage.weeks).toMatchObject([{ loads: 5, errors: 1, people: 1, load_ms_median: 400 }])
  // An address that no page of the build has is not kept: it may have the id of somebody.
  const { week } = usage.weeks[0]
  expect(usage.pages).toEqual([
    { page: '/admin/health', week, loads: 2 },
    { page: '/cards/due', week, loads: 2 },
  ])
  const { versions } = await read('versions')
  expect(versions.find((one: { build: string }) => one.build === id)).toMatchObject({
    ...{ version, state: 'live', person: 'Awa Keïta', admitted_by: expect.any(String) },
  })
  expect((await read('changes')).changes[0]).toMatchObject({ by: 'Moussa Sarr' })

  for (const what of ['errors', 'usage', 'versions', 'changes'])
    expect((await watcher.get(`/admin/modules/mfe-users/${what}`)).status).toBe(404)
  expect((await visitor.get('/admin/modules')).body.modules).toEqual([])
  expect((await visitor.get('/admin/modules/mfe-health/usage')).status).toBe(404)
  const { generation } = await registry.now()
  expect((await watcher.put('/admin/modules/mfe-health', { action: 'disable', generation })).status).toBe(403)
  expect((await watcher.get(waiting)).status).toBe(403)
})

test('whoever watches a module is told by bell and mail when its errors rise, once a day', async () => {
  await followModules(portal.context)()
  const watcher = await portal.signedIn('mfe-health.watch' as Permission)
  const other = await portal.signedIn('schools.view')
  const happened = (count: number, who: typeof watcher, ago: string) =>
    portal.owner.query(
      `insert into module_reports (kind, module, version, build, reason, reference, message, path, user_id, created_at)
        select 'error', 'mfe-health', '1.0.0', '0123456789ab', 'crash', 'MF-' || $1::bigint || '-' || n, 'no', '/admin/health', $1::bigint, now() - $3::interval
        from generate_series(1, $2::int) n`,
      [who.user.id, count, ago],
    )
  await happened(6, watcher, '10 minutes')
  await tellOfRises(portal.context)
  expect(await bellOf(watcher)).toEqual([])

  await happened(2, other, '20 minutes')
  await Promise.all([tellOfRises(portal.context), tellOfRises(portal.context)])
  await tellOfRises(portal.context)
  const link = '/admin/modules?module=mfe-health'
  const text = '"School health" had 8 errors in the last hour, for 2 people. In the 24 hours before it had 0.'
  expect(await linesAt(watcher, link)).toEqual([text])
  expect(await bellOf(other)).toEqual([])
  const subjects = await mailsTo(portal, watcher)
  expect(subjects).toEqual([
    'Les erreurs du module mfe-health augmentent\u00a0: 8 au cours de la dernière heure, 0 dans les 24 heures d’avant.',
  ])
})
