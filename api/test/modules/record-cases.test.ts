import type { Permission } from '@portal/contracts/permissions'
import exceljs from 'exceljs'
import { beforeAll, expect, test } from 'vitest'
import { followModules } from '../../src/modules/permissions.service.ts'
import { caseStage } from '../cases/case-stage.ts'
import type { Client } from '../client.ts'
import { startPortal, until } from '../portal.ts'
import { release } from './modules.ts'

const portal = await startPortal()
const { owner } = portal
const record = 'health.record' as Permission
const visits = '/modules/mfe-health/records/visits'
const label = (text: string) => ({ en: text, fr: text })

beforeAll(async () => {
  await portal.worker()
  const about = { name: 'about', label: label('About'), type: 'reference', to: 'case' }
  const collection = { name: 'visits', label: label('Visit'), read: record, write: record, fields: [about] }
  await release(portal.context.registry, {
    ...{ name: 'mfe-health', version: '1.0.0', collections: [collection] },
    permissions: [{ name: record, label: label('Record visits') }],
  })
  await followModules(portal.context)()
})

/** A case with whoever filed it, her reviewer, somebody who may see all cases, and a colleague without a right to it. */
async function stage() {
  const { fileCase } = await caseStage(portal)
  const filer = await portal.signedIn(record, 'cases.create')
  const reviewer = await portal.signedIn(record, 'cases.manage')
  await owner.query(
    `insert into partners (name, user_id, partner_type, partner_since) values ('Gao Aid', $1, 'ngo', '2021-01-01')`,
    [reviewer.user.id],
  )
  const { id, number } = await fileCase(filer, { reviewer: reviewer.user.id, title: 'Awa was not paid' })
  const viewer = await portal.signedIn(record, 'cases.view')
  const stranger = await portal.signedIn(record, 'cases.create')
  return { id, number, filer, reviewer, viewer, stranger }
}
const found = async (by: Client, query: string): Promise<number[]> =>
  (await by.get(`${visits}/references/about?${query}`)).body.things.map((one: { id: number }) => one.id)
const take = (userId: number, permission: string) =>
  owner.query(
    `delete from role_permissions rp using user_roles ur, permissions p
     where ur.user_id = $1 and rp.role_id = ur.role_id and p.id = rp.permission_id and p.name = $2`,
    [userId, permission],
  )

test('a record leads to a case for whoever filed or reviews it or may see all, and tells nobody else what it is called', async () => {
  const { id, number, filer, reviewer, viewer, stranger } = await stage()
  for (const by of [filer, reviewer, viewer]) {
    expect([await found(by, 'search=Awa'), await found(by, `id=${id}`)]).toEqual([[id], [id]])
    const saved = await by.post(visits, { data: { about: id } })
    expect(saved.body.record.references).toEqual({ about: { code: number, name: 'Awa was not paid' } })
  }
  expect([await found(stranger, 'search=Awa'), await found(stranger, `id=${id}`)]).toEqual([[], []])
  const refused = await stranger.post(visits, { data: { about: id } })
  expect([refused.status, Object.keys(refused.body.errors)]).toEqual([422, ['data.about']])
  const { data } = (await stranger.get(visits)).body.records
  expect(data.map(({ references }: { references: object }) => references)).toEqual(
    Array(3).fill({ about: null }),
  )
  // Whoever looks for a case by its title is in the log (Access 6.8).
  const { rows } = await owner.query(
    `select a.auditable_type, w.new_values from audits a join audit_values w on w.audit_id = a.id
     where a.event = 'searched' and a.user_id = $1`,
    [filer.user.id],
  )
  expect(rows).toEqual([{ auditable_type: 'case', new_values: { found: 1, first_found: [id] } }])
})

test('a file of records names cases for whoever may see all, and only while she may read these records', async () => {
  const { id, number, filer, viewer } = await stage()
  await filer.post(visits, { data: { about: id } })
  const file = async (by: Client) => {
    const { file_name } = (await by.post(`${visits}/export`, {})).body
    const address = `/storage/exports/${file_name}`
    await until(async () => (await by.get(address)).status === 200)
    const book = new exceljs.Workbook()
    await book.xlsx.load((await by.get(address)).bytes as never)
    return { address, text: JSON.stringify(book.worksheets[0]?.getSheetValues()) }
  }
  const [own, all] = [await file(filer), await file(viewer)]
  expect(own.text).not.toContain(number)
  expect(all.text).toContain(number)
  await take(viewer.user.id, record)
  expect((await viewer.get(all.address)).status).toBe(403)
  await take(filer.user.id, record)
  expect((await filer.get(own.address)).status).toBe(403)
})
