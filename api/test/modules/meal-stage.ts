import type { Permission } from '@portal/contracts/permissions'
import { beforeAll, beforeEach } from 'vitest'
import { followModules } from '../../src/modules/permissions.service.ts'
import type { Portal } from '../portal.ts'
import { release } from './modules.ts'

export const label = (en: string, fr: string) => ({ en, fr })
export const meal = 'meals.record' as Permission
export const meals = '/modules/mfe-meals/records/meals'

const fields = [
  { name: 'school', label: label('School', 'École'), type: 'text', required: true, max: 40 },
  { name: 'weighed', label: label('Girls weighed', 'Filles pesées'), type: 'whole', min: 0, max: 900 },
  { name: 'kilos', label: label('Kilos', 'Kilos'), type: 'number' },
  { name: 'date', label: label('Date', 'Date'), type: 'day' },
  { name: 'hot', label: label('Hot', 'Chaud'), type: 'boolean' },
  {
    ...{ name: 'dish', label: label('Dish', 'Plat'), type: 'text' },
    values: [{ value: 'rice', label: label('Rice', 'Riz') }],
  },
  { name: 'notes', label: label('Notes', 'Notes') },
]

/** The module mfe-meals, whose records are free or have declared fields. */
export const declared = (version: string, typed: boolean) => ({
  ...{ name: 'mfe-meals', version },
  permissions: [{ name: meal, label: label('Record meals', 'Saisir des repas') }],
  collections: [{ name: 'meals', read: meal, write: meal, ...(typed && { fields }) }],
})

/** For tests of records of meals: the module is live, without declared fields, and each test has an empty portal. */
export function mealStage(portal: Portal): void {
  beforeAll(async () => {
    await release(portal.context.registry, declared('1.0.0', false))
    await followModules(portal.context)()
  })
  beforeEach(() => portal.clear())
}
