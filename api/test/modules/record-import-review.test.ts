import type { Permission } from '@portal/contracts/permissions'
import { beforeAll, expect, test } from 'vitest'
import { followModules } from '../../src/modules/permissions.service.ts'
import { startPortal } from '../portal.ts'
import { addPlaces, addSchools, sheetFile, stopped } from '../registers/registers.ts'
import { release } from './modules.ts'

const portal = await startPortal()
const keep = 'letters.keep' as Permission
const letters = '/modules/mfe-letters/records/letters'
const label = (text: string) => ({ en: text, fr: text })
/** Named as the review calls what it keeps of a row besides its cells. */
const fields = [
  { name: 'school', label: label('School'), type: 'reference', to: 'school', required: true },
  { name: 'confirmed', label: label('Confirmed'), type: 'boolean' },
  { name: 'left_out', label: label('Left out'), type: 'text' },
  { name: 'references', label: label('References'), type: 'text' },
  { name: 'notes', label: label('Notes'), type: 'text', max: 2000 },
]
let clerk = await portal.visitor()
let school = ''

beforeAll(async () => {
  await release(portal.context.registry, {
    ...{ name: 'mfe-letters', version: '1.0.0', permissions: [{ name: keep, label: label('Keep letters') }] },
    collections: [
      { ...{ name: 'letters', label: label('Letter'), read: keep, write: keep, fields }, import: '/x' },
    ],
  })
  await followModules(portal.context)()
  await portal.worker()
  await addPlaces(portal)
  await addSchools(portal, 1)
  clerk = await portal.signedIn(keep, 'schools.view')
  school = (await portal.owner.query('select admin_code from schools')).rows[0].admin_code
})

const heads = ['School', 'Confirmed', 'Left out', 'References', 'Notes']
async function reviewed(...rows: (string | null)[][]): Promise<number> {
  const sent = await clerk.upload(`${letters}/import?review=1`, { records_file: sheetFile([heads, ...rows]) })
  const { id } = sent.body.import
  expect(await stopped(clerk, id)).toMatchObject({ state: 'review' })
  return id
}
const corrected = (id: number, column: string, value: string) =>
  clerk.post(`/imports/${id}/check`, { corrections: [{ row: 2, column, value }] })
const written = async (id: number) => {
  await clerk.post(`/imports/${id}/confirm`, {})
  expect(await stopped(clerk, id)).toMatchObject({ state: 'imported' })
  const { rows } = await portal.owner.query('select data from module_records order by id desc limit 1')
  return rows[0].data
}

test('a clerk corrects fields that are called confirmed and left out, takes one back, and finds what the file says', async () => {
  const id = await reviewed([school, 'perhaps', 'nobody', 'A letter of May', null])
  expect((await corrected(id, 'confirmed', 'yes')).body.import).toMatchObject({
    rows_new: 1,
    rows_rejected: 0,
  })
  await corrected(id, 'left_out', 'somebody')
  expect((await clerk.post(`/imports/${id}/undo`, {})).status).toBe(200)
  await clerk.post(`/imports/${id}/check`, { leave_out: [2] })
  expect((await clerk.post(`/imports/${id}/undo`, {})).body.import).toMatchObject({ rows_new: 1 })
  expect(await written(id)).toEqual({
    school: expect.any(Number),
    confirmed: true,
    left_out: 'nobody',
    references: 'A letter of May',
  })
})

test('a clerk corrects a cell of 2,000 characters in the review, and a longer one is refused with a sentence', async () => {
  const id = await reviewed([school, 'yes', null, null, 'x'.repeat(2001)])
  const refused = await corrected(id, 'notes', 'x'.repeat(2001))
  expect([refused.status, Object.values(refused.body.errors).flat()]).toEqual([
    422,
    ['Write at most 2000 characters.'],
  ])
  expect((await corrected(id, 'notes', 'x'.repeat(2000))).body.import).toMatchObject({ rows_new: 1 })
  expect((await written(id)).notes).toHaveLength(2000)
})
