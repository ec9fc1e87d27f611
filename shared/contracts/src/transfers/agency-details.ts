import * as v from 'valibot'
import { required } from '../fields.ts'
import type { spokenProtocols } from './agencies.ts'

type SpokenProtocol = (typeof spokenProtocols)[number]

/**
 * A detail that a connector knows. One that is not `open` is encrypted and never shown again (Money 7.2). One that is
 * required `with` another is left out without it, and the other way round. The portal calls an `address`, so that it must
 * be one that it may call (Money 7.1).
 */
export type DetailField = {
  name: string
  required: boolean | { with: string } | { without: string }
  open: boolean
  address?: true
  schema?: v.GenericSchema
}

/** Whether a field is needed beside the details that there are. */
export function isNeeded(
  { required: needed }: Pick<DetailField, 'required'>,
  has: (name: string) => boolean,
): boolean {
  if (typeof needed === 'boolean') return needed
  return 'with' in needed ? has(needed.with) : !has(needed.without)
}

/** A key as its agency gave it. Blanks and short texts come from a copy that went wrong. */
const credential = v.pipe(required, v.regex(/^[!-~]{16,300}$/, 'detail_credential'))

/** The details of each protocol, for the form and for the server. */
export const detailFields: Record<SpokenProtocol, readonly DetailField[]> = {
  sandbox: [
    { name: 'account', required: false, open: true },
    { name: 'token', required: false, open: false },
  ],
  wave: [
    {
      name: 'wallet',
      required: true,
      open: true,
      schema: v.pipe(required, v.maxLength(100, 'too_long|100')),
    },
    { name: 'api_key', required: true, open: false, schema: credential },
    { name: 'callback_secret', required: false, open: false, schema: v.optional(credential) },
  ],
  gsma: [
    {
      name: 'paying_account',
      required: true,
      open: true,
      schema: v.pipe(
        required,
        v.regex(/^(organisationid|walletid|accountid|msisdn):[\w+.-]{1,100}$/, 'detail_party'),
      ),
    },
    {
      name: 'api_key',
      required: { without: 'token_url' },
      open: false,
      schema: v.optional(credential),
    },
    {
      name: 'token_url',
      required: { with: 'client_secret' },
      open: true,
      address: true,
      schema: v.optional(v.pipe(required, v.maxLength(500, 'too_long|500'))),
    },
    {
      name: 'client_id',
      required: { with: 'token_url' },
      open: true,
      schema: v.optional(v.pipe(required, v.regex(/^[!-~]{1,100}$/, 'detail_client'))),
    },
    {
      name: 'client_secret',
      required: { with: 'token_url' },
      open: false,
      schema: v.optional(credential),
    },
    { name: 'callback_secret', required: false, open: false, schema: v.optional(credential) },
  ],
  // The account at the bank is in every file, so nothing of it is secret.
  file: [
    {
      name: 'payer_name',
      required: true,
      open: true,
      schema: v.pipe(required, v.regex(/^[A-Za-z0-9/?:().,'+ -]{1,70}$/, 'detail_payer')),
    },
    {
      name: 'payer_account',
      required: true,
      open: true,
      schema: v.pipe(
        required,
        v.regex(/^(?:(?:ML|SN)\d{2}[A-Z0-9]{24}|[A-Z0-9]{22}\d{2})$/, 'detail_account'),
      ),
    },
    {
      name: 'payer_bank',
      required: true,
      open: true,
      schema: v.pipe(required, v.regex(/^[A-Z]{6}[A-Z0-9]{2}(?:[A-Z0-9]{3})?$/, 'detail_bic')),
    },
  ],
}

/** The keys of the sentences that refuse details, by `details.<name>`. */
export function detailFaults(
  protocol: SpokenProtocol,
  details: Record<string, unknown>,
): Record<string, string> {
  const faults: Record<string, string> = {}
  for (const field of detailFields[protocol]) {
    const { name, schema } = field
    if (isNeeded(field, (other) => Boolean(details[other])) && !details[name])
      faults[`details.${name}`] = 'required'
    else if (schema) {
      const { issues } = v.safeParse(schema, details[name])
      if (issues) faults[`details.${name}`] = issues[0].message
    }
  }
  return faults
}
