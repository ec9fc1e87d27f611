import * as v from 'valibot'
import { endpoint } from './endpoint.ts'
import { id, instant, listQuery, page } from './fields.ts'

/** A school as its list shows it (section 3). */
export const School = v.object({
  id: v.number(),
  name: v.string(),
  admin_code: v.string(),
  type_of_school: v.string(),
  admin_district_as_cap: v.string(),
  education_authority_as_ae: v.string(),
  academic_year: v.string(),
  teachers: v.number(),
  students: v.number(),
  classes: v.number(),
  cap: v.object({ id: v.number(), name: v.string(), academy: v.object({ name: v.string() }) }),
  arrondissement: v.nullable(v.object({ id: v.number(), name: v.string() })),
  partners: v.array(v.object({ id: v.number(), name: v.string() })),
  created_at: instant,
})
export type School = v.InferOutput<typeof School>

export const schools = {
  list: endpoint({
    method: 'GET',
    path: '/admin/schools/list',
    access: 'schools.view',
    query: listQuery(['name', 'admin_code', 'created_at'], { cap: v.optional(id) }),
    answer: v.object({ schools: page(School) }),
  }),
}
