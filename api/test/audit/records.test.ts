import type { Permission } from '@portal/contracts/permissions'
import ExcelJS from 'exceljs'
import { beforeAll, expect, test } from 'vitest'
import { followModules } from '../../src/modules/permissions.service.ts'
import type { Client } from '../client.ts'
import { release } from '../modules/modules.ts'
import { startPortal, until } from '../portal.ts'

const portal = await startPortal()
const { registry } = portal.context
const label = (text: string) => ({ en: text, fr: text })
const record = 'health.record' as Permission
const view = 'health.view' as Permission
const visits = '/modules/mfe-health/records/visits'
const hidden = { en: '(confidential)', fr: '(confidentiel)' }

beforeAll(async () => {
  await release(registry, {
    ...{ name: 'mfe-health', version: '1.0.0' },
    permissions: [
      { name: record, label: label('Record visits') },
      { name: view, label: label('View visits') },
    ],
    collections: [{ name: 'visits', read: [view, record], write: record }],
  })
  await followModules(portal.context)()
  await portal.worker()
  const nurse = await portal.signedIn(record)
  const made = await nurse.post(visits, { data: { name: 'Nameword', girls: 4711, sick: true } })
  const { id, version } = made.body.record
  await nurse.put(`${visits}/${id}`, { data: { name: 'Otherword', girls: 4712 }, version })
  await nurse.delete(`${visits}/${id}`)
})

const words = /Nameword|Otherword|4711|4712|4,711|4,712/
const logOf = async (who: Client) =>
  (await who.get('/admin/users/audit/logs?auditable_type=module%20record')).body.logs.data
const switched = async (action: 'disable' | 'enable') => {
  const { generation } = await registry.now()
  await registry.change({ name: 'mfe-health', action, generation, by: 'a test' })
}
async function exported(who: Client) {
  const asked = await who.post('/admin/users/audit/logs/export', { auditable_type: 'module record' })
  const address = `/storage/exports/${asked.body.file_name}`
  const bytes = await until(async () => {
    const answer = await who.get(address)
    return answer.status === 200 && answer.bytes
  })
  const book = new ExcelJS.Workbook()
  await book.xlsx.load(bytes as unknown as ArrayBuffer)
  return { address, text: JSON.stringify(book.worksheets[0]?.getSheetValues()) }
}

test('a person who may not read records of a module reads in the log that they changed, and no value of them', async () => {
  const outsider = await portal.signedIn('audit-logs.view', 'students.sensitive', 'cases.view')
  const log = await logOf(outsider)
  expect(JSON.stringify(log)).not.toMatch(words)
  const [deleted, updated, created] = log
  const place = { module: 'mfe-health', collection: 'visits' }
  expect(created.new_values).toEqual({ ...place, name: hidden, girls: hidden, sick: hidden })
  expect(updated).toMatchObject({
    old_values: { ...place, name: hidden, girls: hidden, sick: hidden },
    new_values: { name: hidden, girls: hidden, sick: null },
  })
  expect(deleted.old_values).toEqual({ ...place, name: hidden, girls: hidden })
  const { text } = await exported(outsider)
  expect(text).toContain('(confidential)')
  expect(text).not.toMatch(words)
})

test('whoever may read them reads their values in the log and its export, while the module is live and the right is there', async () => {
  const trusted = await portal.signedIn('audit-logs.view', view)
  expect(JSON.stringify(await logOf(trusted))).toMatch(words)
  const { address, text } = await exported(trusted)
  expect(text).toMatch(words)

  await switched('disable')
  expect(JSON.stringify(await logOf(trusted))).not.toMatch(words)
  expect((await trusted.get(address)).status).toBe(403)
  expect((await exported(trusted)).text).not.toMatch(words)
  await switched('enable')
  expect((await trusted.get(address)).status).toBe(200)

  await portal.owner.query(
    `delete from role_permissions rp using permissions p, user_roles ur
     where p.id = rp.permission_id and p.name = $2 and ur.role_id = rp.role_id and ur.user_id = $1`,
    [trusted.user.id, view],
  )
  await portal.owner.query('update roles set name = name')
  expect((await trusted.get(address)).status).toBe(403)
  expect(JSON.stringify(await logOf(trusted))).not.toMatch(words)
})
