import type { Permission } from '@portal/contracts/permissions'
import exceljs from 'exceljs'
import { afterEach, beforeAll, beforeEach } from 'vitest'
import { followModules } from '../../src/modules/permissions.service.ts'
import type { Client } from '../client.ts'
import type { Portal } from '../portal.ts'
import { addPlaces, addSchools, addStudents } from '../registers/registers.ts'
import { release } from './modules.ts'

export const meal = 'meals.record' as Permission
export const meals = '/modules/mfe-meals/records/meals'
const label = (en: string, fr = en) => ({ en, fr })

const fields = [
  { name: 'school', label: label('School', 'École'), type: 'reference', to: 'school', required: true },
  { name: 'girl', label: label('Girl', 'Fille'), type: 'reference', to: 'student' },
  { name: 'day', label: label('Day', 'Jour'), type: 'day', required: true, sort: true, filter: true },
  { name: 'girls', label: label('Girls fed', 'Filles nourries'), type: 'whole', min: 0, max: 900 },
  { name: 'kilos', label: label('Kilos'), type: 'number' },
  { name: 'hot', label: label('Hot', 'Chaud'), type: 'boolean' },
  {
    ...{ name: 'dish', label: label('Dish', 'Plat'), type: 'text' },
    values: [
      { value: 'rice', label: label('Rice', 'Riz') },
      { value: 'millet', label: label('Millet', 'Mil') },
    ],
  },
  { name: 'notes', label: label('Notes', 'Remarques'), type: 'text', max: 4000, search: true },
]
export const manifest = (version: string, imports: { import?: string } = {}) => ({
  ...{ name: 'mfe-meals', version, title: label('Meals', 'Repas') },
  permissions: [{ name: meal, label: label('Record meals', 'Saisir des repas') }],
  collections: [
    { ...{ name: 'meals', label: label('Meal', 'Repas'), read: meal, write: meal, fields }, ...imports },
  ],
})
export const importable = manifest('1.0.0', { import: '/admin/meals' })

export async function bookOf(bytes: Buffer): Promise<exceljs.Worksheet> {
  const book = new exceljs.Workbook()
  await book.xlsx.load(bytes as never)
  const [sheet] = book.worksheets
  if (!sheet) throw new Error('There is no sheet')
  return sheet
}
export const fileOf = async ({ workbook }: exceljs.Worksheet, name = 'meals.xlsx') =>
  new File([new Uint8Array(await workbook.xlsx.writeBuffer())], name)

/** For tests of imports of meals: the module is live, and each test has two schools and a girl. */
export function mealImportStage(portal: Portal) {
  beforeAll(async () => {
    await release(portal.context.registry, importable)
    await followModules(portal.context)()
  })
  // After each test and not before: a worker of its own process needs what the migrations wrote.
  afterEach(() => portal.clear())
  beforeEach(async () => {
    await addPlaces(portal)
    await addSchools(portal, 2)
    await addStudents(portal, 1)
  })

  return {
    cookWith: () => portal.signedIn(meal, 'schools.view', 'students.view'),
    send: (person: Client, file: File, review = true) =>
      person.upload(`${meals}/import${review ? '?review=1' : ''}`, { records_file: file }),
    async codes() {
      const { rows } = await portal.owner.query(
        'select (select min(admin_code) from schools) as school, (select student_code from students) as girl',
      )
      return rows[0] as { school: string; girl: string }
    },
  }
}
