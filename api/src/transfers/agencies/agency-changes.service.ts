import type { AgencyTerms, AgencyUpdate, spokenProtocols } from '@portal/contracts/transfers/agencies'
import { detailFields } from '@portal/contracts/transfers/agency-details'
import { type Selectable, sql } from 'kysely'
import { notify } from '../../home/notifications.service.ts'
import { audit, canonical } from '../../kit/audit/audit.ts'
import type { TransferAgencies } from '../../kit/database/database.types.ts'
import { type Db, type Tx, transaction } from '../../kit/database/db.ts'
import { expectVersion, versionMark } from '../../kit/database/versions.ts'
import { conflict, forbidden, invalid, notFound } from '../../kit/http/refusals.ts'
import type { Actor } from '../../kit/http/session.ts'
import type { Context } from '../../kit/process/context.ts'
import { deriveKey, type KeyRing } from '../../kit/secrets/keys.ts'
import { hmac, open } from '../../kit/secrets/seal.ts'
import { tellOfDecision, withdrawDecision } from '../decisions/decision-reminders.service.ts'
import { say } from '../messages.ts'
import { say as retrySay } from '../retry.messages.ts'
import { checkAddresses, readDetails, setAgencyStatus } from './agencies.service.ts'

type AgencyRow = Pick<
  Selectable<TransferAgencies>,
  'id' | 'name' | 'type' | 'endpoint' | 'protocol' | 'details' | 'secrets' | 'secret_names' | 'version'
>
type Wanted = Pick<AgencyUpdate, 'endpoint' | 'details' | 'version'>
type Change = {
  state: 'proposed' | 'confirmed' | 'refused'
  user_id: number
  endpoint: string
  protocol: string
  old_values: AgencyTerms
  new_values: AgencyTerms
}

const link = '/admin/transfers/settings'

/**
 * Proposes other terms of an agency, sets its status, or does both or neither of the two. Returns whether a change waits for a second
 * person now.
 */
export function updateAgency(
  context: Context,
  actor: Actor,
  id: number,
  { status, version, ...terms }: AgencyUpdate,
): Promise<boolean> {
  const proposes = terms.endpoint !== undefined || terms.details !== undefined
  return transaction(context.db, async (tx) => {
    if (proposes) await proposeChange(tx, context.settings, actor, id, { ...terms, version })
    if (status) await setAgencyStatus(tx, actor, id, status, version)
    return proposes
  })
}

/**
 * Proposes another address, protocol or account of an agency. The credentials must be typed again, so that no stored
 * one is sent to another address. Nothing changes until a second person confirms (Money 6.3).
 */
async function proposeChange(
  tx: Tx,
  settings: Context['settings'],
  actor: Actor,
  id: number,
  wanted: Wanted,
): Promise<void> {
  const old = await lockAgency(tx, id)
  expectVersion(old.version, wanted.version)
  const endpoint = wanted.endpoint ?? old.endpoint
  const access = readDetails(settings.secret, wanted.details ?? JSON.stringify(old.details))
  if (access.protocol === 'file' && old.type !== 'bank')
    throw invalid({ 'details.protocol': say.filesAreForBanks })
  const missing = old.secret_names.find(
    (name) => !access.secret_names.includes(name) && !isReplaceable(access.protocol, name),
  )
  if (missing && access.protocol === old.protocol) throw invalid({ [`details.${missing}`]: 'required' })
  // Even an agency without stored credentials gets them anew, so that nothing open serves as one elsewhere.
  if (endpoint !== old.endpoint && wanted.details === undefined) throw invalid({ details: 'required' })
  await checkAddresses(settings, { ...access, endpoint })
  const before = termsOf(settings.secret, old)
  const after = termsOf(settings.secret, { ...old, ...access, endpoint })
  if (canonical(before) === canonical(after)) throw conflict(say.nothingChanges)
  await expectNoOpenOutcome(tx, old)
  const { rows: waiting } = await sql`
    select from transfer_agency_changes where agency_id = ${id} and state = 'proposed'`.execute(tx)
  if (waiting.length > 0) throw conflict(say.changeWaits)
  const { rows: made } = await sql<{ id: number }>`
    insert into transfer_agency_changes (agency_id, endpoint, protocol, details, secrets, secret_names, old_values, new_values,
      user_id, two_people)
    values (${id}, ${endpoint}, ${access.protocol}, ${JSON.stringify(access.details)}::jsonb, ${access.secrets},
      ${access.secret_names}::text[], ${JSON.stringify(before)}::jsonb, ${JSON.stringify(after)}::jsonb,
      ${actor.id}, ${settings.fourEyes}) returning id`.execute(tx)
  await audit(tx, actor, 'change proposed', 'agency', id, {
    old: before,
    new: { ...after, ...versionMark(wanted.version) },
  })
  const change = { what: 'agency', id: made[0]?.id ?? 0, name: old.name, by: actor.id } as const
  await tellOfDecision(tx, change, settings.fourEyes)
}

