import type { Permission } from '@portal/contracts/permissions'
import { followModules } from '../../src/modules/permissions.service.ts'
import type { Portal } from '../portal.ts'
import { release } from './modules.ts'

// Permissions of modules are not in the type `Permission`, so the tests cast them.
export const view = 'health.view' as Permission
export const record = 'health.record' as Permission

const own = (name: string) => ({ name, read: view, write: record })
const short = {
  title: { en: 'Short form', fr: 'Formulaire court' },
  text: { en: 'Asks for less.', fr: 'Demande moins.' },
}
const seen = {
  ...{ id: 'seen', collection: 'visits', permission: view, link: '/admin/health' },
  ...{ title: { en: 'Seen', fr: 'Vue' }, text: { en: 'A girl was seen.', fr: 'Une élève a été vue.' } },
}
const both = (en: string, fr: string) => ({ en, fr })
const modes = ['short', 'long'].map((value) => ({ value, label: both(value, value) }))
const girls = {
  ...{ name: 'girls', label: both('Girls per visit', 'Filles par visite'), type: 'whole' },
  ...{ min: 1, max: 50, default: 20 },
}
const mode = { name: 'mode', label: both('Mode', 'Mode'), type: 'text', values: modes, default: 'short' }
const photos = { name: 'photos', label: both('Photos', 'Photos'), type: 'boolean', default: false }

export const health = (version: string, calls: string[]) => ({
  ...{ name: 'mfe-health', version, calls },
  permissions: [view, record].map((name) => ({ name, label: { en: name, fr: name } })),
  collections: [own('visits')],
  flags: [
    { ...short, id: 'short-form', default: false },
    { ...short, id: 'old-form', default: true },
  ],
  settings: version === '1.0.0' ? [girls, mode] : [girls, mode, photos],
  notices: version === '1.0.0' ? [] : [seen],
  backends: [{ ...own('stock'), url: 'https://stock.example.org' }],
})
export const water = { name: 'mfe-water', version: '1.0.0', collections: [own('wells')] }

/** The header by which the shell says for which module it calls. */
export const asked = (module: string) => ({ 'x-portal-module': module })
export const visits = '/modules/mfe-health/records/visits'

/** Makes two versions of a module live, one after the other, and says by which names the shell calls for them. */
export async function isolatedStage(portal: Portal): Promise<{ before: string; live: string }> {
  const { registry } = portal.context
  const released = async (version: string, calls: string[]) => {
    await release(registry, health(version, calls), water)
    const { modules } = await registry.now()
    return `mfe-health/${modules.find((module) => module.name === 'mfe-health')?.build}`
  }
  const before = await released('1.0.0', ['GET /admin/schools/list', 'GET /admin/schools/students/list'])
  const live = await released('1.1.0', [
    ...['GET /admin/schools/list', 'PUT /password', 'GET /sessions', 'PUT /start-page'],
    ...['GET /views', 'POST /views', 'PUT /views/:id', 'DELETE /views/:id'],
    ...['POST /admin/transfers/cohorts/:id/approve', 'POST /admin/transfers/payrolls/retry'],
    ...['POST /admin/transfers/corrections/:id/decide', 'GET /admin/transfers/cohorts'],
  ])
  await followModules(portal.context)()
  return { before, live }
}
