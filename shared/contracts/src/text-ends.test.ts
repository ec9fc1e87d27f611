import * as v from 'valibot'
import { expect, test } from 'vitest'
import { allCalls } from './test-calls.ts'

const structured = ['object', 'array', 'record', 'tuple', 'union', 'optional', 'nullable', 'nullish']
interface Schema extends v.GenericSchema {
  entries?: Record<string, Schema>
  options?: Schema[]
  items?: Schema[]
  item?: Schema
  wrapped?: Schema
  value?: Schema
}

/** Longer than the longest text of a form, the details of an agency. */
const long = 'x'.repeat(20_001)

/** Where in a body a text of any length is taken. */
function endless(schema: Schema, at: string): string[] {
  if (v.safeParse(schema, long).success) return [at]
  const { entries = {}, options = [], items = [], item, wrapped, value } = schema
  // What is around these refuses the text already, if they are texts.
  const structures = [...options, ...(wrapped ? [wrapped] : [])].filter(({ type }) =>
    structured.includes(type),
  )
  return [
    ...Object.entries(entries).flatMap(([key, part]) => endless(part, `${at}.${key}`)),
    ...[...structures, ...items, ...[item, value].filter((part) => part !== undefined)].flatMap((part) =>
      endless(part, at),
    ),
  ]
}

/** Texts without an end of their own, by call or place. None of them is stored as it was sent. */
const elsewhere: Record<string, string> = {
  'bankFiles.create.account': 'is compared with the account that was shown',
  'transfers.decide.list_hash': 'is compared with the hash of the list',
  'session.signIn.email': 'is looked for, and its body has 64 KiB',
  'roles.remove.name': 'is ignored',
  'users.assignRole.id': 'is ignored',
  'users.deactivate.id': 'is ignored',
  callbacks: 'are octets that an agency signed, read by its connector',
  'messages.sync': 'is checked message by message',
  moduleBackends: 'are octets for a server of a team, which has a limit of its own',
  moduleRecords: 'are checked against the declared fields, and have 20 KB',
  moduleSandboxes: 'are checked like records',
  'moduleSettings.change.values': 'are checked against the declared settings',
  'drafts.keep': 'has 40,000 octets, by a constraint',
  'geography.updateLocation': 'is read into four names, which have an end',
  targetSelection: 'is read into a list, whose items have an end',
}

test('whatever a person writes into a call has a longest text, so that nobody stores one without an end', () => {
  const found = allCalls.flatMap(({ name, call }) =>
    [call.body, call.query].flatMap((schema) => (schema ? endless(schema as Schema, name) : [])),
  )
  const places = found.filter(
    (place) => !Object.keys(elsewhere).some((known) => `${place}.`.startsWith(`${known}.`)),
  )
  expect(places).toEqual([])
  for (const known of Object.keys(elsewhere))
    expect(
      found.some((place) => `${place}.`.startsWith(`${known}.`)),
      known,
    ).toBe(true)
})
