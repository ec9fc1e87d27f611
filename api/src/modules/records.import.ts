import { sentence } from '@portal/contracts/imports/import-sentences'
import type { Permission } from '@portal/contracts/permissions'
import { checkRecord } from '@portal/contracts/record-fields'
import { importedFields, numberColumn, recordSheet, versionColumn } from '@portal/contracts/record-sheet'
import type { Referenced } from '@portal/contracts/record-types'
import type { Text } from '@portal/contracts/sentences'
import { sql } from 'kysely'
import { registerImport } from '../imports/import-domains.service.ts'
import { readRow } from '../imports/import-sort.service.ts'
import {
  type CheckedRow,
  type Fault,
  type OpenImport,
  recordsImportJob,
  type Stored,
  type TaskRow,
} from '../imports/imports.service.ts'
import type { Reader } from '../kit/database/db.ts'
import { conflict, forbidden, notFound } from '../kit/http/refusals.ts'
import type { Actor } from '../kit/http/session.ts'
import type { Context } from '../kit/process/context.ts'
import { say } from './messages.ts'
import { asAsked } from './record-changes.service.ts'
import { keyingOf } from './record-keys.service.ts'
import { onShelf } from './record-lists.service.ts'
import { lockRecords } from './record-room.service.ts'
import {
  asStored,
  changeRecords,
  insertRecords,
  referencesColumn,
  type Target,
} from './record-writes.service.ts'
import { largestRecord } from './records.service.ts'
import { readByCodes, type Seer, seeing, withReferences } from './references.service.ts'
import { type Declared, declaredBy, isOpen, openShelf, type Shelf } from './shelves.ts'

/**
 * What an import was started with: the collection, its declaration in the build of the person who started it, and the
 * permissions by which her rows may name things. Before the import is made, only the collection is known.
 */
export type ImportParams = Shelf & { asking?: Declared; sees?: Permission[] }

const shelfOf = ({ module, collection }: Shelf): Shelf => ({ module, collection })

/**
 * Checks that a person may import into a collection: whoever may write and read it, because rows that come back show what is
 * stored, and whoever sees the things that its uploader saw. Returns how her build declares it.
 */
export async function admitImport(
  { registry }: Pick<Context, 'registry'>,
  actor: Actor,
  { sees = [], ...params }: ImportParams,
): Promise<Declared> {
  const shelf = shelfOf(params)
  const { asking } = await openShelf(registry, actor, shelf, 'write')
  await openShelf(registry, actor, shelf, 'read')
  if (!asking.import) throw notFound()
  if (!sees.every((permission) => actor.can(permission))) throw forbidden()
  return asking
}

/** The parameters of a new import. */
export const importParams = (actor: Actor, shelf: Shelf, asking: Declared): Required<ImportParams> => ({
  ...{ ...shelfOf(shelf), asking },
  sees: seeing.filter((permission) => actor.can(permission)),
})

/** Registers the import of records. A row with a number changes the record; every other one is a new record. */
export const registerRecordsImport = () =>
  registerImport({
    kind: 'module-records',
    job: recordsImportJob,
    permission: (context, actor, params) => admitImport(context, actor, params as ImportParams),
    auditDetails: (params) => shelfOf(params as ImportParams),
    link: (params, id) => {
      const { module, collection } = params as ImportParams
      return `/home/records?of=${module}.${collection}&import=${id}`
    },
    sheet: async (_, params) => sheetOf(params as Required<ImportParams>),
    open: openRecords,
  })

const sheetOf = ({ module, asking }: Required<ImportParams>) => recordSheet(module, asking)

type Known = Target & { seer: Seer }

async function openRecords(
  { registry, settings }: Pick<Context, 'registry' | 'settings'>,
  task: TaskRow,
): Promise<OpenImport> {
  const params = task.params as Required<ImportParams>
  const { asking, sees } = params
  const shelf = shelfOf(params)
  if (!(await isOpen(registry, shelf))) throw conflict(say.moduleNotLive)
  const seer: Seer = { id: task.user_id, can: (permission) => sees.includes(permission) }
  const keying = keyingOf(await declaredBy(registry, shelf), asking)
  const known: Known = { shelf, keying, seer, user_id: task.user_id }
  const sheet = sheetOf(params)
  return {
    sheet,
    check: (db, rows) =>
      checkRows(
        db,
        known,
        rows.map((row) => readRow(sheet, row, numberColumn)),
      ),
    stored: (db, keys, lock) => storedRecords(db, known, keys, lock),
    doubt: (values, stored) => faultOf(asking, values, stored),
    settle: (values) => ({ ...values, [numberColumn]: null, [versionColumn]: null }),
    async refusal(tx, counts) {
      if (counts.new > 0) await lockRecords(tx, shelf)
      return refusalOf(tx, task.id, shelf, { adds: counts.new, most: settings.moduleRecords })
    },
    insert: (tx, part) => insertRecords(tx, known, part),
    update: (tx, part) => changeRecords(tx, known, part),
  }
}

