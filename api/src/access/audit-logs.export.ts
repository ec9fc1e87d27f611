import { type AuditLog, auditEvents, auditFieldName, auditTypes } from '@portal/contracts/audit'
import { type AuditedWords, auditPair, auditValueText } from '@portal/contracts/audit/text'
import type { Locale, Text } from '@portal/contracts/sentences'
import { type RawBuilder, sql } from 'kysely'
import { type OutColumn, type OutRow, writeWorkbook } from '../excel/write.ts'
import { type Db, transaction } from '../kit/database/db.ts'
import { batches } from '../kit/database/keyset.ts'
import type { Actor } from '../kit/http/session.ts'
import { type ExportTask, registerExport, startExport } from '../kit/jobs/exports.ts'
import type { Context } from '../kit/process/context.ts'
import { inSentences, readerNow } from './audit-entries.service.ts'
import { wordsFor } from './audit-field-words.service.ts'
import { type AuditFilters, auditColumns, auditConditions, auditFrom } from './audit-logs.service.ts'
import type { Reader, StoredAudit } from './audit-names.service.ts'
import { sentenceText, unlimited } from './audit-sentence.ts'
import { everySubject, findSubjects } from './audit-subjects.service.ts'

const auditExport = 'audit-logs'

/** `reader` is what the person was allowed to see when she asked for the file. */
type Task = { filters: AuditFilters; reader: Omit<Reader, 'records'> & Partial<Pick<Reader, 'records'>> }

const headers: { key: string; header: Text; kind: OutColumn['kind'] }[] = [
  { key: 'date', header: { en: 'Date', fr: 'Date' }, kind: 'datetime' },
  { key: 'ip', header: { en: 'IP', fr: 'IP' }, kind: 'text' },
  { key: 'user', header: { en: 'User', fr: 'Utilisateur' }, kind: 'text' },
  { key: 'event', header: { en: 'Event', fr: 'Événement' }, kind: 'text' },
  { key: 'sentence', header: { en: 'What happened', fr: 'Ce qui s’est passé' }, kind: 'text' },
  { key: 'type', header: { en: 'Audited type', fr: 'Type audité' }, kind: 'text' },
  { key: 'id', header: { en: 'Audited id', fr: 'Identifiant audité' }, kind: 'text' },
  { key: 'name', header: { en: 'Audited name', fr: 'Nom audité' }, kind: 'text' },
  { key: 'code', header: { en: 'Audited code', fr: 'Code audité' }, kind: 'text' },
  { key: 'new', header: { en: 'New values', fr: 'Nouvelles valeurs' }, kind: 'text' },
  { key: 'old', header: { en: 'Old values', fr: 'Anciennes valeurs' }, kind: 'text' },
  { key: 'agent', header: { en: 'User agent', fr: 'Agent utilisateur' }, kind: 'text' },
]
const erased: Text = { en: '(erased)', fr: '(effacé)' }

/** Starts an export of the log. It names what this person may see now. */
export async function exportAudits(db: Db, actor: Actor, filters: AuditFilters, reader: Reader) {
  return transaction(db, async (tx) => {
    // The person may read the file when she no longer reviews a case. So it has texts of cases only for people with `cases.view`.
    const task: Task = { filters, reader: { ...reader, own: null } }
    return startExport(tx, actor, reader.locale, auditExport, task, 'audit-logs')
  })
}

/** Registers the writer of this export. */
export function registerAuditExport() {
  registerExport<Task>(auditExport, {
    allowed: async (actor, { reader }, { registry }) => {
      const now = await readerNow(registry, actor, reader.locale)
      const sees = reader.visible.every((noun) => now.visible.includes(noun))
      // Tasks of earlier releases lack `cases` and `records`, and their files have all texts of cases and all values of records.
      const mayReadCases = now.cases || reader.cases === false
      const mayReadRecords = reader.records?.every((shelf) => now.records.includes(shelf)) ?? false
      const seesAll = sees && (now.sensitive || !reader.sensitive) && mayReadCases && mayReadRecords
      return actor.can('audit-logs.view') && seesAll
    },
    subject: ({ filters }) => ({ type: 'audit', id: null, filters }),
    write: writeAudits,
  })
}

async function writeAudits(context: Context, { params, locale, path, progress }: ExportTask<Task>) {
  const { db } = context
  const { filters } = params
  const reader = { records: [], ...params.reader }
  const { search } = filters
  const subjects = search ? await findSubjects(db, search, reader.visible, everySubject) : undefined
  const where = sql.join([sql`true`, ...auditConditions(filters, subjects)], sql` and `)
  const counted = await sql<{ total: number; newest: number }>`
      select count(*) as total, coalesce(max(a.id), 0) as newest from audits a where ${where}`.execute(db)
  const { total = 0, newest = 0 } = counted.rows[0] ?? {}
  const written = await writeWorkbook(path, {
    name: { en: 'Audit log', fr: 'Journal d’audit' }[locale],
    columns: headers.map(({ key, header, kind }) => ({ key, header: header[locale], kind })),
    rows: lines(context, where, newest, reader),
    onProgress: (done) => progress(done, total),
  })
  await progress(total, total)
  return { rows: written, columns: headers.map(({ header }) => header) }
}

/** Reads the entries by keyset pagination, newest first and a thousand at a time, so that they are never all in memory. */
async function* lines(
  context: Context,
  where: RawBuilder<unknown>,
  newest: number,
  reader: Reader,
): AsyncGenerator<OutRow> {
  const read = async (before: number) => {
    const { rows } = await sql<StoredAudit>`
      select ${auditColumns} from ${auditFrom} where ${where} and a.id < ${before} order by a.id desc limit 1000
    `.execute(context.db)
    return inSentences(context, rows, reader, unlimited)
  }
  for await (const entries of batches(read, ({ id }) => id, newest + 1)) {
    const wordsOf = await wordsFor(context, entries)
    for (const entry of entries) yield line(entry, reader.locale, wordsOf(entry))
  }
}

function line(entry: AuditLog, locale: Locale, words: AuditedWords): OutRow {
  const values = (side: AuditLog['new_values']) =>
    entry.erased ? erased[locale] : side && textOf(side, locale, words)
  return [
    entry.created_at,
    entry.ip_address,
    entry.user && `${entry.user.first_name} ${entry.user.last_name}`,
    auditEvents[entry.event]?.[locale] ?? entry.event,
    sentenceText(entry.sentence),
    auditTypes[entry.auditable_type]?.[locale] ?? entry.auditable_type,
    entry.auditable_id === null ? null : String(entry.auditable_id),
    entry.auditable_name,
    entry.auditable_code,
    values(entry.new_values),
    values(entry.old_values),
    entry.user_agent,
  ]
}

/** Writes a line per field, in the same words as the page of the log. */
const textOf = (values: Record<string, unknown>, locale: Locale, words: AuditedWords): string =>
  Object.entries(values)
    .map(([name, value]) =>
      auditPair(auditFieldName(name, locale, words), auditValueText(value, name, locale, words), locale),
    )
    .join('\n')
