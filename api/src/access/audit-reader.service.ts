import type { AuditLog } from '@portal/contracts/audit'
import { sensitiveFields } from '@portal/contracts/registers/students.fields'
import type { Text } from '@portal/contracts/sentences'
import { sql } from 'kysely'
import { ownCases } from '../cases/case-readers.service.ts'
import type { Reader as Connection, Db } from '../kit/database/db.ts'
import type { Reader, StoredAudit } from './audit-names.service.ts'

type Values = AuditLog['old_values']
type Sides = { old_values: Values; new_values: Values }
/** How a reader sees a field: its value, nothing, or only that it has a value. */
type Sight = 'shown' | 'absent' | 'masked'

const scales = ['vision', 'hearing', 'mobility', 'cognition', 'selfcare', 'communication', 'other']
const personal = (key: string) =>
  (sensitiveFields as readonly string[]).includes(key) || key.startsWith('disability') || scales.includes(key)

/** Fields of entries about cases that everybody may read: numbers, and values of closed lists. All other texts are confidential. */
const openTexts = ['number', 'referral', 'status', 'priority']
export const isOfCase = ({ auditable_type }: Pick<StoredAudit, 'auditable_type'>) =>
  auditable_type === 'case' || auditable_type === 'referral'

/** Fields of entries about records of modules that are no values of the record. */
const openOfRecords = ['module', 'collection', 'token']
const openOfActs = [...openOfRecords, 'notice', 'people', 'picture', 'row_count', 'columns', 'entry']
const changing = ['created', 'updated', 'deleted']
/** Events of an import whose entries have cells of its file. */
const correcting = ['corrected', 'corrections kept']

/** Replaces a text that the reader may not see. */
export const confidential: Text = { en: '(confidential)', fr: '(confidentiel)' }

/**
 * Entries as the reader may see them. Maternal status and disability are absent without `students.sensitive` (Access 5.1). Texts of
 * a case are masked for whoever may not read the case, so that she sees what changed and by whom, and so are all values of a record
 * of a module (Access 6.6).
 */
export async function forReader(
  db: Db,
  stored: readonly StoredAudit[],
  reader: Reader,
): Promise<StoredAudit[]> {
  const masked = await confidentialOf(db, stored, reader)
  const open = await withReadableRecords(db, stored, reader.records)
  return open.map((entry) => asSeen(entry, { sensitive: reader.sensitive, texts: !masked(entry) }))
}

/** An entry without maternal status and disability unless `sensitive`, and with texts of a case masked unless `texts`. */
export function asSeen<Entry extends Sides>(
  entry: Entry,
  { sensitive, texts }: { sensitive: boolean; texts: boolean },
): Entry {
  if (sensitive && texts) return entry
  const sightOf = (key: string): Sight => {
    if (!sensitive && personal(key)) return 'absent'
    return !texts && !openTexts.includes(key) ? 'masked' : 'shown'
  }
  const side = (values: Values) => withSight(values, 'shown', sightOf) as Values
  return { ...entry, old_values: side(entry.old_values), new_values: side(entry.new_values) }
}

/** Which entries are about a case that the reader may not read. */
async function confidentialOf(
  db: Db,
  stored: readonly StoredAudit[],
  { cases, own }: Reader,
): Promise<(entry: StoredAudit) => boolean> {
  if (cases) return () => false
  const of = (type: string) =>
    stored.flatMap(({ auditable_type, auditable_id }) =>
      auditable_type === type && auditable_id !== null ? [auditable_id] : [],
    )
  const readable = own
    ? await ownCases(db, own, { cases: of('case'), referrals: of('referral') })
    : new Set<string>()
  return (entry) => isOfCase(entry) && !readable.has(`${entry.auditable_type} ${entry.auditable_id}`)
}

type About = Sides & Pick<StoredAudit, 'auditable_type' | 'auditable_id' | 'event'>

/**
 * The entries, those masked that are about records of a module which are not among these collections, because the reader may not read
 * them or nobody can now (Modules 4.1). So are cells that somebody corrected in an import of such records.
 */
export async function withReadableRecords<Entry extends About>(
  db: Connection,
  entries: readonly Entry[],
  records: readonly string[],
): Promise<Entry[]> {
  const imports = await importedShelves(db, entries)
  return entries.map((entry) => {
    const shelf = shelfOf(entry, imports)
    if (shelf === undefined || records.includes(shelf)) return entry
    const { event, old_values, new_values } = entry
    return {
      ...entry,
      old_values: withoutRecord(old_values, event),
      new_values: withoutRecord(new_values, event),
    }
  })
}

function shelfOf(
  { auditable_type, auditable_id, old_values, new_values }: About,
  imports: ReadonlyMap<number, string>,
): string | undefined {
  if (auditable_type === 'import') return imports.get(auditable_id ?? 0)
  const { module, collection } = { ...old_values, ...new_values }
  return auditable_type === 'module record' ? `${module}/${collection}` : undefined
}

/** The collections of the imports of records of which entries have cells. */
async function importedShelves(db: Connection, entries: readonly About[]): Promise<Map<number, string>> {
  const ids = entries.flatMap(({ auditable_type, auditable_id, event }) =>
    auditable_type === 'import' && correcting.includes(event) ? [auditable_id ?? 0] : [],
  )
  if (ids.length === 0) return new Map()
  const { rows } = await sql<{ id: number; shelf: string }>`
    select id, concat(params->>'module', '/', params->>'collection') as shelf from imports
    where kind = 'module-records' and id = any(${ids}::bigint[])`.execute(db)
  return new Map(rows.map(({ id, shelf }) => [id, shelf]))
}

/** Values of a record are masked whole, numbers too: the portal does not know what they tell. */
function withoutRecord(values: Values, event: string): Values {
  const open = changing.includes(event) ? openOfRecords : openOfActs
  const sight = (key: string, value: unknown) =>
    open.includes(key) || value === null || value === '' ? value : confidential
  return values && Object.fromEntries(Object.entries(values).map(([key, value]) => [key, sight(key, value)]))
}

function withSight(value: unknown, sight: Sight, sightOf: (key: string) => Sight): unknown {
  if (Array.isArray(value)) return value.map((each) => withSight(each, sight, sightOf))
  if (typeof value === 'object' && value !== null)
    return Object.fromEntries(
      Object.entries(value)
        .map(([key, inner]) => [key, inner, sightOf(key)] as const)
        .filter(([, , inside]) => inside !== 'absent')
        .map(([key, inner, inside]) => [key, withSight(inner, inside, sightOf)]),
    )
  return sight === 'masked' && typeof value === 'string' && value !== '' ? confidential : value
}
