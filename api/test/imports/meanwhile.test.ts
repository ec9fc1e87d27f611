import { expect, test } from 'vitest'
import { addSchools, fileOf, imported, startImports, stopped, student } from '../registers/registers.ts'

const { portal, owner, officer, one } = await startImports()

const school = {
  ...{ admin_code: 'KIT-9', name: 'École de Kita Est', type_of_school: 'public' },
  ...{ academic_year: '2026-2027', admin_district_as_cap: 'CAP KITA', education_authority_as_ae: 'AE KAYES' },
}

test('an officer reads that a CAP of her file became inactive after her review, and her school is not written', async () => {
  const person = await officer()
  const { id } = await imported(person, 'schools', fileOf([school]), true)
  await owner.query(`update caps set active = false where name = 'CAP KITA'`)
  expect((await person.post(`/imports/${id}/confirm`, {})).status).toBe(200)
  expect(await stopped(person, id)).toMatchObject({
    ...{ state: 'review', rows_new: 0, rows_rejected: 1 },
    errors: [
      { row: 2, column: 'admin_district_as_cap', message: 'CAP KITA is inactive. Choose another CAP.' },
    ],
  })
  expect(await one('select count(*)::int as n from schools')).toEqual({ n: 0 })
})

test('an officer reads that the school of a girl went to the other country after her review, where her level is unknown', async () => {
  await addSchools(portal)
  const person = await officer()
  const { id } = await imported(person, 'students', fileOf([student(1)]), true)
  await owner.query(
    `update schools set cap_id = (select id from caps where name = 'IEF VELINGARA') where admin_code = 'KIT-1'`,
  )
  await person.post(`/imports/${id}/confirm`, {})
  expect(await stopped(person, id)).toMatchObject({
    ...{ state: 'review', rows_new: 0, rows_rejected: 1 },
    errors: [{ row: 2, column: 'current_class_level' }],
  })
})
