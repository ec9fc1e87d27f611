import type { AnswerOf } from '@portal/contracts/endpoint'
import { readHeadings } from '@portal/contracts/imports/headings'
import type { transfers } from '@portal/contracts/transfers'
import { type Agency, spokenProtocols } from '@portal/contracts/transfers/agencies'
import type { CohortUpload } from '@portal/contracts/transfers/cohorts'
import { planRounds } from '@portal/contracts/transfers/rounds'
import { targetListSheet } from '@portal/contracts/transfers/target-list.sheet'
import type { Selection } from '@portal/contracts/transfers/target-selection'
import { sql } from 'kysely'
import { checkHeadings } from '../../excel/read.ts'
import { namedHeadings, startImport } from '../../imports/imports.service.ts'
import { audit } from '../../kit/audit/audit.ts'
import { type Db, type Reader, type Tx, transaction } from '../../kit/database/db.ts'
import { keepUpload, type StoredUpload } from '../../kit/files/files.ts'
import { type FieldFaults, invalid } from '../../kit/http/refusals.ts'
import type { Actor } from '../../kit/http/session.ts'
import type { Context } from '../../kit/process/context.ts'
import { say } from '../messages.ts'

type Upload = Omit<CohortUpload, 'target_list_file'> & { target_list_file: StoredUpload }
type Answer = Omit<AnswerOf<typeof transfers.importCohort>, 'message'> & {
  message: { en: string; fr: string }
}
type Terms = {
  today: string
  agency: Pick<Agency, 'type'> | null
  parameter: { frequency: number } | null
}

/**
 * Accepts a target list. The call checks container, sheet and headings; a job checks the rows later. Another upload
 * with the same file, name, period, agency and parameter returns the existing cohort (Imports 4.4). `selection` is what the
 * file was written from, if no person made it (Imports 4.5).
 */
export async function uploadCohort(
  context: Context,
  actor: Actor,
  upload: Upload,
  review: boolean,
  selection?: Selection,
): Promise<Answer> {
  const { db, storage } = context
  // Comes before the checks of the form: by now the period may be over, or the agency inactive.
  const same = await findSame(db, upload)
  if (same) return same
  const terms = await readTerms(db, upload)
  const rounds_total = checkForm(upload, terms)
  const checked = await checkHeadings(upload.target_list_file.path, {
    ...targetListSheet(terms.agency?.type ?? 'mobile_money'),
    chosen: readHeadings(upload.headings),
  })
  if ('problem' in checked) throw invalid({ target_list_file: checked.problem }, say.uploadInvalid)

  const file = await keepUpload(storage, upload.target_list_file)
  const from = selection && { selection }
  return transaction(db, async (tx) => {
    // The second request of a double click waits for this lock and then finds the cohort of the first one.
    await sql`select pg_advisory_xact_lock(hashtext(${fingerprint(upload)}))`.execute(tx)
    const made = await findSame(tx, upload)
    if (made) return made
    await removeEnded(tx, upload)
    const { target_list_file: _, headings, ...form } = upload
    const file_hash = file.sha256.toString('hex')
    const import_id = await startImport(tx, actor, {
      kind: 'target-list',
      file,
      review,
      headings,
      params: { type: terms.agency?.type ?? 'mobile_money', ...from },
    })
    const cohort = await tx
      .insertInto('transfer_cohorts')
      .values({ ...form, import_id, file_hash, rounds_total, user_id: actor.id })
      .returning(['id', 'name'])
      .executeTakeFirstOrThrow()
    await audit(tx, actor, 'uploaded', 'cohort', cohort.id, {
      old: null,
      new: { ...form, file: file.name, ...namedHeadings(readHeadings(headings)), ...from },
    })
    return { message: say.importStarted, cohort, import: { id: import_id } }
  })
}

async function readTerms(db: Db, upload: Upload): Promise<Terms> {
  const { rows } = await sql<Terms>`
    select (now() at time zone 'utc')::date as today,
      (select jsonb_build_object('type', type) from transfer_agencies
        where id = ${upload.transfer_agency_id} and status = 'active'
          and protocol = any(${[...spokenProtocols]}::text[])) as agency,
      (select jsonb_build_object('frequency', frequency) from transfer_parameters
        where id = ${upload.transfer_parameter_id} and status = 'active') as parameter`.execute(db)
  return rows[0] as Terms
}

/** A longer period always makes too many rounds, and the plan of centuries would keep the process busy for seconds. */
const longestPeriod = 20 * 366 * 86_400_000

/** Checks the rules of the form that only the server can check. Returns the number of rounds (Money 2.1). */
function checkForm(upload: Upload, { today, agency, parameter }: Terms): number {
  const faults: FieldFaults = {}
  if (upload.to < upload.from) faults.to = 'to_before_from'
  else if (upload.to < today) faults.to = 'period_over'
  else if (Date.parse(upload.to) - Date.parse(upload.from) > longestPeriod) faults.to = say.periodTooLong
  if (!agency) faults.transfer_agency_id = 'agency_gone'
  if (!parameter) faults.transfer_parameter_id = 'parameter_gone'
  const rounds = parameter && !faults.to ? planRounds(upload.from, upload.to, parameter.frequency).length : 0
  if (rounds > 120) faults.to = `too_many_rounds|${rounds}`
  if (Object.keys(faults).length > 0) throw invalid(faults, say.uploadInvalid)
  return rounds
}

const fingerprint = (upload: Upload) =>
  [
    upload.target_list_file.sha256.toString('hex'),
    upload.name,
    upload.from,
    upload.to,
    upload.transfer_agency_id,
    upload.transfer_parameter_id,
  ].join('|')

/** SQL: cohorts `c` with the same file, name, period, agency and parameter, with their imports `i`. */
const sameCohorts = (upload: Upload) => sql`transfer_cohorts c join imports i on i.id = c.import_id
  where c.file_hash = ${upload.target_list_file.sha256.toString('hex')} and c.name = ${upload.name}
    and c."from" = ${upload.from} and c."to" = ${upload.to} and c.transfer_agency_id = ${upload.transfer_agency_id}
    and c.transfer_parameter_id = ${upload.transfer_parameter_id} and c.status <> 'rejected'`
const hasEnded = sql`i.state in ('failed', 'cancelled')`

async function findSame(db: Reader, upload: Upload): Promise<Answer | undefined> {
  const { rows } = await sql<{ id: number; name: string; import_id: number }>`
    select c.id, c.name, c.import_id from ${sameCohorts(upload)} and not ${hasEnded}`.execute(db)
  const found = rows[0]
  return (
    found && {
      message: say.importSame,
      cohort: { id: found.id, name: found.name },
      import: { id: found.import_id },
    }
  )
}

/** An import that was cancelled while it was written keeps its cohort until a worker cleans up, which may have been killed. */
async function removeEnded(tx: Tx, upload: Upload): Promise<void> {
  const { rows } = await sql<{ id: number }>`
    select i.id from ${sameCohorts(upload)} and ${hasEnded} for update of i`.execute(tx)
  for (const { id } of rows) await removeCohortOf(tx, id)
}

/** Deletes the cohort of an import that failed or was cancelled (Imports 4.3). */
export async function removeCohortOf(tx: Tx, importId: number): Promise<void> {
  const gone = sql`select id from transfer_cohorts where import_id = ${importId} and imported_at is null`
  await sql`delete from transfer_master_list where cohort_id in (${gone})`.execute(tx)
  await sql`delete from transfer_cohorts where import_id = ${importId} and imported_at is null`.execute(tx)
}
