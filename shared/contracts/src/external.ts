import * as v from 'valibot'
import { endpoint } from './endpoint.ts'

/** What a consultant is asked, without anybody's name (decisions 5.7). */
export const Consultation = v.object({
  id: v.number(),
  number: v.string(),
  comment: v.string(),
  created_at: v.string(),
})
export type Consultation = v.InferOutput<typeof Consultation>

export const external = {
  read: endpoint({
    method: 'GET',
    path: '/external/cases/:invite',
    access: 'invite',
    answer: v.object({ complainReferral: Consultation }),
  }),
}
