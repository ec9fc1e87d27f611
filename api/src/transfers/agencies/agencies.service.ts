import type { QueryOf } from '@portal/contracts/endpoint'
import type { Page } from '@portal/contracts/fields'
import type { transfers } from '@portal/contracts/transfers'
import {
  type Agency,
  type AgencyCreate,
  type Parameter,
  type ParameterCreate,
  spokenProtocols,
} from '@portal/contracts/transfers/agencies'
import { detailFaults, detailFields, isNeeded } from '@portal/contracts/transfers/agency-details'
import { sql } from 'kysely'
import { audit } from '../../kit/audit/audit.ts'
import { type Db, rows, type Tx, transaction } from '../../kit/database/db.ts'
import { matches, paged } from '../../kit/database/paging.ts'
import { expectVersion, type SentVersion, versionMark } from '../../kit/database/versions.ts'
import { refuseBadInput } from '../../kit/http/input.ts'
import { conflict, constraintFault, invalid, notFound } from '../../kit/http/refusals.ts'
import type { Actor } from '../../kit/http/session.ts'
import type { Context } from '../../kit/process/context.ts'
import type { KeyRing } from '../../kit/secrets/keys.ts'
import { seal } from '../../kit/secrets/seal.ts'
import { type AgencyAddresses, addressFaults } from '../connectors/agency-address.ts'
import { addressRules } from '../connectors/agency-line.ts'
import { connectorFacts, declaredBy } from '../connectors/index.ts'
import { say } from '../messages.ts'

constraintFault('transfer_agencies_name', 'name')
constraintFault('transfer_parameters_name', 'name')

const byWhom = sql`jsonb_build_object('first_name', u.first_name, 'last_name', u.last_name) as "user"`

/** SQL: the proposed change of the agency that a second person has not decided yet. */
const openChange = sql`(
  select jsonb_build_object('id', x.id, 'user_id', x.user_id, 'created_at', to_char(x.created_at at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), 'old', x.old_values, 'new', x.new_values,
    'user', jsonb_build_object('first_name', w.first_name, 'last_name', w.last_name))
  from transfer_agency_changes x join users w on w.id = x.user_id where x.agency_id = a.id and x.state = 'proposed')`

/** Every agency, newest first. */
export async function listAgencies(db: Db): Promise<Agency[]> {
  const found = await rows(
    db,
    sql<Omit<Agency, 'declares'> & { protocol: string }>`
    select a.id, a.name, a.description, a.type, a.country, a.fees, a.endpoint, a.details, a.secret_names as secrets, a.status, a.version,
      a.protocol, ${byWhom}, a.created_at, agency_open_outcomes(a.id) as open_outcomes, ${openChange} as change
    from transfer_agencies a join users u on u.id = a.user_id order by a.created_at desc, a.id desc`,
  )
  return found.map(({ protocol, ...agency }) => ({ ...agency, declares: declaredBy(protocol) }))
}

/** The details that every connector shows: limits of calls, and the numbers of an operator. */
const openDetails = ['protocol', 'concurrency', 'rate', 'timeout_ms', 'progress_minutes', 'number_prefixes']

/** Whether a value has no fields of its own, under whose names a secret could stand. */
const isPlain = (value: unknown): boolean =>
  Array.isArray(value) ? value.every((one) => typeof one !== 'object') : typeof value !== 'object'

/**
 * Parses the details of an agency (Money 7.3). Everything is encrypted that is not declared to be open, because nobody
 * can list the words for a password in all languages (Money 7.2).
 */
export function readDetails(secret: KeyRing, text: string) {
  const details = JSON.parse(text) as Record<string, unknown>
  refuseBadInput(details, 'details')
  const facts = typeof details.protocol === 'string' ? connectorFacts(details.protocol) : undefined
  if (!facts)
    throw invalid({
      'details.protocol': `protocol|${spokenProtocols.join(', ')}`,
    })
  const protocol = facts.protocol as (typeof spokenProtocols)[number]
  const faults = detailFaults(protocol, details)
  if (Object.keys(faults).length > 0) throw invalid(faults)
  const shown = [...openDetails, ...detailFields[protocol].flatMap(({ name, open }) => (open ? [name] : []))]
  const hidden = Object.keys(details).filter((key) => !shown.includes(key) || !isPlain(details[key]))
  const open = Object.fromEntries(Object.entries(details).filter(([key]) => !hidden.includes(key)))
  const sealed = Object.fromEntries(hidden.map((key) => [key, details[key]]))
  return {
    protocol,
    details: open,
    secrets: hidden.length > 0 ? seal(secret, JSON.stringify(sealed)) : null,
    secret_names: hidden,
  }
}

/** Throws if the portal may not call an address of this agency (Money 7.1). */
export async function checkAddresses(settings: Context['settings'], agency: AgencyAddresses) {
  // The portal shows a bank's web address and never calls it (Money 7.7), so it need not be one that may be called.
  if (agency.protocol === 'file') {
    if (!/^https:\/\/[^/]/i.test(agency.endpoint)) throw invalid({ endpoint: 'endpoint_url' })
    return
  }
  const faults = await addressFaults(agency, addressRules(settings))
  if (Object.keys(faults).length > 0) throw invalid(faults)
}

