import type { AuditLog } from '@portal/contracts/audit'
import { auditWordsWith } from '@portal/contracts/audit-fields'
import type { AuditedWords } from '@portal/contracts/audit-text'
import type { Locale, Text } from '@portal/contracts/sentences'
import type { ReferenceList } from '@portal/contracts/sheet'
import { sensitiveFields } from '@portal/contracts/students.fields'
import { sql } from 'kysely'
import type { Context } from '../kit/context.ts'
import { type Db, rows } from '../kit/db.ts'
import type { Actor } from '../kit/session.ts'
import { linksToThings } from '../modules/module-links.service.ts'
import { recordsInWords } from '../modules/module-words.service.ts'
import { auditSentence, type Limits } from './audit-sentence.ts'
import { type Names, type Noun, readListed, readNames, visibleNouns } from './audit-subjects.service.ts'

/** Who reads: whose names and pages, and whether maternal status and disability, too (Access 5.1). */
export type Reader = { visible: Noun[]; sensitive: boolean; locale: Locale }

/** What a signed-in person may read of the log. */
export const readerOf = (actor: Actor, locale: Locale): Reader => ({
  visible: visibleNouns(actor),
  sensitive: actor.can('students.sensitive'),
  locale,
})

/** An entry as it is stored. */
export type StoredAudit = Omit<AuditLog, 'auditable_name' | 'auditable_code' | 'sentence'>

type Values = AuditLog['old_values']
type ReadContext = Pick<Context, 'db' | 'registry' | 'log'>

/** Adds to entries what they are about: its name, its code, its page, and all of it as a sentence. A constant number of queries. */
export async function inSentences(
  context: ReadContext,
  stored: readonly StoredAudit[],
  reader: Reader,
  limits: Limits,
): Promise<AuditLog[]> {
  const entries = stored.map((entry) => forReader(entry, reader.sensitive))
  const records = await recordsOf(context, entries)
  const pointing = (entry: StoredAudit) =>
    records(entry)?.references ?? pointingOf[entry.auditable_type] ?? {}
  const [name, wordsOf] = await Promise.all([
    namesIn(context.db, entries, pointing, reader),
    wordsFor(context, entries),
  ])
  const subjects = entries.map((entry) => name(entry.auditable_type, entry.auditable_id))
  const links = await linksToThings(
    context,
    subjects.map((subject) => (subject?.kind ? { ...subject, kind: subject.kind, id: subject.page } : null)),
  )
  return entries.map((entry, at) => {
    const { name: auditable_name = null, code: auditable_code = null } = subjects[at] ?? {}
    const old_values = withNames(entry, pointing(entry), entry.old_values, name)
    const new_values = withNames(entry, pointing(entry), entry.new_values, name)
    const recorded = { ...entry, auditable_name, auditable_code, old_values, new_values }
    const telling = { locale: reader.locale, words: wordsOf(entry), limits }
    return { ...recorded, sentence: auditSentence({ ...recorded, link: links[at] ?? null }, telling) }
  })
}

/** Fields whose values are ids of something that has a name. `listed` stands for the portal's own lists. */
type Pointing = Record<string, Noun | 'listed'>
const pointingOf: Record<string, Pointing> = {
  audit: { user_id: 'user' },
  case: {
    first_found: 'case',
    assigned_id: 'user',
    reviewer: 'user',
    type: 'listed',
    channel: 'listed',
    tags: 'listed',
  },
  cohort: { transfer_agency_id: 'agency', transfer_parameter_id: 'parameter' },
  parent: { first_found: 'parent' },
  role: { users: 'user' },
  school: { arrondissement_id: 'location' },
  student: { class_id: 'class', class: 'class', school: 'school', first_found: 'student' },
  teacher: { first_found: 'teacher' },
}

type Name = (noun: string, id: unknown) => ReturnType<Names>

/** What the subjects of these entries and the ids in their values are called. */
async function namesIn(
  db: Db,
  entries: readonly StoredAudit[],
  pointing: (entry: StoredAudit) => Pointing,
  { visible, locale }: Reader,
): Promise<Name> {
  const wanted = new Map<string, Set<number>>()
  const want = (noun: string, id: unknown) => {
    if (typeof id === 'number') wanted.set(noun, (wanted.get(noun) ?? new Set()).add(id))
  }
  for (const entry of entries) {
    const { auditable_type, auditable_id, old_values, new_values } = entry
    want(auditable_type, auditable_id)
    for (const [field, noun] of Object.entries(pointing(entry)))
      for (const id of [old_values?.[field], new_values?.[field]].flat()) want(noun, id)
  }
  const [names, listed] = await Promise.all([
    readNames(db, wanted, visible),
    readListed(db, [...(wanted.get('listed') ?? [])], locale),
  ])
  return (noun, id) => {
    if (noun !== 'listed') return names(noun, id)
    const name = listed.get(Number(id))
    return name ? { name, code: null, kind: null, page: Number(id) } : undefined
  }
}

function withNames({ auditable_type }: StoredAudit, fields: Pointing, values: Values, name: Name): Values {
  if (!values) return values
  const called = (noun: string, id: unknown) => {
    const found = name(noun, id)
    if (!found) return id
    // In records of modules people know things by their codes, as their lists and files have them.
    const coded = auditable_type === 'module record' && found.code
    return { id, name: coded ? `${found.name} (${found.code})` : found.name }
  }
  return Object.fromEntries(
    Object.entries(values).map(([field, value]) => {
      const noun = fields[field]
      if (!noun) return [field, value]
      return [field, Array.isArray(value) ? value.map((id) => called(noun, id)) : called(noun, value)]
    }),
  )
}

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
async function recordsOf({ registry }: ReadContext, entries: readonly StoredAudit[]) {
  const isRecord = ({ auditable_type }: StoredAudit) => auditable_type === 'module record'
  const records = entries.some(isRecord) ? await recordsInWords(registry) : noRecords
  return (entry: StoredAudit) => {
    const { module, collection } = { ...entry.old_values, ...entry.new_values }
    return isRecord(entry) ? records[`${module}/${collection}`] : undefined
  }
}

/** The words of each of these entries: of its type, or of the collection of a module. */
export async function wordsFor(context: ReadContext, entries: readonly StoredAudit[]) {
  const [fields, record] = await Promise.all([fieldsInWords(context.db), recordsOf(context, entries)])
  return (entry: StoredAudit): AuditedWords => record(entry)?.fields ?? fields[entry.auditable_type] ?? {}
}

const scales = ['vision', 'hearing', 'mobility', 'cognition', 'selfcare', 'communication', 'other']
const personal = (key: string) =>
  (sensitiveFields as readonly string[]).includes(key) || key.startsWith('disability') || scales.includes(key)

/** An entry as the reader may see it: maternal status and disability only with `students.sensitive` (Access 5.1). */
function forReader(entry: StoredAudit, sensitive: boolean): StoredAudit {
  if (sensitive) return entry
  return {
    ...entry,
    old_values: without(entry.old_values) as Values,
    new_values: without(entry.new_values) as Values,
  }
}

function without(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(without)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value)
      .filter(([key]) => !personal(key))
      .map(([key, inner]) => [key, without(inner)]),
  )
}
