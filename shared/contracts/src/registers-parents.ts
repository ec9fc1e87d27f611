import * as v from 'valibot'
import { endpoint } from './endpoint.ts'
import { answersOf, codesOf, rulesOf } from './field.ts'
import { done, id, instant, listQuery, oneOf, page, version } from './fields.ts'
import { displaced } from './registers/closed-lists.ts'
import { parentFields } from './registers/parents.fields.ts'
import { fileBody, importStarted, reviewQuery } from './registers/register-fields.ts'

/** A guardian. */
export const Parent = v.object({
  id: v.number(),
  user: v.object({
    id: v.number(),
    first_name: parentFields.first_name.answer,
    last_name: parentFields.last_name.answer,
  }),
  students: v.array(v.object({ id: v.number(), name: v.string(), student_code: v.string() })),
  ...answersOf(parentFields),
  created_at: instant,
  version: v.number(),
})
export type Parent = v.InferOutput<typeof Parent>

/** What a person may change of a guardian. */
export const ParentEdit = v.object({ ...rulesOf(parentFields), version })
export type ParentEdit = v.InferOutput<typeof ParentEdit>

/** The calls on parents. */
export const parents = {
  list: endpoint({
    method: 'GET',
    path: '/admin/schools/parents/list',
    access: 'parents.view',
    query: listQuery(['last_name', 'parent_assigned_id', 'created_at'], {
      cap: v.optional(id),
      school: v.optional(id),
      displaced: v.optional(oneOf(...codesOf(displaced))),
      handicap: v.optional(oneOf('true', 'false')),
    }),
    answer: v.object({ parents: page(Parent) }),
  }),
  /** One guardian as stored now, for after a 409. */
  read: endpoint({
    method: 'GET',
    path: '/admin/schools/parents/:id',
    access: 'parents.view',
    answer: v.object({ parent: Parent }),
  }),
  update: endpoint({
    method: 'PUT',
    path: '/admin/schools/parents/:id',
    access: 'parents.update',
    body: ParentEdit,
    answer: done,
  }),
  import: endpoint({
    method: 'POST',
    path: '/admin/schools/parents/import',
    access: 'parents.import',
    query: reviewQuery,
    body: fileBody('school_parents_file'),
    multipart: true,
    answer: importStarted,
  }),
}
