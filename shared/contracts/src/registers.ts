import * as v from 'valibot'
import { endpoint } from './endpoint.ts'
import { answersOf, rulesOf } from './field.ts'
import { Country, chosen, done, id, instant, listQuery, page, searched, version } from './fields.ts'
import { exportStarted, fileBody, importStarted, Named, reviewQuery } from './registers/register-fields.ts'
import { schoolFields } from './registers/schools.fields.ts'
import { Student } from './registers-students.ts'
import { Teacher } from './registers-teachers.ts'

/** A school as its list shows it. `type_of_school` is a code of `geography.options`. */
export const School = v.object({
  id: v.number(),
  ...answersOf(schoolFields),
  teachers: v.number(),
  students: v.number(),
  classes: v.number(),
  cap: v.object({ id: v.number(), name: v.string(), academy: v.object({ name: v.string() }) }),
  arrondissement: v.nullable(Named),
  partners: v.array(Named),
  created_at: instant,
  version: v.number(),
})
export type School = v.InferOutput<typeof School>

/** What a person may change of a school; CAP and AE by their names. */
export const SchoolEdit = v.object({ ...rulesOf(schoolFields), version })
export type SchoolEdit = v.InferOutput<typeof SchoolEdit>

const filters = {
  region: v.optional(id),
  cercle: v.optional(id),
  cap: v.optional(id),
  academy: v.optional(id),
  partner: v.optional(id),
  type: v.optional(v.pipe(v.string(), v.maxLength(100, 'too_long|100'))),
}

/** The permissions to choose among schools and classes: those of the registers of schools and people. */
export const seesRegisters = [
  'schools.view',
  'teachers.view',
  'students.view',
  'parents.view',
  'partners.view',
  'schools.update',
] as const

/** The calls on schools. */
export const schools = {
  list: endpoint({
    method: 'GET',
    path: '/admin/schools/list',
    access: 'schools.view',
    query: listQuery(['name', 'admin_code', 'created_at', 'cap', 'academy'], filters),
    answer: v.object({ schools: page(School) }),
  }),
  /** One school as it is now: what the form shows after a 409. */
  read: endpoint({
    method: 'GET',
    path: '/admin/schools/:id',
    access: 'schools.view',
    answer: v.object({ school: School }),
  }),
  update: endpoint({
    method: 'PUT',
    path: '/admin/schools/:id',
    access: 'schools.update',
    body: SchoolEdit,
    answer: done,
  }),
  import: endpoint({
    method: 'POST',
    path: '/admin/schools/import',
    access: 'schools.import',
    query: reviewQuery,
    body: fileBody('schools_file'),
    multipart: true,
    answer: importStarted,
  }),
  /** The schools that search and filters of the list leave, or those chosen in it. */
  export: endpoint({
    method: 'POST',
    path: '/admin/schools/export',
    access: 'schools.export',
    body: v.object({ search: searched, ...filters, ids: v.optional(chosen) }),
    answer: exportStarted,
  }),
  /** A school with its teachers or students, under the type's name; the type's own `.view` is needed too. */
  people: endpoint({
    method: 'GET',
    path: '/admin/schools/:id/users',
    access: 'schools.view',
    query: v.object({
      ...listQuery(['last_name', 'first_name']).entries,
      type: v.picklist(['teacher', 'student'], 'choose'),
    }),
    answer: v.object({
      school: School,
      user_type: v.picklist(['teacher', 'student']),
      teacher: v.optional(page(Teacher)),
      student: v.optional(page(Student)),
    }),
  }),
  /** Schools to choose from (filters, forms): the first twenty that match. Whoever sees any register of them may ask. */
  options: endpoint({
    method: 'GET',
    path: '/admin/schools/options',
    access: seesRegisters,
    query: v.object({ search: searched, id: v.optional(id) }),
    answer: v.object({ schools: v.array(v.object({ ...Named.entries, admin_code: v.string() })) }),
  }),
  /** The classes of a school, and its country, whose class levels they are of. */
  classes: endpoint({
    method: 'GET',
    path: '/admin/schools/:id/classes',
    access: seesRegisters,
    answer: v.object({ country: Country, classes: v.array(Named) }),
  }),
}