/** Finds the things that rows name by their codes. */
async function checkRows(db: Reader, { keying, seer }: Known, rows: CheckedRow[]): Promise<CheckedRow[]> {
  const fields = importedFields(keying.declared).flatMap(({ name, to }) => (to ? [{ name, to }] : []))
  const found = new Map<Referenced, Map<string, number>>()
  for (const to of new Set(fields.map((field) => field.to))) {
    const names = fields.filter((field) => field.to === to).map(({ name }) => name)
    const codes = rows.flatMap(({ values }) => names.flatMap((name) => values[name] ?? []))
    found.set(to, await readByCodes(db, seer, to, [...new Set(codes)]))
  }
  return rows.map((row) => {
    const references: Record<string, number> = {}
    const errors = [...row.errors]
    for (const { name, to } of fields) {
      const code = row.values[name]
      const id = code ? found.get(to)?.get(code) : undefined
      if (id !== undefined) references[name] = id
      else if (code) errors.push({ column: name, value: code, message: sentence(`${to}_unseen`, code) })
    }
    const key = row.values[numberColumn] ?? undefined
    return { ...row, key, errors, rest: { ...row.rest, [referencesColumn]: references } }
  })
}

/** Under this name the data of a stored record stand beside its values. */
const dataColumn = 'record.data'

/** Stored records by their numbers, as the build declares them that asked, in the texts of a file. */
async function storedRecords(
  db: Reader,
  { shelf, keying, seer }: Known,
  keys: readonly string[],
  lock: boolean,
): Promise<Map<string, Stored>> {
  const found = await sql<{ id: number; data: Record<string, unknown>; schema: number; version: number }>`
    select r.id, r.data, r.schema, r.version from module_records r
    where ${onShelf(shelf)} and r.id = any(${keys}::bigint[]) order by r.id ${lock ? sql`for update of r` : sql``}`.execute(
    db,
  )
  const read = await withReferences(db, seer, keying.declared, await asAsked(db, shelf, keying, found.rows))
  const sheet = recordSheet(shelf.module, keying.declared)
  return new Map(
    read.map(({ id, version, data, references }) => {
      const cells = importedFields(keying.declared).map(({ name, to }) => [
        name,
        to ? (references[name]?.code ?? null) : cellOf(data[name]),
      ])
      const { values } = readRow(sheet, { row: 0, cells: Object.fromEntries(cells) }, numberColumn)
      const known = { [versionColumn]: String(version), [dataColumn]: JSON.stringify(data) }
      return [String(id), { id, values: { ...values, ...known } }]
    }),
  )
}

const cellOf = (value: unknown) =>
  typeof value === 'number' ? value : value === undefined || value === null ? null : String(value)

/** What is wrong with the record that a row would make, or that the stored one would become. */
function faultOf(declared: Declared, values: CheckedRow['values'], stored: Stored | undefined): Fault | null {
  const at = (column: string, message: string): Fault => ({
    column,
    value: values[column] ?? null,
    message,
  })
  const number = values[numberColumn]
  if (number && !stored) return at(numberColumn, sentence('record_unknown', number))
  if (number && values[versionColumn] === null) return at(versionColumn, sentence('record_version'))
  if (stored && values[versionColumn] !== stored.values[versionColumn])
    return at(versionColumn, sentence('record_stale'))
  const before = JSON.parse(stored?.values[dataColumn] ?? '{}') as Record<string, unknown>
  const given = Object.fromEntries(
    importedFields(declared).flatMap((field) => {
      const text = values[field.name]
      // What a cell names was found already.
      return text ? [[field.name, field.to ? 1 : asStored(field.type, text)]] : []
    }),
  )
  const { data, faults } = checkRecord(declared.fields ?? [], { ...before, ...given })
  const [fault] = Object.entries(faults)
  if (fault) return at(...fault)
  if (Buffer.byteLength(JSON.stringify(data)) <= largestRecord) return null
  const [longest = ''] = Object.keys(values).toSorted(
    (a, b) => (values[b]?.length ?? 0) - (values[a]?.length ?? 0),
  )
  return at(longest, sentence('record_too_large'))
}

type Adding = { adds: number; most: number }

/**
 * Why rows cannot be written: the collection would be too large, or the same file was imported before, so that its new records
 * would be there twice.
 */
async function refusalOf(db: Reader, id: number, shelf: Shelf, { adds, most }: Adding): Promise<Text | null> {
  const { rows } = await sql<{ kept: number; file_hash: string }>`
    select (select count(*)::int from module_records r where ${onShelf(shelf)}) as kept, i.file_hash from imports i where i.id = ${id}
  `.execute(db)
  const [now] = rows
  if (!now) return null
  if (adds > 0 && now.kept + adds > most) return say.importTooLarge(now.kept, adds, most)
  return adds > 0 ? importedBefore(db, shelf, now.file_hash) : null
}

/** The sentence about an earlier import of a file that made new records in this collection; null if there was none. */
export async function importedBefore(db: Reader, shelf: Shelf, file_hash: string): Promise<Text | null> {
  const { rows } = await sql<{ day: string; made: number }>`
    select to_char(finished_at, 'DD/MM/YYYY') as day, rows_new as made from imports
    where kind = 'module-records' and file_hash = ${file_hash} and state = 'imported' and rows_new > 0
      and params->>'module' = ${shelf.module} and params->>'collection' = ${shelf.collection}
    order by id desc limit 1`.execute(db)
  return rows[0] ? say.importedBefore(rows[0].day, rows[0].made) : null
}
