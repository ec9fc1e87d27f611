import * as v from 'valibot'
import { endpoint } from './endpoint.ts'
import { answersOf } from './field.ts'
import { id, listQuery, page } from './fields.ts'
import { fileBody, importStarted, Named, reviewQuery } from './registers/register-fields.ts'
import { teacherFields } from './registers/teachers.fields.ts'

/** A teacher of a school. `employment_type` is a code of `geography.options`. */
export const Teacher = v.object({
  id: v.number(),
  user: v.object({
    id: v.number(),
    first_name: teacherFields.first_name.answer,
    last_name: teacherFields.last_name.answer,
    email: teacherFields.email.answer,
    gender: teacherFields.gender.answer,
  }),
  school: v.object({ ...Named.entries, admin_code: v.string() }),
  classes: v.array(Named),
  ...answersOf(teacherFields),
})
export type Teacher = v.InferOutput<typeof Teacher>

/** The calls on teachers: they are listed and imported. */
export const teachers = {
  list: endpoint({
    method: 'GET',
    path: '/admin/schools/teachers/list',
    access: 'teachers.view',
    query: listQuery(['last_name', 'first_name', 'school', 'start_date'], {
      region: v.optional(id),
      cap: v.optional(id),
      school: v.optional(id),
      employment_type: v.optional(v.pipe(v.string(), v.maxLength(100, 'too_long|100'))),
    }),
    answer: v.object({ teachers: page(Teacher) }),
  }),
  import: endpoint({
    method: 'POST',
    path: '/admin/schools/teachers/import',
    access: 'teachers.import',
    query: reviewQuery,
    body: fileBody('school_teachers_file'),
    multipart: true,
    answer: importStarted,
  }),
}