/** Adds an agency. Its secrets are encrypted before they reach the database. */
export async function createAgency(context: Context, actor: Actor, body: AgencyCreate): Promise<void> {
  const access = readDetails(context.settings.secret, body.details)
  // Only the lists of a bank have accounts.
  if (access.protocol === 'file' && body.type !== 'bank') throw invalid({ type: say.filesAreForBanks })
  await checkAddresses(context.settings, { ...access, endpoint: body.endpoint })
  await transaction(context.db, async (tx) => {
    const values = { ...body, ...access, user_id: actor.id }
    const agency = await tx
      .insertInto('transfer_agencies')
      .values({ ...values, details: JSON.stringify(access.details) })
      .returning('id')
      .executeTakeFirstOrThrow()
    const { secrets: _, ...seen } = values
    await audit(tx, actor, 'created', 'agency', agency.id, { old: null, new: seen })
  })
}

/** Throws if no connector speaks the agency's protocol, or if a detail is missing that the protocol needs. */
function expectUsable({
  protocol,
  details,
  secret_names,
}: {
  protocol: string
  details: Record<string, unknown>
  secret_names: readonly string[]
}) {
  const facts = connectorFacts(protocol)
  if (!facts) throw conflict(say.noConnector)
  const isThere = (name: string) => Boolean(details[name]) || secret_names.includes(name)
  const missing = detailFields[facts.protocol as (typeof spokenProtocols)[number]].find(
    (field) => isNeeded(field, isThere) && !isThere(field.name),
  )
  if (missing) throw conflict(say.detailMissing, missing.name)
}

/** Activates or deactivates an agency. Its address and account need two people (agency-changes.service.ts). */
export async function setAgencyStatus(
  tx: Tx,
  actor: Actor,
  id: number,
  status: Agency['status'],
  version: SentVersion,
): Promise<void> {
  const old = await tx
    .selectFrom('transfer_agencies')
    .select(['status', 'protocol', 'details', 'secret_names', 'version'])
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst()
  if (!old) throw notFound()
  expectVersion(old.version, version)
  if (status === 'active') expectUsable(old)
  if (status === old.status) return
  await tx
    .updateTable('transfer_agencies')
    .set({ status, updated_at: sql`now()` })
    .where('id', '=', id)
    .execute()
  await audit(tx, actor, 'updated', 'agency', id, {
    old: { status: old.status },
    new: { status, ...versionMark(version) },
  })
}

const parameterColumns = sql`p.id, p.name, p.description, p.commission_hundredths / 100.0 as commission, p.amount, p.currency,
  p.frequency, p.status, p.version, ${byWhom}, p.created_at`
const parameterTables = sql`transfer_parameters p join users u on u.id = p.user_id`

/** Lists parameters. The default order is newest first. */
export function listParameters(
  db: Db,
  query: QueryOf<typeof transfers.parameters>,
): Promise<Page<Parameter>> {
  return paged<Parameter>(db, query, {
    columns: parameterColumns,
    from: parameterTables,
    where: [
      matches(sql`portal_search(p.name || ' ' || p.description)`, query.search),
      query.status && sql`p.status = ${query.status}`,
    ],
    sort: { created_at: sql`p.created_at`, name: sql`p.name collate "fr-x-icu"`, status: sql`p.status` },
    order: '-created_at',
    key: sql`p.id`,
  })
}

/** Returns the newest parameters for the settings page. */
export function lastParameters(db: Db, count: number): Promise<Parameter[]> {
  return rows(
    db,
    sql`select ${parameterColumns} from ${parameterTables} order by p.created_at desc, p.id desc limit ${count}`,
  )
}

/** Adds a parameter. `commission` is in percent and is stored in hundredths of a percent, as an integer (Money 1.4). */
export function createParameter(context: Context, actor: Actor, body: ParameterCreate): Promise<void> {
  if (body.amount > context.settings.maxAmount)
    throw invalid({ amount: `amount_max|${context.settings.maxAmount}` })
  const { commission, ...rest } = body
  return transaction(context.db, async (tx) => {
    const values = { ...rest, commission_hundredths: Math.round(commission * 100), user_id: actor.id }
    const { id } = await tx
      .insertInto('transfer_parameters')
      .values(values)
      .returning('id')
      .executeTakeFirstOrThrow()
    await audit(tx, actor, 'created', 'parameter', id, { old: null, new: body })
  })
}

/** Activates or deactivates a parameter. One that is so already stays as it is, and the log has no row. */
export function setParameterStatus(
  db: Db,
  actor: Actor,
  id: number,
  status: Agency['status'],
  version: SentVersion,
): Promise<void> {
  return transaction(db, async (tx) => {
    const old = await tx
      .selectFrom('transfer_parameters')
      .select(['status', 'version'])
      .where('id', '=', id)
      .forUpdate()
      .executeTakeFirst()
    if (!old) throw notFound()
    expectVersion(old.version, version)
    if (status === old.status) return
    await tx.updateTable('transfer_parameters').set({ status }).where('id', '=', id).execute()
    await audit(tx, actor, 'updated', 'parameter', id, {
      old: { status: old.status },
      new: { status, ...versionMark(version) },
    })
  })
}
