import type { AnswerOf } from '@portal/contracts/endpoint'
import { readHeadings } from '@portal/contracts/imports/headings'
import type { ChosenHeadings } from '@portal/contracts/imports/sheet'
import { type Locale, say as sentence, type Text } from '@portal/contracts/sentences'
import type {
  StatementColumn,
  StatementFormat,
  StatementPreview,
  StatementUpload,
  statements,
} from '@portal/contracts/transfers/statements'
import { WorkbookProblem } from '@portal/excel/limits'
import { sql } from 'kysely'
import { audit } from '../../kit/audit/audit.ts'
import { type Db, type Reader, type Tx, transaction } from '../../kit/database/db.ts'
import { keepUpload, recordUpload, type StoredUpload } from '../../kit/files/files.ts'
import { constraintFault, invalid } from '../../kit/http/refusals.ts'
import type { Actor } from '../../kit/http/session.ts'
import { enqueue } from '../../kit/jobs/jobs.ts'
import type { Context } from '../../kit/process/context.ts'
import { say } from './statement.messages.ts'
import { formatOf, lookAtStatement } from './statement-file.ts'

/** Name of the job that reads and compares statements. */
export const statementJob = 'statement'

type Upload = Omit<StatementUpload, 'statement_file'> & { statement_file: StoredUpload }
type Answer = Omit<AnswerOf<typeof statements.create>, 'message'> & { message: Text }
type Mapping = { id: number; version: number; headings: ChosenHeadings }

constraintFault('agency_statements_closed', 'corrects_id', say.notClosed)
constraintFault('agency_statements_corrected', 'corrects_id', say.notClosed)

/**
 * Shows the headings and first rows of a file. A heading is the column that the person chose now, else the one that was
 * remembered for the agency, else the one that its words propose.
 */
export async function previewStatement(
  db: Db,
  locale: Locale,
  { statement_file: file, transfer_agency_id, headings }: Omit<Upload, 'from' | 'to' | 'corrects_id'>,
): Promise<StatementPreview> {
  await expectAgency(db, transfer_agency_id)
  const remembered = await latestMapping(db, transfer_agency_id)
  const chosen = { ...remembered?.headings, ...readHeadings(headings) }
  return refusingFile(async () => {
    const format = await formatOf(file.path)
    const looked = await lookAtStatement(file.path, format, chosen)
    const named = new Map(Object.entries(looked.columns).map(([column, index]) => [index, column]))
    return {
      format,
      headings: looked.headings.map((heading, index) => ({
        heading,
        column: (named.get(index) ?? null) as StatementColumn | null,
      })),
      rows: looked.rows,
      mapping_version: remembered?.version ?? null,
      problem: looked.problem && sentence(looked.problem, locale),
    }
  })
}

/**
 * Stores a statement and queues the job that reads it. The same file of an agency answers with the statement that exists.
 * What the person said of headings is kept with the agency.
 */
export async function uploadStatement(
  { db, storage }: Context,
  actor: Actor,
  fourEyes: boolean,
  upload: Upload,
): Promise<Answer> {
  const { statement_file: file, transfer_agency_id: agency_id, from, to, corrects_id } = upload
  if (to < from) throw invalid({ to: 'to_before_from' }, say.uploadInvalid)
  await expectAgency(db, agency_id)
  const file_hash = file.sha256.toString('hex')
  const before = await findSame(db, agency_id, file_hash)
  if (before) return before
  const chosen = readHeadings(upload.headings) ?? {}
  const remembered = await latestMapping(db, agency_id)
  const format = await refusingFile(() => readableFormat(file, { ...remembered?.headings, ...chosen }))
  const kept = await keepUpload(storage, file)
  return transaction(db, async (tx) => {
    // The second request of a double click waits for this lock and then finds the statement of the first one.
    await sql`select from transfer_agencies where id = ${agency_id} for no key update`.execute(tx)
    const made = await findSame(tx, agency_id, file_hash)
    if (made) return made
    const mapping_id = format === 'camt' ? null : await keepMapping(tx, actor, agency_id, chosen)
    const file_id = await recordUpload(tx, kept, actor.id)
    const { id } = await tx
      .insertInto('agency_statements')
      .values({
        agency_id,
        from,
        to,
        format,
        file_id,
        file_name: file.name,
        file_hash,
        mapping_id,
        corrects_id: corrects_id ?? null,
        user_id: actor.id,
        two_people: fourEyes,
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    await audit(tx, actor, 'uploaded', 'statement', id, {
      new: { transfer_agency_id: agency_id, from, to, file: file.name, ...(corrects_id && { corrects_id }) },
    })
    await enqueue(tx, statementJob, { id })
    return { message: say.started, statement: { id } }
  })
}

async function readableFormat(file: StoredUpload, chosen: ChosenHeadings): Promise<StatementFormat> {
  const format = await formatOf(file.path)
  const { problem } = await lookAtStatement(file.path, format, chosen)
  if (problem) throw invalid({ statement_file: problem }, say.uploadInvalid)
  return format
}

/** Turns what is wrong with a file into a sentence at its field. */
async function refusingFile<Result>(read: () => Promise<Result>): Promise<Result> {
  try {
    return await read()
  } catch (error) {
    if (error instanceof WorkbookProblem) throw invalid({ statement_file: error.problem }, say.uploadInvalid)
    throw error
  }
}

async function expectAgency(db: Reader, id: number) {
  const { rows } = await sql`select from transfer_agencies where id = ${id}`.execute(db)
  if (rows.length === 0) throw invalid({ transfer_agency_id: 'choose' }, say.uploadInvalid)
}

async function findSame(db: Reader, agencyId: number, hash: string): Promise<Answer | undefined> {
  const { rows } = await sql<{ id: number }>`
    select id from agency_statements
    where agency_id = ${agencyId} and file_hash = ${hash} and state not in ('failed', 'withdrawn')`.execute(
    db,
  )
  return rows[0] && { message: say.same, statement: { id: rows[0].id } }
}

/** The latest version of what people said of the headings of an agency. */
async function latestMapping(db: Reader, agencyId: number): Promise<Mapping | undefined> {
  const { rows } = await sql<Mapping>`
    select id, version, headings from statement_mappings where agency_id = ${agencyId} order by version desc limit 1
  `.execute(db)
  return rows[0]
}

/** Keeps what the person said of headings as the next version, if it says something new. */
async function keepMapping(tx: Tx, actor: Actor, agencyId: number, chosen: ChosenHeadings) {
  const latest = await latestMapping(tx, agencyId)
  const next = JSON.stringify({ ...latest?.headings, ...chosen })
  if (Object.entries(chosen).every(([heading, column]) => latest?.headings[heading] === column))
    return latest?.id ?? null
  const { rows } = await sql<{ id: number }>`
    insert into statement_mappings (agency_id, version, headings, user_id)
    values (${agencyId}, ${(latest?.version ?? 0) + 1}, ${next}::jsonb, ${actor.id}) returning id`.execute(tx)
  return rows[0]?.id ?? null
}
