import * as v from 'valibot'
import { endpoint } from '../endpoint.ts'
import { code, signedIn } from '../session.ts'

/** Sign-in through an identity provider. The first two calls are pages that a browser opens; both lead it on (303). */
export const signInWith = {
  /** Leads to the provider. `next` is the page that is opened afterwards, `again` asks for the password there. */
  start: endpoint({
    method: 'GET',
    path: '/login/with/:provider',
    access: 'public',
    query: v.object({
      next: v.optional(v.pipe(v.string(), v.maxLength(2000, 'too_long|2000'))),
      again: v.optional(v.picklist(['true'], 'choose')),
    }),
    answer: v.unknown(),
  }),
  /** The provider leads here. A refusal leads to the sign-in page, which has a sentence for it. */
  callback: endpoint({
    method: 'GET',
    path: '/login/with/:provider/callback',
    access: 'public',
    answer: v.unknown(),
  }),
  /** The one-time code of somebody whom a provider has vouched for. */
  code: endpoint({
    method: 'POST',
    path: '/login/code',
    access: 'public',
    body: v.object({ code }),
    answer: signedIn,
  }),
}

/** Why the sign-in page is shown after a sign-in by a provider: its own sentence for each. */
export type SignInWithOutcome = 'code' | 'refused' | 'away' | 'over' | 'wait'
