import { expect, test } from 'vitest'
import { isNamedAt } from './module-calls.ts'

const manifest = {
  name: 'mfe-clinics',
  collections: [{ name: 'notes' }],
  backends: [{ name: 'stock' }],
  calls: ['GET /admin/schools/:id/users'],
}

test.each([
  [true, 'GET', '/admin/schools/7/users?page=2'],
  [false, 'PUT', '/admin/schools/7/users'],
  [false, 'GET', '/admin/schools/7/users/8'],
  [false, 'GET', '/admin/users/list'],
  [true, 'POST', '/modules/mfe-clinics/records/notes'],
  [true, 'GET', '/modules/mfe-clinics/records/notes/totals?total=all'],
  [true, 'GET', '/modules/mfe-clinics/backend/stock/items/1'],
  [false, 'GET', '/modules/mfe-clinics/records/others'],
  [false, 'GET', '/modules/mfe-other/records/notes'],
  [false, 'POST', '/modules/mfe-clinics/notices'],
  [true, 'POST', '/modules/reports'],
  [false, 'GET', '/admin/modules'],
])(
  'a developer whose module runs isolated reads %s for %s %s before the portal would say so',
  (named, method, address) => {
    expect(isNamedAt(manifest, method, address)).toBe(named)
  },
)
