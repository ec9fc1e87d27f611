import { addressLimit, backendLimit, correctionsLimit, jsonLimit } from './limits.ts'
import type { Text } from './text.ts'

const larger: [RegExp, number][] = [
  [/^(POST|PUT) \/modules\/[^/]+\/backend\//, backendLimit],
  [/^POST \/imports\/[^/]+\/(check|confirm)$/, correctionsLimit],
]

/** The `bodyLimit` of the call at a path, for whoever has no list of calls. */
export function bodyLimitAt(method: string, path: string): number {
  const call = `${method} ${path.split('?')[0]}`
  return larger.find(([pattern]) => pattern.test(call))?.[1] ?? jsonLimit
}

const megabyte = 1024 * 1024

/** What is said of a body with more octets than `limit` (413). */
export const tooLargeText = (limit: number): Text =>
  limit < megabyte
    ? { en: `What you sent is larger than ${limit / 1024} KB.`, fr: `L’envoi dépasse ${limit / 1024} Ko.` }
    : {
        en: `What you sent is larger than ${limit / megabyte} MB.`,
        fr: `L’envoi dépasse ${limit / megabyte} Mo.`,
      }

/** What is said of an address that is too long (414). */
export const longAddressText: Text = {
  en: `The address of this call is longer than ${addressLimit} characters.`,
  fr: `L’adresse de cet appel dépasse ${addressLimit} caractères.`,
}
