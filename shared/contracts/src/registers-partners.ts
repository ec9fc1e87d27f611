import * as v from 'valibot'
import { endpoint } from './endpoint.ts'
import { answersOf, rulesOf } from './field.ts'
import { done, id, instant, listQuery, page, version } from './fields.ts'
import { partnerFields } from './registers/partners.fields.ts'
import { fileBody, importStarted, Named, reviewQuery } from './registers/register-fields.ts'

/** A partner organisation and its person. `partner_type` is a code of `geography.options`. */
export const Partner = v.object({
  id: v.number(),
  user: v.object({
    id: v.number(),
    first_name: v.string(),
    last_name: v.string(),
    email: v.nullable(v.string()),
  }),
  /** The first twenty by name; `schools_count` are all. */
  schools: v.array(Named),
  schools_count: v.number(),
  ...answersOf(partnerFields),
  created_at: instant,
  version: v.number(),
})
export type Partner = v.InferOutput<typeof Partner>

/** What a person may change of a partner. */
export const PartnerEdit = v.object({ ...rulesOf(partnerFields), version })
export type PartnerEdit = v.InferOutput<typeof PartnerEdit>

/** The calls on partners. */
export const partners = {
  list: endpoint({
    method: 'GET',
    path: '/admin/schools/partners/list',
    access: 'partners.view',
    query: listQuery(['name', 'partner_since', 'partner_type', 'schools'], {
      school: v.optional(id),
      type: v.optional(v.pipe(v.string(), v.maxLength(100, 'too_long|100'))),
    }),
    answer: v.object({ partners: page(Partner) }),
  }),
  /** One partner as stored now, for after a 409. */
  read: endpoint({
    method: 'GET',
    path: '/admin/schools/partners/:id',
    access: 'partners.view',
    answer: v.object({ partner: Partner }),
  }),
  update: endpoint({
    method: 'PUT',
    path: '/admin/schools/partners/:id',
    access: 'partners.update',
    body: PartnerEdit,
    answer: done,
  }),
  import: endpoint({
    method: 'POST',
    path: '/admin/schools/partners/import',
    access: 'partners.import',
    query: reviewQuery,
    body: fileBody('school_partners_file'),
    multipart: true,
    answer: importStarted,
  }),
}
