import * as v from 'valibot'
import { endpoint } from './endpoint.ts'
import { done, id, instant, listQuery, oneOf, page, version } from './fields.ts'
import {
  code,
  fileBody,
  importStarted,
  optionalFlag,
  optionalName,
  optionalOf,
  optionalText,
  optionalWhole,
  reviewQuery,
} from './register-fields.ts'
import { anyPhone } from './registers-phone.ts'

/** A guardian. */
export const Parent = v.object({
  id: v.number(),
  user: v.object({ id: v.number(), first_name: v.string(), last_name: v.string() }),
  parent_assigned_id: v.string(),
  students: v.array(v.object({ id: v.number(), name: v.string(), student_code: v.string() })),
  contact_1: v.nullable(v.string()),
  contact_2: v.nullable(v.string()),
  displaced_or_resident: v.nullable(v.picklist(['displaced', 'resident'])),
  is_handicap: v.nullable(v.boolean()),
  profession: v.nullable(v.string()),
  boys_in_f1: v.nullable(v.number()),
  girls_in_f1: v.nullable(v.number()),
  created_at: instant,
  version: v.number(),
})
export type Parent = v.InferOutput<typeof Parent>

/** What a person may change of a guardian. */
export const ParentEdit = v.object({
  parent_assigned_id: code,
  contact_1: anyPhone,
  contact_2: v.optional(
    v.nullable(
      v.union(
        [
          v.pipe(
            v.literal(''),
            v.transform(() => null),
          ),
          anyPhone,
        ],
        'phone_none',
      ),
    ),
  ),
  profession: optionalText,
  boys_in_f1: optionalWhole(0, 50),
  girls_in_f1: optionalWhole(0, 50),
  displaced_or_resident: optionalOf('displaced', 'resident'),
  is_handicap: optionalFlag,
  first_name: optionalName,
  last_name: optionalName,
  version,
})
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
      displaced: v.optional(oneOf('displaced', 'resident')),
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
