import * as v from 'valibot'
import { endpoint } from './endpoint.ts'
import { answersOf, rulesOf } from './field.ts'
import { chosen, done, id, instant, listQuery, page, searched, version } from './fields.ts'
import { exportStarted, fileBody, importStarted, Named, reviewQuery } from './registers/register-fields.ts'
import { studentFields } from './registers/students.fields.ts'

/** A student. `current_class_level` and `language_spoken` are codes of `geography.options`. */
export const Student = v.object({
  id: v.number(),
  user: v.object({
    id: v.number(),
    first_name: studentFields.first_name.answer,
    last_name: studentFields.last_name.answer,
    date_of_birth: studentFields.date_of_birth.answer,
    gender: studentFields.gender.answer,
  }),
  school: v.object({ ...Named.entries, admin_code: v.string(), start_date: v.nullable(v.string()) }),
  class: v.nullable(Named),
  parents: v.array(Named),
  date_of_birth: studentFields.date_of_birth.answer,
  ...answersOf(studentFields),
  created_at: instant,
  version: v.number(),
})
export type Student = v.InferOutput<typeof Student>

/** What a person may change of a student; sensitive fields count only with `students.sensitive`. */
export const StudentEdit = v.object({
  ...rulesOf(studentFields),
  /** True once a person has confirmed an age that is unusual for the class level (Registers 3.4). */
  age_confirmed: v.optional(v.boolean('boolean'), false),
  version,
})
export type StudentEdit = v.InferOutput<typeof StudentEdit>

const text = v.optional(v.pipe(v.string(), v.maxLength(100, 'too_long|100')))
const filters = {
  region: v.optional(id),
  cap: v.optional(id),
  school: v.optional(id),
  class: v.optional(id),
  class_level: text,
  language: text,
}

/** The calls on students. */
export const students = {
  list: endpoint({
    method: 'GET',
    path: '/admin/schools/students/list',
    access: 'students.view',
    query: listQuery(['last_name', 'student_code', 'created_at'], filters),
    answer: v.object({ students: page(Student) }),
  }),
  /** One student as she is now, for details and after a 409. */
  read: endpoint({
    method: 'GET',
    path: '/admin/schools/students/:id',
    access: 'students.view',
    answer: v.object({ student: Student }),
  }),
  update: endpoint({
    method: 'PUT',
    path: '/admin/schools/students/:id',
    access: 'students.update',
    body: StudentEdit,
    answer: done,
  }),
  import: endpoint({
    method: 'POST',
    path: '/admin/schools/students/import',
    access: 'students.import',
    query: reviewQuery,
    body: fileBody('school_students_file'),
    multipart: true,
    answer: importStarted,
  }),
  /** The students that search and filters of the list leave, or those chosen in it; sensitive columns only with `students.sensitive`. */
  export: endpoint({
    method: 'POST',
    path: '/admin/schools/students/export',
    access: 'students.export',
    body: v.object({
      search: searched,
      ...filters,
      ids: v.optional(chosen),
    }),
    answer: exportStarted,
  }),
}
