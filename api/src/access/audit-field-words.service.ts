import { auditWordsWith } from '@portal/contracts/audit/fields'
import type { AuditedWords } from '@portal/contracts/audit/text'
import type { ReferenceList } from '@portal/contracts/imports/sheet'
import type { Text } from '@portal/contracts/sentences'
import { sql } from 'kysely'
import { type Db, rows } from '../kit/database/db.ts'
import type { Context } from '../kit/process/context.ts'
import { recordsInWords } from '../modules/module-words.service.ts'
import type { StoredAudit } from './audit-names.service.ts'

/** Labels and closed lists of all audited fields, those that the portal keeps as data among them. */
export async function fieldsInWords(db: Db) {
  const found = await rows(
    db,
    sql<{ list: ReferenceList; code: string } & Text>`select list, code, en, fr from reference_values
      where list in ('class_level', 'language', 'school_type', 'partner_type', 'employment_type')`,
  )
  const lists: Partial<Record<ReferenceList, Record<string, Text>>> = {}
  for (const { list, code, en, fr } of found) lists[list] = { ...lists[list], [code]: { en, fr } }
  return auditWordsWith(lists)
}

const noRecords: Awaited<ReturnType<typeof recordsInWords>> = {}

/** How the module declares the record that an entry is about; undefined for other entries. */
export async function recordsOf({ registry }: Pick<Context, 'registry'>, entries: readonly StoredAudit[]) {
  const isRecord = ({ auditable_type }: StoredAudit) => auditable_type === 'module record'
  const records = entries.some(isRecord) ? await recordsInWords(registry) : noRecords
  return (entry: StoredAudit) => {
    const { module, collection } = { ...entry.old_values, ...entry.new_values }
    return isRecord(entry) ? records[`${module}/${collection}`] : undefined
  }
}

/** The words of each of these entries: of its type, or of the collection of a module. */
export async function wordsFor(context: Pick<Context, 'db' | 'registry'>, entries: readonly StoredAudit[]) {
  const [fields, record] = await Promise.all([fieldsInWords(context.db), recordsOf(context, entries)])
  return (entry: StoredAudit): AuditedWords => record(entry)?.fields ?? fields[entry.auditable_type] ?? {}
}
