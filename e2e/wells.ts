import type { Page } from '@playwright/test'
import { makeProbe } from './faults/probe.ts'
import { makeLive } from './publish.ts'
import { place } from './stage/place.ts'
import { expect } from './test.ts'

const isolated = () =>
  makeProbe({
    name: 'mfe-isolated',
    contract: '1.5.0',
    title: { en: 'Wells', fr: 'Puits' },
    mark: place.url,
    list: 'hostile.js',
    more: {
      permissions: [{ name: 'wells.keep', label: { en: 'Keep wells', fr: 'Tenir les puits' } }],
      collections: [
        {
          ...{ name: 'notes', read: 'wells.keep', write: 'wells.keep' },
          fields: [{ name: 'text', label: { en: 'Text', fr: 'Texte' }, type: 'text' }],
        },
      ],
      notices: [
        {
          ...{ id: 'dry', collection: 'notes', permission: 'wells.keep' },
          title: { en: 'A note on a well', fr: 'Une note sur un puits' },
          text: { en: '{text}. Look at it.', fr: '{text}. À voir.' },
          link: '/admin/isolated/form?note={id}',
        },
      ],
      calls: ['GET /storage/samples/:file_name', 'POST /home/attendance/import'],
      tabs: [
        {
          id: 'count',
          on: 'school',
          title: { en: 'Wells', fr: 'Puits' },
          permission: 'wells.keep',
          order: 1,
        },
      ],
      cards: [{ id: 'count', title: { en: 'Wells today', fr: 'Puits du jour' }, order: 1 }],
    },
  })

/** Makes the module live, and waits until administrators have its permission. `search` tells it where the test listens. */
export async function openWells(admin: Page, search = '') {
  const module = isolated()
  await makeLive(module, { trusted: false })
  await expect
    .poll(async () => (await (await admin.request.get('/api/session')).json()).permissions, {
      timeout: 60_000,
    })
    .toContain('wells.keep')
  await admin.goto(module.route + search)
  return { module, wells: admin.frameLocator('iframe[title="Wells"]') }
}
