import * as v from 'valibot'
import { endpoint } from './endpoint.ts'
import { done } from './fields.ts'

/** Who is signed in, as every page needs it. */
export const SessionUser = v.object({
  id: v.number(),
  first_name: v.string(),
  last_name: v.string(),
  email: v.nullable(v.string()),
  roles: v.array(v.object({ id: v.number(), name: v.string() })),
})
export type SessionUser = v.InferOutput<typeof SessionUser>

/** What the shell starts from (decisions section 2). */
export const Session = v.object({
  user: v.nullable(SessionUser),
  permissions: v.array(v.string()),
  locale: v.picklist(['en', 'fr']),
  settings: v.object({
    number_form: v.picklist(['en-2', 'fr-0']),
    demo: v.boolean(),
    four_eyes: v.boolean(),
  }),
})
export type Session = v.InferOutput<typeof Session>

/** The sign-in form. */
export const SignIn = v.object({
  email: v.pipe(v.string('required'), v.trim(), v.nonEmpty('required')),
  password: v.pipe(v.string('required'), v.nonEmpty('required'), v.maxLength(200, 'password_length')),
  code: v.optional(v.string()),
})
export type SignIn = v.InferOutput<typeof SignIn>

export const session = {
  read: endpoint({ method: 'GET', path: '/session', access: 'public', answer: Session }),
  signIn: endpoint({
    method: 'POST',
    path: '/login',
    access: 'public',
    body: SignIn,
    answer: v.object({ message: v.string(), session: Session }),
  }),
  signOut: endpoint({ method: 'POST', path: '/logout', access: 'public', answer: done }),
}
