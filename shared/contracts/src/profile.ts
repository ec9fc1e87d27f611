import * as v from 'valibot'
import { endpoint } from './endpoint.ts'
import { name } from './fields.ts'

/** A person's own record as the profile page shows it. */
export const Profile = v.object({
  id: v.number(),
  first_name: v.string(),
  last_name: v.string(),
  email: v.nullable(v.string()),
  gender: v.nullable(v.picklist(['male', 'female'])),
  type: v.nullable(v.picklist(['teacher', 'student', 'partner', 'developer'])),
  user_title: v.nullable(v.picklist(['mr', 'mrs', 'miss', 'prof', 'dr'])),
  deactivated_at: v.nullable(v.string()),
})
export type Profile = v.InferOutput<typeof Profile>

/** What a person may change of their own record (section 6). */
export const ProfileEdit = v.object({ first_name: name, last_name: name })
export type ProfileEdit = v.InferOutput<typeof ProfileEdit>

export const profile = {
  read: endpoint({
    method: 'GET',
    path: '/users/profile/details',
    access: 'session',
    answer: v.object({ user: Profile }),
  }),
  update: endpoint({
    method: 'PUT',
    path: '/users/profile/update/:id',
    access: 'session',
    body: ProfileEdit,
    answer: v.object({ message: v.string(), user: Profile }),
  }),
}
