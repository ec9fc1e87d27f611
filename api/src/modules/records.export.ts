import type { ModuleRecord } from '@portal/contracts/module-records'
import type { Permission } from '@portal/contracts/permissions'
import type { Picture } from '@portal/contracts/record-pictures'
import { nameHeading, numberColumn, recordHeadings, versionColumn } from '@portal/contracts/record-sheet'
import { fillText, type Locale, type Text } from '@portal/contracts/sentences'
import { sql } from 'kysely'
import { type OutCell, type OutColumn, type OutKind, writeWorkbook } from '../excel/write.ts'
import type { Db } from '../kit/database/db.ts'
import { batches } from '../kit/database/keyset.ts'
import { notFound } from '../kit/http/refusals.ts'
import type { Actor } from '../kit/http/session.ts'
import { type ExportTask, registerExport } from '../kit/jobs/exports.ts'
import type { Context } from '../kit/process/context.ts'
import { asAsked } from './record-changes.service.ts'
import { type Keying, keyingOf } from './record-keys.service.ts'
import { conditions, type Query, recordColumns, recordTables } from './record-lists.service.ts'
import { type Seer, seeing, withReferences } from './references.service.ts'
import { type Declared, declaredBy, isOpen, type Shelf } from './shelves.ts'

export const recordsExport = 'module-records'

/** An export: what is exported, as the build declares it that asked, and by which rights. */
type Asked = { shelf: Shelf; asking: Declared; reads: string[][]; sees: Permission[]; query: Query }

/** The parameters of an export, with the rights of whoever asks for it: they have to be there at the download, too. */
export const askedExport = (
  actor: Actor,
  shelf: Shelf,
  { asking, reads }: { asking: Declared; reads: string[][] },
  query: Query,
): Asked => ({ shelf, asking, reads, sees: seeing.filter((permission) => actor.can(permission)), query })

/** Registers the export of records: a column for each declared field, and two for each reference. */
export function registerRecordsExport() {
  registerExport<Asked>(recordsExport, {
    allowed: async (actor, { shelf, reads, sees }, { registry }) => {
      const granted = new Set<string>(actor.permissions)
      const has = (name: string) => granted.has(name)
      return sees.every(has) && reads.every((any) => any.some(has)) && (await isOpen(registry, shelf))
    },
    subject: ({ shelf, query }) => ({ type: 'module record', id: null, filters: { ...shelf, ...query } }),
    write: writeRecords,
  })
}

async function writeRecords(
  { db, registry }: Context,
  { params: { shelf, asking, sees, query }, locale, path, progress }: ExportTask<Asked>,
) {
  // The module was disabled or withheld after somebody asked for it.
  if (!(await isOpen(registry, shelf))) throw notFound()
  const keying = keyingOf(await declaredBy(registry, shelf), asking)
  const { where } = await conditions(db, shelf, keying, query)
  const filter = sql.join(where, sql` and `)
  const counted = await sql<{ total: number }>`
    select count(*)::int as total from module_records r where ${filter}`.execute(db)
  const total = counted.rows[0]?.total ?? 0
  // The person may read the file when she no longer reviews a case. So it names cases only for people with `cases.view`.
  const seer = { id: null, can: (permission: Permission) => sees.includes(permission) }
  const columns = columnsOf(asking, locale)
  const rows = await writeWorkbook(path, {
    name: asking.label?.[locale] ?? asking.name,
    columns,
    rows: cellsOf(db, { shelf, keying, seer, filter }, columns),
    onProgress: (done) => progress(done, total),
  })
  return { rows, columns: columns.map(({ label }) => label) }
}

type Source = { shelf: Shelf; keying: Keying; seer: Seer; filter: ReturnType<typeof sql> }

/** Reads all records, five hundred at a time. */
async function* cellsOf(
  db: Db,
  { shelf, keying, seer, filter }: Source,
  columns: readonly Written[],
): AsyncGenerator<OutCell[]> {
  const read = async (after: number) => {
    const { rows } = await sql<ModuleRecord & { schema: number }>`
      select ${recordColumns} from ${recordTables} where ${filter} and r.id > ${after} order by r.id limit 500`.execute(
      db,
    )
    return rows
  }
  for await (const rows of batches(read, ({ id }) => id)) {
    const records = await withReferences(db, seer, keying.declared, await asAsked(db, shelf, keying, rows))
    for (const record of records) yield columns.map(({ of }) => of(record) ?? null)
  }
}

type Written = OutColumn & { label: Text; of: (record: ModuleRecord) => OutCell }

const words = {
  yes: { en: 'yes', fr: 'oui' },
  not: { en: 'no', fr: 'non' },
  picture: { en: 'yes: {0}', fr: 'oui : {0}' },
} satisfies Record<string, Text>

function columnsOf(declared: Declared, locale: Locale): Written[] {
  const { fields = [] } = declared
  const column = (key: string, label: Text, kind: OutKind, of: Written['of']): Written => ({
    ...{ key, label, kind, of },
    header: label[locale],
  })
  return [
    column(numberColumn, recordHeadings.number, 'whole', ({ id }) => id),
    ...fields.flatMap((field) => {
      const { name, label, type, values = [] } = field
      if (type === 'reference') {
        return [
          column(name, label, 'text', ({ references }) => references?.[name]?.code ?? null),
          column(
            `${name}.name`,
            nameHeading(label),
            'text',
            ({ references }) => references?.[name]?.name ?? null,
          ),
        ]
      }
      if (type === 'picture')
        return [column(name, label, 'text', ({ data }) => pictureOf(data[name], locale))]
      const chosen = new Map(values.map(({ value, label: word }) => [value, word?.[locale]]))
      return [column(name, label, kindOf(type), ({ data }) => cellOf(data[name], chosen, locale))]
    }),
    column('user', recordHeadings.by, 'text', ({ user }) => `${user.first_name} ${user.last_name}`.trim()),
    column('updated_at', recordHeadings.changed, 'datetime', ({ updated_at }) => updated_at),
    // Without it a file that comes back would overwrite what was changed meanwhile.
    ...(declared.import
      ? [column(versionColumn, recordHeadings.version, 'whole', ({ version }) => version)]
      : []),
  ]
}

const kindOf = (type: string | undefined): OutKind =>
  type === 'whole' ? 'whole' : type === 'number' ? 'money' : type === 'day' ? 'date' : 'text'

/** The description of a picture, because a cell cannot contain the picture itself. */
function pictureOf(value: unknown, locale: Locale): OutCell {
  const { id, alt } = (value ?? {}) as Partial<Picture>
  if (!id) return null
  return alt ? fillText(words.picture, alt)[locale] : words.yes[locale]
}

function cellOf(value: unknown, chosen: Map<string, string | undefined>, locale: Locale): OutCell {
  if (typeof value === 'boolean') return (value ? words.yes : words.not)[locale]
  if (typeof value === 'number') return value
  if (typeof value === 'string') return chosen.get(value) ?? value
  return value === null || value === undefined ? null : JSON.stringify(value)
}