/** Confirms or refuses a proposed change. Only the confirmation needs a second person. */
export function decideChange(
  context: Context,
  actor: Actor,
  fourEyes: boolean,
  id: number,
  action: 'confirmed' | 'refused',
): Promise<void> {
  return transaction(context.db, async (tx) => {
    const { change, agency } = await lockChange(tx, id)
    if (change.state !== 'proposed') throw conflict(say.changeDecided)
    if (action === 'confirmed') {
      if (fourEyes && change.user_id === actor.id) throw forbidden(say.ownChange)
      await expectNoOpenOutcome(tx, agency)
      await checkAddresses(context.settings, { ...change, details: change.new_values.details })
    }
    await sql`
      update transfer_agency_changes set state = ${action}, decided_by = ${actor.id}, decided_at = now(),
        two_people = two_people and ${fourEyes}
      where id = ${id}`.execute(tx)
    if (action === 'confirmed') await sql`select apply_agency_change(${id})`.execute(tx)
    const event = action === 'confirmed' ? 'change confirmed' : 'change refused'
    await audit(tx, actor, event, 'agency', agency.id, { old: change.old_values, new: change.new_values })
    await withdrawDecision(tx, 'agency', id)
    if (change.user_id !== actor.id)
      await notify(
        tx,
        [change.user_id],
        action === 'confirmed' ? say.changeWasConfirmed : say.changeWasRefused,
        [agency.name],
        link,
      )
  })
}

/** Takes a change back before it is decided. Its row says that its own proposer refused it. */
export function withdrawChange(db: Db, actor: Actor, id: number): Promise<void> {
  return transaction(db, async (tx) => {
    const { change, agency } = await lockChange(tx, id)
    if (change.user_id !== actor.id) throw forbidden(say.notOwnChange)
    if (change.state !== 'proposed') throw conflict(say.changeDecided)
    await sql`
      update transfer_agency_changes set state = 'refused', decided_by = ${actor.id}, decided_at = now()
      where id = ${id}`.execute(tx)
    await audit(tx, actor, 'change withdrawn', 'agency', agency.id, {
      old: change.old_values,
      new: change.new_values,
    })
    await withdrawDecision(tx, 'agency', id)
  })
}

/** Whether a stored credential may be left out. Whether it is needed beside the others was checked before. */
const isReplaceable = (protocol: (typeof spokenProtocols)[number], name: string) =>
  detailFields[protocol].some((field) => field.name === name && typeof field.required === 'object')

async function lockAgency(tx: Tx, id: number): Promise<AgencyRow> {
  const { rows } = await sql<AgencyRow>`
    select id, name, type, endpoint, protocol, details, secrets, secret_names, version from transfer_agencies where id = ${id} for no key update
  `.execute(tx)
  if (!rows[0]) throw notFound()
  return rows[0]
}

/** Locks the agency's row before it reads the change. The same order everywhere prevents deadlocks. */
async function lockChange(tx: Tx, id: number): Promise<{ change: Change; agency: AgencyRow }> {
  const { rows: found } = await sql<{ agency_id: number }>`
    select agency_id from transfer_agency_changes where id = ${id}`.execute(tx)
  if (!found[0]) throw notFound()
  const agency = await lockAgency(tx, found[0].agency_id)
  const { rows } = await sql<Change>`
    select state, user_id, endpoint, protocol, old_values, new_values from transfer_agency_changes where id = ${id}
  `.execute(tx)
  if (!rows[0]) throw notFound()
  return { change: rows[0], agency }
}

/**
 * Throws if outcomes at the agency are open. The lock on the lease keeps workers from claiming payments, so the count
 * stays true until the transaction ends. During a hold, and in a database that was not compared with the mark, the old
 * address must stay, because the agency is still to be queried there.
 */
async function expectNoOpenOutcome(tx: Tx, agency: AgencyRow): Promise<void> {
  await sql`select from agency_leases where agency_id = ${agency.id} for update`.execute(tx)
  const { rows: holds } = await sql`
    select where exists (select from sending_holds where released_at is null)
      or exists (select from sending_marks where incarnation <> sending_incarnation())`.execute(tx)
  if (holds.length > 0) throw conflict(retrySay.sendingIsHeld)
  const { rows } = await sql<{ n: number }>`select agency_open_outcomes(${agency.id}) as n`.execute(tx)
  const n = Number(rows[0]?.n ?? 0)
  if (n > 0) throw conflict(say.outcomesOpen, n, agency.name)
}

/** The values that the second person compares. A secret appears as a fingerprint (HMAC), which only shows a change. */
function termsOf(secret: KeyRing, agency: AgencyRow): AgencyTerms {
  const secrets = agency.secrets ? (JSON.parse(open(secret, agency.secrets)) as Record<string, unknown>) : {}
  const key = deriveKey(secret, 'fingerprint of credentials')
  const credentials = Object.fromEntries(
    Object.entries(secrets).map(([name, value]) => [
      name,
      hmac(key, JSON.stringify([name, value]))
        .toString('hex')
        .slice(0, 12),
    ]),
  )
  return { endpoint: agency.endpoint, protocol: agency.protocol, details: agency.details, credentials }
}
