import { beforeEach, expect, test } from 'vitest'
import { startPortal } from '../portal.ts'
import { addSegouSchools } from '../registers/segou-schools.ts'

const portal = await startPortal()

beforeEach(() => portal.clear())

test('a person sees the totals of the registers on the home page, also by CAP', async () => {
  await addSegouSchools(portal, 3)
  const person = await portal.signedIn()
  const home = await person.get('/home/statistics')
  expect(home.body).toMatchObject({
    loggedInUser: { id: person.user.id, first_name: 'Awa' },
    totalSchools: 3,
    totalStudents: 0,
    totalDisbursed: 0,
    disbursementByCap: [{ admin_district_as_cap: 'CAP SÉGOU', schools: 3, total_disbursed: 0 }],
  })
})

test('a person sees two CAPs of one name in two academies as two rows, each with its academy', async () => {
  await addSegouSchools(portal, 3)
  await portal.owner.query(`
    with ae as (insert into academies (region_id, name) select region_id, 'AE AUTRE' from academies limit 1 returning id),
      cap as (insert into caps (academy_id, name) select id, 'CAP SÉGOU' from ae returning id)
    insert into schools (name, admin_code, type_of_school, cap_id, academic_year) select 'Other', 'OTH-1', 'public', id, '2026-2027' from cap`)
  const { body } = await (await portal.signedIn()).get('/home/statistics')
  const rows: { id: number; admin_district_as_cap: string; schools: number }[] = body.disbursementByCap
  expect(new Set(rows.map(({ id }) => id)).size).toBe(2)
  expect(rows.map((row) => [row.admin_district_as_cap, row.schools])).toEqual([
    ['CAP SÉGOU (AE AUTRE)', 1],
    [expect.stringMatching(/^CAP SÉGOU \((?!AE AUTRE)/), 3],
  ])
})
