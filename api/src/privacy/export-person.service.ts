import { copyFile, mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Text } from '@portal/contracts/sentences'
import { sql } from 'kysely'
import { type DocumentSheet, writeDocument } from '../excel/document.ts'
import { audit } from '../kit/audit/audit.ts'
import { transaction } from '../kit/database/db.ts'
import { portal } from '../kit/http/session.ts'
import type { Context } from '../kit/process/context.ts'
import type { Person } from './person.service.ts'
import { mayRead, type Sight, type TraceRow } from './trace.ts'
import { traces } from './traces.ts'
import { picturesOf, placeOf } from './traces-records.ts'

type Part = { table: string; what: Text; rows: TraceRow[] }

/** Exports a person into a new folder for the owner, who sees all, audited (Access 7.1). Returns how many rows and documents it wrote. */
export async function exportPerson(context: Context, person: Person, folder: string) {
  const all: Sight = { cases: true, sensitive: true, records: 'all' }
  const { parts, documents } = await writePerson(context, person, folder, all)
  const rows = Object.fromEntries(parts.map((part) => [part.table, part.rows.length]))
  await transaction(context.db, (tx) =>
    audit(tx, portal, 'person exported', person.subject.type, person.subject.id, {
      new: { rows, document_count: documents.length },
    }),
  )
  return { rows: rowsIn(parts), documents: documents.length }
}

/** How many rows these parts have. */
export const rowsIn = (parts: readonly Part[]) => parts.reduce((sum, { rows }) => sum + rows.length, 0)

/**
 * Writes everything that the portal holds on a person into a new folder that only its owner can read: one workbook with a
 * sheet for each table, the same as JSON, and the documents of her cases and pictures of her records.
 */
export async function writePerson(
  { db, storage, settings }: Context,
  person: Person,
  folder: string,
  sight: Sight,
) {
  await mkdir(folder, { recursive: false, mode: 0o700 })
  const parts: Part[] = []
  for (const { table, what, read } of traces) {
    const rows = await read(db, person, settings.secret, sight)
    if (rows.length > 0) parts.push({ table, what, rows })
  }
  const documents = await documentsOf(db, person, sight)
  if (documents.length > 0) await mkdir(join(folder, 'documents'), { mode: 0o700 })
  const files = documents.map(({ id, name, key }) => ({ name: `documents/${id}-${name}`, key }))
  for (const { name, key } of files) await storage.withFile(key, (path) => copyFile(path, join(folder, name)))
  await writeDocument(join(folder, 'person.xlsx'), [overview(parts, documents.length), ...parts.map(sheetOf)])
  const json = Object.fromEntries(parts.map(({ table, rows }) => [table, rows]))
  await writeFile(join(folder, 'person.json'), JSON.stringify(json, null, 2), { mode: 0o600, flag: 'wx' })
  return { parts, documents: files.map(({ name }) => name) }
}

async function documentsOf(db: Context['db'], person: Person, sight: Sight) {
  const { rows } = await sql<{ id: number; key: string; name: string }>`
    select d.id, f.key, f.name from case_documents d join files f on f.id = d.file_id
    where d.case_id = any(${person.case_ids}::bigint[]) and f.dropped_at is null
    union all select t.id, f.key, concat('record-', t.record_id, '-', f.name) from record_pictures t join files f on f.id = t.file_id
    where ${picturesOf(person)} and ${mayRead(sight, placeOf('t'))} order by id`.execute(db)
  return rows
}

const words = (name: string) => name.replaceAll('_', ' ')

function overview(parts: Part[], documents: number): DocumentSheet {
  const lines = parts.map(({ table, rows }): [string, number] => [words(table), rows.length])
  return {
    name: 'content',
    columns: [
      { header: 'sheet', kind: 'text', width: 32 },
      { header: 'rows', kind: 'whole' },
    ],
    rows: [...lines, ['folder "documents"', documents]].map((cells) => ({ cells })),
  }
}

function sheetOf({ table, rows }: Part): DocumentSheet {
  const columns = [...new Set(rows.flatMap((row) => Object.keys(row)))]
  return {
    name: words(table),
    columns: columns.map((column) => ({ header: words(column), kind: 'text' })),
    rows: rows.map((row) => ({ cells: columns.map((column) => cellOf(row[column])) })),
  }
}

const cellOf = (value: unknown): string | null => {
  if (value === null || value === undefined) return null
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}
