import * as v from 'valibot'
import { User, userChange } from '../access.ts'
import { endpoint } from '../endpoint.ts'
import { oneOf, version } from '../fields.ts'
import { properName } from '../one-line.ts'

/** A person's own record as the profile page shows it. */
export const Profile = v.object({
  ...User.entries,
  /** Null until chosen: then the browser's. */
  locale: v.nullable(v.picklist(['en', 'fr'])),
  /** One-time codes are asked for at sign-in. */
  totp: v.boolean(),
  /** A role of theirs asks for them, so they cannot be turned off. */
  totp_required: v.boolean(),
  /** Recovery codes not used yet. */
  recovery_codes: v.number(),
})
export type Profile = v.InferOutput<typeof Profile>

/** What a person may change of their own record, with the language (Languages 1.2). */
export const ProfileEdit = v.object({
  first_name: properName,
  last_name: properName,
  locale: v.nullish(oneOf('en', 'fr')),
  version,
})
export type ProfileEdit = v.InferOutput<typeof ProfileEdit>

/** The language alone, which is changed on any page: names that the page had read before are not sent. */
export const LocaleEdit = v.object({ locale: oneOf('en', 'fr'), version })
export type LocaleEdit = v.InferOutput<typeof LocaleEdit>

export const profile = {
  read: endpoint({
    method: 'GET',
    path: '/users/profile/details',
    access: 'session',
    beforeCodes: true,
    answer: v.object({ user: Profile }),
  }),
  update: endpoint({ ...userChange, body: ProfileEdit }),
  prefer: endpoint({ ...userChange, body: LocaleEdit }),
  /**
   * Every form of the call as the server reads it: which fields count depends on who calls. A whole object sent back may
   * carry more: fields that the caller may not change are ignored (Calls 1.5).
   */
  change: endpoint({ ...userChange, body: v.looseObject({}) }),
}
