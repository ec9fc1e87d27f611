import { type AuditLog, auditEvents, auditFieldName, auditTypes } from '@portal/contracts/audit'
import { auditWords } from '@portal/contracts/audit-fields'
import type { Locale, Text } from '@portal/contracts/sentences'
import { sql } from 'kysely'
import { type OutColumn, type OutRow, writeWorkbook } from '../excel/write.ts'
import { audit } from '../kit/audit.ts'
import { type Db, transaction } from '../kit/db.ts'
import { registerExport, startExport } from '../kit/exports.ts'
import type { Actor } from '../kit/session.ts'
import {
  type AuditFilters,
  auditColumns,
  auditConditions,
  auditFrom,
  forReader,
} from './audit-logs.service.ts'

export const auditExport = 'audit-logs'
/** A sheet has at most 1,048,576 rows. Of a longer log only the newest entries are written. */
const rowsAtMost = 1_000_000
/** A cell has at most 32,767 characters. */
const cellAtMost = 32_000

type Task = { filters: AuditFilters; sensitive: boolean }

const headers: { key: string; header: Text; kind: OutColumn['kind'] }[] = [
  { key: 'date', header: { en: 'Date', fr: 'Date' }, kind: 'datetime' },
  { key: 'ip', header: { en: 'IP', fr: 'IP' }, kind: 'text' },
  { key: 'user', header: { en: 'User', fr: 'Utilisateur' }, kind: 'text' },
  { key: 'event', header: { en: 'Event', fr: 'Événement' }, kind: 'text' },
  { key: 'type', header: { en: 'Audited type', fr: 'Type audité' }, kind: 'text' },
  { key: 'id', header: { en: 'Audited id', fr: 'Identifiant audité' }, kind: 'text' },
  { key: 'name', header: { en: 'Audited name', fr: 'Nom audité' }, kind: 'text' },
  { key: 'new', header: { en: 'New values', fr: 'Nouvelles valeurs' }, kind: 'text' },
  { key: 'old', header: { en: 'Old values', fr: 'Anciennes valeurs' }, kind: 'text' },
  { key: 'agent', header: { en: 'User agent', fr: 'Agent utilisateur' }, kind: 'text' },
]
const erased: Text = { en: '(erased)', fr: '(effacé)' }
const colon: Text = { en: ': ', fr: ' : ' }

/** Starts an export of the log and audits it, so that the log shows who exported it. */
export async function exportAudits(db: Db, actor: Actor, locale: Locale, filters: AuditFilters) {
  return transaction(db, async (tx) => {
    await audit(tx, actor, 'exported', 'audit', null, { new: filters })
    const task: Task = { filters, sensitive: actor.can('students.sensitive') }
    return startExport(tx, actor, locale, auditExport, task, 'audit-logs')
  })
}

/** Registers the writer of this export. */
export function registerAuditExport() {
  registerExport<Task>(auditExport, async ({ db }, { params, locale, path, progress }) => {
    const where = sql.join([sql`true`, ...auditConditions(params.filters)], sql` and `)
    const counted = await sql<{ n: number; newest: number }>`
      select count(*) as n, coalesce(max(a.id), 0) as newest from audits a where ${where}`.execute(db)
    const { n = 0, newest = 0 } = counted.rows[0] ?? {}
    const total = Math.min(n, rowsAtMost)
    await writeWorkbook(path, {
      name: { en: 'Audit log', fr: 'Journal d’audit' }[locale],
      columns: headers.map(({ key, header, kind }) => ({ key, header: header[locale], kind })),
      rows: lines(db, where, newest, params.sensitive, locale),
      onProgress: (done) => progress(done, total),
    })
    await progress(total, total)
  })
}

/**
 * Reads the entries by keyset pagination, newest first and a thousand at a time, so that they are never all in memory.
 */
async function* lines(
  db: Db,
  where: ReturnType<typeof sql>,
  newest: number,
  sensitive: boolean,
  locale: Locale,
): AsyncGenerator<OutRow> {
  let written = 0
  for (let before = newest + 1; written < rowsAtMost; ) {
    const { rows } = await sql<AuditLog>`
      select ${auditColumns} from ${auditFrom} where ${where} and a.id < ${before} order by a.id desc limit 1000
    `.execute(db)
    for (const row of rows.slice(0, rowsAtMost - written)) yield line(forReader(row, sensitive), locale)
    written += rows.length
    const last = rows.at(-1)
    if (!last) return
    before = last.id
  }
}

function line(row: AuditLog, locale: Locale): OutRow {
  const values = (side: AuditLog['new_values']) =>
    row.erased ? erased[locale] : side && textOf(side, row.auditable_type, locale)
  return [
    row.created_at,
    row.ip_address,
    row.user && `${row.user.first_name} ${row.user.last_name}`,
    auditEvents[row.event]?.[locale] ?? row.event,
    auditTypes[row.auditable_type]?.[locale] ?? row.auditable_type,
    row.auditable_id === null ? null : String(row.auditable_id),
    row.auditable_name,
    values(row.new_values),
    values(row.old_values),
    row.user_agent,
  ]
}

/** Writes a line per field, in the same words as the page of the log. */
function textOf(values: Record<string, unknown>, type: string, locale: Locale): string {
  const words = auditWords[type] ?? {}
  const text = (name: string, value: unknown) =>
    words[name]?.values[String(value)]?.[locale] ??
    (typeof value === 'string' ? value : JSON.stringify(value))
  return Object.entries(values)
    .map(([name, value]) => `${auditFieldName(name, locale, words)}${colon[locale]}${text(name, value)}`)
    .join('\n')
    .slice(0, cellAtMost)
}
