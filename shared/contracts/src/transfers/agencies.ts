import * as v from 'valibot'
import {
  Country,
  francs,
  instant,
  name,
  number,
  oneOf,
  PersonName,
  required,
  version,
  whole,
} from '../fields.ts'

/** Whole francs. */
const money = v.number()

/** The protocols of agencies (Money 7.3). */
const protocols = ['sandbox', 'wave', 'gsma', 'file'] as const
export type Protocol = (typeof protocols)[number]
/** Protocols that have a connector; a new agency names one of them. */
export const spokenProtocols = ['sandbox', 'wave', 'gsma', 'file'] as const satisfies readonly Protocol[]

/** Address, protocol and account of an agency; of a secret only its fingerprint. */
export const AgencyTerms = v.object({
  endpoint: v.string(),
  protocol: v.string(),
  details: v.record(v.string(), v.unknown()),
  credentials: v.record(v.string(), v.string()),
})
export type AgencyTerms = v.InferOutput<typeof AgencyTerms>

/** A change of terms that waits for a second person (Money 6.3). */
export const AgencyChange = v.object({
  id: v.number(),
  user_id: v.number(),
  user: PersonName,
  created_at: instant,
  old: AgencyTerms,
  new: AgencyTerms,
})
export type AgencyChange = v.InferOutput<typeof AgencyChange>

/** What an agency can be asked besides to pay. The connector declares it by the calls that it has. */
export const agencyAbilities = [
  'ask_by_key',
  'ask_by_reference',
  'list',
  'balance',
  'verify_name',
  'reverse',
  'report',
] as const

/** What the connector of an agency declares (Money 7.3). */
export const AgencyDeclaration = v.object({
  abilities: v.array(v.picklist(agencyAbilities)),
  /** For how many hours the agency recognises the key of an order. */
  key_life_hours: v.number(),
  /** For how many hours an order that the agency does not find is sent again with its key; 0: a person decides at once. */
  repeat_hours: v.number(),
})
export type AgencyDeclaration = v.InferOutput<typeof AgencyDeclaration>

/** A transfer agency. `details` never carries a secret back (Money 7.2); `secrets` names those that are set. */
export const Agency = v.object({
  id: v.number(),
  name: v.string(),
  description: v.string(),
  type: v.picklist(['mobile_money', 'bank']),
  country: Country,
  /** The agency's own tariff in percent, for comparison only (Money 1.6). */
  fees: v.number(),
  endpoint: v.string(),
  details: v.record(v.string(), v.unknown()),
  secrets: v.array(v.string()),
  status: v.picklist(['active', 'inactive']),
  user: PersonName,
  created_at: instant,
  /** Payments there whose outcome is open: while there are any, its terms do not change. */
  open_outcomes: v.number(),
  change: v.nullable(AgencyChange),
  /** Null for a protocol without a connector. */
  declares: v.nullable(AgencyDeclaration),
  version: v.number(),
})
export type Agency = v.InferOutput<typeof Agency>

const isObject = (given: unknown): given is Record<string, unknown> =>
  typeof given === 'object' && given !== null && !Array.isArray(given)

/** A JSON object, as itself or as the text that a form has of it. The server knows what each protocol needs in it. */
const jsonObject = v.pipe(
  v.union(
    [
      v.string(),
      v.pipe(
        v.custom<Record<string, unknown>>(isObject),
        v.transform((given) => JSON.stringify(given)),
      ),
    ],
    ({ input }) => (input === undefined || input === null ? 'required' : 'json_object'),
  ),
  v.trim(),
  v.nonEmpty('required'),
  v.maxLength(20_000, 'too_long|20000'),
  v.check((text) => {
    try {
      return isObject(JSON.parse(text))
    } catch {
      return false
    }
  }, 'json_object'),
)

/** The column of a percentage has hundredths, and would round what a person typed. */
const isHundredths = (percent: number) => Math.abs(percent * 100 - Math.round(percent * 100)) < 1e-9

/** The create-agency form. */
export const AgencyCreate = v.object({
  name,
  description: required,
  type: oneOf('mobile_money', 'bank'),
  country: oneOf('ml', 'sn'),
  fees: v.pipe(
    number,
    v.minValue(0, 'between|0|100'),
    v.maxValue(100, 'between|0|100'),
    v.check(isHundredths, 'percent_decimals'),
  ),
  endpoint: v.pipe(
    v.string('required'),
    v.trim(),
    v.nonEmpty('required'),
    v.maxLength(500, 'too_long|500'),
    v.url('endpoint_url'),
  ),
  details: jsonObject,
})
export type AgencyCreate = v.InferOutput<typeof AgencyCreate>

/**
 * What may change of an agency. A status holds at once; endpoint and details are proposed, and hold once another person
 * confirms. Details are sent whole, with every credential anew.
 */
export const AgencyUpdate = v.object({
  status: v.optional(oneOf('active', 'inactive')),
  details: v.optional(jsonObject),
  endpoint: v.optional(AgencyCreate.entries.endpoint),
  version,
})
export type AgencyUpdate = v.InferOutput<typeof AgencyUpdate>

/** The second person's decision on a change. */
export const AgencyChangeDecision = v.object({ action: oneOf('confirmed', 'refused') })

/** A transfer parameter: `commission` in percent, `amount` in whole francs per round, `frequency` in times per month. */
export const Parameter = v.object({
  id: v.number(),
  name: v.string(),
  description: v.string(),
  commission: v.number(),
  amount: money,
  currency: v.literal('XOF'),
  frequency: v.number(),
  status: v.picklist(['active', 'inactive']),
  user: PersonName,
  created_at: instant,
  version: v.number(),
})
export type Parameter = v.InferOutput<typeof Parameter>

/** The create-parameter form (Money 1.2, Money 1.4). */
export const ParameterCreate = v.object({
  name,
  description: required,
  commission: v.pipe(
    number,
    v.minValue(0, 'commission_range'),
    v.maxValue(100, 'commission_range'),
    v.check(isHundredths, 'commission_decimals'),
  ),
  amount: francs,
  currency: v.pipe(
    v.string('required'),
    v.trim(),
    v.nonEmpty('required'),
    v.toUpperCase(),
    v.literal('XOF', 'currency_xof'),
  ),
  frequency: whole(1, 31),
})
export type ParameterCreate = v.InferOutput<typeof ParameterCreate>
