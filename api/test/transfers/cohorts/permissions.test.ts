import { expect, test } from 'vitest'
import { recipient, startStage } from '../../cohorts.ts'

const stage = await startStage(10)
const { portal, imported, approve, progress } = stage
await portal.worker()
const auditor = await portal.signedInAs('Auditor')
const first = await imported('Waits', [recipient(1)])
const second = await imported('Paid', [recipient(2)])
await approve(second)
const { round } = await progress(second, (now) => now.round?.pending === 0)

const reads = [
  'settings',
  'cohorts',
  'parameters',
  `cohorts/${first}/summary`,
  `cohorts/${first}/progress`,
  `cohorts/${second}/payrolls`,
  `cohorts/payroll/${round.id}`,
]
const writes: [string, 'POST' | 'PUT', string][] = [
  ['agencies.create', 'POST', 'agency'],
  ['agencies.update', 'PUT', 'agency/1'],
  ['agencies.update', 'POST', 'agency/changes/1/decide'],
  ['parameters.create', 'POST', 'parameter'],
  ['parameters.create', 'PUT', 'parameter/1'],
  ['cohorts.approve', 'POST', `cohorts/${first}/approve`],
  ['cohorts.approve', 'POST', `cohorts/${first}/stop`],
  ['cohorts.approve', 'POST', `cohorts/${first}/resume`],
  ['cohorts.approve', 'POST', `cohorts/${first}/rounds/1/start`],
  ['cohorts.export', 'POST', 'cohorts/export'],
  ['payrolls.export', 'POST', 'cohorts/payroll/export'],
]

test('an auditor sees everything of the transfers and changes nothing; a stranger sees nothing', async () => {
  const stranger = await portal.signedInAs('School Officer')
  const visitor = await portal.visitor()
  for (const path of reads) {
    expect((await auditor.get(`/admin/transfers/${path}`)).status, path).toBe(200)
    const barred = await stranger.get(`/admin/transfers/${path}`, { 'accept-language': 'fr' })
    expect(barred, path).toMatchObject({
      status: 403,
      body: { message: 'Vous n’avez pas la permission de le faire.' },
    })
    expect((await visitor.get(`/admin/transfers/${path}`)).status, path).toBe(401)
  }
  for (const [, method, path] of writes) {
    expect((await auditor.send(method, `/admin/transfers/${path}`, {})).status, path).toBe(403)
    expect((await visitor.send(method, `/admin/transfers/${path}`, {})).status, path).toBe(401)
  }
})

test('a person needs exactly one permission for each change', async () => {
  for (const [permission, method, path] of writes) {
    const holder = await portal.signedIn(permission as 'cohorts.approve')
    expect([403, 401, 404], path).not.toContain(
      (await holder.send(method, `/admin/transfers/${path}`, {})).status,
    )
    expect((await holder.get('/admin/transfers/settings')).status).toBe(403)
  }
})
