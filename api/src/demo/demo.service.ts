import { sql } from 'kysely'
import pg from 'pg'
import { audit } from '../kit/audit/audit.ts'
import { type Tx, transaction } from '../kit/database/db.ts'
import { portal } from '../kit/http/session.ts'
import type { Context } from '../kit/process/context.ts'
import { loadReference } from '../reference/reference.service.ts'
import { addAccounts, addPartners } from './accounts.seed.ts'
import { addAttendance, makeReports } from './attendance.seed.ts'
import { oneRow } from './bulk.ts'
import { addCase } from './case-rows.seed.ts'
import { makeCases } from './cases.seed.ts'
import { moveAgency, seedLedger } from './ledger.service.ts'
import { checkDemoMarker } from './marker.service.ts'
import { addRegisters } from './people-rows.seed.ts'
import { makeRegisters, type Registers } from './registers.seed.ts'
import { planTransfers } from './transfer-plan.seed.ts'
import { addCohort, addTerms, settlePast } from './transfers.seed.ts'

type Options = {
  /** The sandbox agency's address, for past payments and for new ones. */
  agencyUrl: string
  /** Called with each line of progress. */
  tell?: (line: string) => void
  /** The day on which the demo is made, in UTC. It is today unless a test sets another day. */
  today?: string
}

/** CAPs that the demo makes inactive, so that the list of boundaries shows some. */
const closed = ['CAP TINASSAKO', 'CAP AL-OURCHE']

/**
 * Fills the database as a demo, once, in one transaction. Then it writes the past payments to the agency's ledger; if
 * the agency does not answer, the next start does so. Returns false if the database was a demo already.
 */
export async function makeDemo(
  context: Context,
  { agencyUrl, tell = () => undefined, today = dayOfToday() }: Options,
): Promise<boolean> {
  const { db, settings } = context
  const before = await checkDemoMarker(db, true)
  if (!before) {
    tell('Reference lists of Mali and Senegal')
    await loadReference(db, 'ml')
    await loadReference(db, 'sn')
  }
  const made = !before && (await transaction(db, (tx) => fill(tx, context, agencyUrl, today, tell)))
  if (made && settings.databaseOwnerUrl) await analyze(settings.databaseOwnerUrl)
  await moveAgency(db, agencyUrl)
  const sent = await seedLedger(db, agencyUrl)
  if (sent > 0) tell(`Sandbox agency: ${count(sent)} past payments in its ledger`)
  return made
}

async function fill(
  tx: Tx,
  { settings, storage }: Context,
  agencyUrl: string,
  today: string,
  tell: (line: string) => void,
): Promise<boolean> {
  // Between two statements this process makes people, hashes passwords and writes workbooks. On a busy machine that can
  // take longer than a transaction may be idle (kit/db.ts), and nothing else waits for what is locked here.
  await sql`set local idle_in_transaction_session_timeout = 0`.execute(tx)
  // If two processes start at once, the second one waits here and then finds the marker of the first.
  await sql`select pg_advisory_xact_lock(hashtext('portal-demo'))`.execute(tx)
  if ((await sql`select from installation`.execute(tx)).rows.length > 0) return false
  const size = settings.demoSize
  const registers = makeRegisters(size, today)
  const accounts = await addAccounts(tx, settings.passwordCost, today)
  await sql`update caps set active = false where name = any(${closed}::text[])`.execute(tx)
  tell(
    `People: ${count(registers.schools.length)} schools, ${count(registers.students.length)} students, ${count(registers.guardians.length)} guardians, ${count(registers.teachers.length)} teachers`,
  )
  const partners = await addPartners(tx, accounts.reviewer, today)
  const written = await addRegisters(tx, registers, partners, accounts.school, today)

  const cohorts = planTransfers(registers, today)
  const payments = cohorts.reduce(
    (sum, { status, entries, rounds }) => sum + (status === 'approved' ? entries.length * rounds.length : 0),
    0,
  )
  tell(`Transfers: ${count(cohorts.length)} cohorts, ${count(payments)} past payments`)
  const places = { ...(await addTerms(tx, agencyUrl, accounts.admin, today)), students: written.students }
  for (const cohort of cohorts) await addCohort(tx, storage, cohort, places, accounts)
  await settlePast(tx)

  tell('Cases and attendance')
  for (const one of makeCases(size, plaintiffsOf(registers)).sort(
    (a, b) => b.filed - a.filed || a.minute - b.minute,
  ))
    await addCase(tx, storage, one, accounts, today)
  await addAttendance(tx, makeReports(registers, today), registers, {
    schoolIds: written.schools,
    admin: accounts.admin,
    today,
    secret: settings.secret,
  })
  const { created_at } = await oneRow<{ created_at: string }>(
    tx,
    sql`insert into installation (filled_as, size) values ('demo', ${size}) returning created_at`,
  )
  await audit(tx, portal, 'demo made', 'installation', null, { new: { size, created_at } })
  return true
}

const plaintiffsOf = ({ guardians }: Registers) =>
  guardians.slice(0, 400).map(({ first_name, last_name }) => `${first_name} ${last_name}`)
const dayOfToday = () => new Date().toISOString().slice(0, 10)
const count = (number: number) => number.toLocaleString('en-US')

/**
 * Updates the statistics of the tables, because the planner would otherwise treat them as empty. Only the owner may do
 * so.
 */
async function analyze(ownerUrl: string): Promise<void> {
  const owner = new pg.Client({ connectionString: ownerUrl })
  await owner.connect()
  await owner.query('analyze').finally(() => owner.end())
}
