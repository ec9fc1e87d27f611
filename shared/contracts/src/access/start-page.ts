import * as v from 'valibot'
import { endpoint } from '../endpoint.ts'

/**
 * The page that opens after a person's sign-in: an address of the portal without a query, `view:12` for one of her saved views,
 * or nothing for home (Access 4.4).
 */
export const StartPage = v.object({
  start: v.pipe(
    v.string('choose'),
    v.maxLength(200, 'choose'),
    v.regex(/^((\/[a-z0-9_-]+)+|view:[1-9]\d{0,14})?$/, 'choose'),
  ),
})
export type StartPage = v.InferOutput<typeof StartPage>

/** Whether a person may open an address is the shell's to say, which knows all pages: she lands on home if not. */
export const startPage = {
  read: endpoint({ method: 'GET', path: '/start-page', access: 'session', answer: StartPage }),
  /** A view that is gone or somebody else's: 422 with `start`. */
  choose: endpoint({
    method: 'PUT',
    path: '/start-page',
    access: 'session',
    body: StartPage,
    answer: v.object({ message: v.string(), ...StartPage.entries }),
  }),
}
