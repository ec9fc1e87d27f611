import * as v from 'valibot'
import { endpoint } from './endpoint.ts'
import { done, email, instant } from './fields.ts'

/** Who is signed in, as every page needs it. */
export const SessionUser = v.object({
  id: v.number(),
  first_name: v.string(),
  last_name: v.string(),
  email: v.nullable(v.string()),
  roles: v.array(v.object({ id: v.number(), name: v.string() })),
  /** A role of theirs asks for one-time codes: until they set them up, only their profile is open to them. */
  totp_needed: v.optional(v.boolean()),
  /** Home shows them their first day (Messages 6.2). */
  first_day: v.optional(v.boolean()),
})
export type SessionUser = v.InferOutput<typeof SessionUser>

/** What the shell starts from. */
export const Session = v.object({
  user: v.nullable(SessionUser),
  permissions: v.array(v.string()),
  locale: v.picklist(['en', 'fr']),
  settings: v.object({
    demo: v.boolean(),
    four_eyes: v.boolean(),
    /** Identity providers, with the names of their buttons; absent where none is configured. */
    sign_in_with: v.optional(v.array(v.object({ name: v.string(), label: v.string() }))),
  }),
})
export type Session = v.InferOutput<typeof Session>

/** A password as it is typed where one is asked for. */
const givenPassword = v.pipe(
  v.string('required'),
  v.nonEmpty('required'),
  v.maxLength(400, 'password_length'),
)
/** A password to be (Access 1.1); the server also refuses the commonest ones and the e-mail. */
const newPassword = v.pipe(
  v.string('required'),
  v.nonEmpty('required'),
  v.check((text) => [...text].length >= 12 && [...text].length <= 200, 'password_length'),
)
/** A one-time code, or a recovery code where one is taken; spaces do not matter. */
export const code = v.pipe(
  v.string('required'),
  v.trim(),
  v.nonEmpty('required'),
  v.maxLength(40, 'totp_code'),
)

/** The sign-in form. Without a code where one is needed: 422 with `code`, and the form asks for it. */
export const SignIn = v.object({
  email: v.pipe(v.string('required'), v.trim(), v.nonEmpty('required')),
  password: givenPassword,
  code: v.optional(v.pipe(v.string(), v.trim(), v.maxLength(40, 'totp_code'))),
})
export type SignIn = v.InferOutput<typeof SignIn>

/** A new password with the token of a mail; an invitation's is used the same way. */
export const PasswordReset = v.object({
  token: v.pipe(v.string('required'), v.nonEmpty('required'), v.maxLength(200, 'invalid')),
  password: newPassword,
})
export type PasswordReset = v.InferOutput<typeof PasswordReset>

/** A new password by whoever knows the present one; every other session of hers ends. */
export const PasswordChange = v.object({ current_password: givenPassword, password: newPassword })
export type PasswordChange = v.InferOutput<typeof PasswordChange>

/** One browser that is signed in as me. */
export const OwnSession = v.object({
  id: v.number(),
  created_at: instant,
  last_seen_at: instant,
  ip: v.nullable(v.string()),
  user_agent: v.nullable(v.string()),
  /** The one that asks. */
  current: v.boolean(),
})
export type OwnSession = v.InferOutput<typeof OwnSession>

/** What a sign-in answers. */
export const signedIn = v.object({
  message: v.string(),
  session: Session,
  /** The address that the person wants to begin with; null is home. */
  start: v.nullable(v.string()),
})

export const session = {
  read: endpoint({ method: 'GET', path: '/session', access: 'public', answer: Session }),
  signIn: endpoint({
    method: 'POST',
    path: '/login',
    access: 'public',
    body: SignIn,
    answer: signedIn,
  }),
  signOut: endpoint({ method: 'POST', path: '/logout', access: 'public', answer: done }),
  /** Mine, the one last seen first. */
  list: endpoint({
    method: 'GET',
    path: '/sessions',
    access: 'session',
    beforeCodes: true,
    answer: v.object({ sessions: v.array(OwnSession) }),
  }),
  /** Signs out elsewhere; the present one too, if it is asked for. */
  end: endpoint({
    method: 'DELETE',
    path: '/sessions/:id',
    access: 'session',
    fresh: true,
    beforeCodes: true,
    answer: done,
  }),
}

export const password = {
  /** Always 200, in the same time, whether there is such an account or not. */
  forgot: endpoint({
    method: 'POST',
    path: '/password/forgot',
    access: 'public',
    body: v.object({ email }),
    answer: done,
  }),
  /** A token that is used up, over or unknown: 422 with `token`. */
  reset: endpoint({
    method: 'POST',
    path: '/password/reset',
    access: 'public',
    body: PasswordReset,
    answer: done,
  }),
  change: endpoint({
    method: 'PUT',
    path: '/password',
    access: 'session',
    fresh: true,
    beforeCodes: true,
    body: PasswordChange,
    answer: done,
  }),
}

/** One-time codes (RFC 6238: SHA-1, six digits, 30 s). */
export const totp = {
  /** Makes a secret; it counts once a code of it was confirmed. 409 when codes are on already. */
  start: endpoint({
    method: 'POST',
    path: '/totp',
    access: 'session',
    beforeCodes: true,
    fresh: true,
    answer: v.object({ message: v.string(), secret: v.string(), uri: v.string() }),
  }),
  /** Turns codes on and gives the recovery codes, this once. Every other session of theirs ends. */
  confirm: endpoint({
    method: 'POST',
    path: '/totp/confirm',
    access: 'session',
    beforeCodes: true,
    fresh: true,
    body: v.object({ code }),
    answer: v.object({ message: v.string(), recovery_codes: v.array(v.string()) }),
  }),
  /** Replaces the recovery codes and gives the new ones, this once. 409 while codes are off. */
  renew: endpoint({
    method: 'POST',
    path: '/totp/recovery-codes',
    access: 'session',
    beforeCodes: true,
    fresh: true,
    answer: v.object({ message: v.string(), recovery_codes: v.array(v.string()) }),
  }),
  remove: endpoint({
    method: 'DELETE',
    path: '/totp',
    access: 'session',
    fresh: true,
    beforeCodes: true,
    body: v.object({ current_password: givenPassword }),
    answer: done,
  }),
}
