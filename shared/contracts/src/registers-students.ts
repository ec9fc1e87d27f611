import * as v from 'valibot'
import { endpoint } from './endpoint.ts'
import { chosen, day, done, id, instant, listQuery, page, required, version } from './fields.ts'
import {
  academicYear,
  code,
  exportStarted,
  fileBody,
  importStarted,
  Named,
  optionalDay,
  optionalName,
  optionalOf,
  optionalText,
  reviewQuery,
} from './register-fields.ts'

/** The disability scale (Registers 3.2). */
export const severities = ['no_difficulty', 'some_difficulty', 'lot_of_difficulty', 'cannot_do'] as const
/** Maternal status (Registers 3.2). */
export const maternalStatuses = ['none', 'pregnant', 'mother', 'pregnant_mother'] as const
/** What a disability is recorded for. */
export const disabilities = [
  'disability_vision',
  'disability_hearing',
  'disability_mobility',
  'disability_cognition',
  'disability_selfcare',
  'disability_communication',
  'disability_other',
] as const
/** Fields that are absent without `students.sensitive` (Access 5.1). */
export const sensitiveFields = ['maternal_status', ...disabilities] as const

const severity = v.optional(v.nullable(v.picklist(severities)))

/** A student. `current_class_level` and `language_spoken` are codes of `geography.options`. */
export const Student = v.object({
  id: v.number(),
  user: v.object({
    id: v.number(),
    first_name: v.string(),
    last_name: v.string(),
    date_of_birth: v.nullable(v.string()),
    gender: v.nullable(v.picklist(['male', 'female'])),
  }),
  school: v.object({ ...Named.entries, admin_code: v.string(), start_date: v.nullable(v.string()) }),
  class_id: v.nullable(v.number()),
  class: v.nullable(Named),
  parents: v.array(Named),
  student_code: v.string(),
  student_assigned_id: v.nullable(v.string()),
  current_class_level: v.nullable(v.string()),
  date_of_birth: v.nullable(v.string()),
  admission_number: v.nullable(v.string()),
  academic_year: v.nullable(v.string()),
  start_date: v.nullable(v.string()),
  language_spoken: v.nullable(v.string()),
  maternal_status: v.optional(v.nullable(v.picklist(maternalStatuses))),
  disability_vision: severity,
  disability_hearing: severity,
  disability_mobility: severity,
  disability_cognition: severity,
  disability_selfcare: severity,
  disability_communication: severity,
  disability_other: severity,
  created_at: instant,
  version: v.number(),
})
export type Student = v.InferOutput<typeof Student>

const scale = optionalOf(...severities)

/** What a person may change of a student; sensitive fields count only with `students.sensitive`. */
export const StudentEdit = v.object({
  student_code: code,
  date_of_birth: v.pipe(
    day,
    v.check((date) => date <= new Date().toISOString().slice(0, 10), 'date_future'),
  ),
  student_assigned_id: code,
  current_class_level: required,
  first_name: optionalName,
  last_name: optionalName,
  gender: v.optional(v.nullable(v.picklist(['male', 'female'], 'choose'))),
  class_id: v.optional(
    v.nullable(
      v.pipe(
        v.union([v.literal(''), id], 'choose'),
        v.transform((place) => place || null),
      ),
    ),
  ),
  admission_number: optionalText,
  academic_year: v.optional(
    v.nullable(
      v.pipe(
        v.union([v.literal(''), academicYear], 'academic_year'),
        v.transform((year) => year || null),
      ),
    ),
  ),
  start_date: optionalDay,
  language_spoken: optionalText,
  maternal_status: optionalOf(...maternalStatuses),
  disability_vision: scale,
  disability_hearing: scale,
  disability_mobility: scale,
  disability_cognition: scale,
  disability_selfcare: scale,
  disability_communication: scale,
  disability_other: scale,
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
      search: v.optional(v.pipe(v.string(), v.trim(), v.maxLength(200, 'too_long|200')), ''),
      ...filters,
      ids: v.optional(chosen),
    }),
    answer: exportStarted,
  }),
}
