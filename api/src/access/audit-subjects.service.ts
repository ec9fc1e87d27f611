import type { Permission } from '@portal/contracts/permissions'
import type { Locale } from '@portal/contracts/sentences'
import { type RawBuilder, sql } from 'kysely'
import { type Db, rows, searchRows } from '../kit/database/db.ts'
import { matches } from '../kit/database/paging.ts'
import type { Actor } from '../kit/http/session.ts'

/** A kind of audit subject. Its names are read from its register with the log, so that no name is copied into the log. */
type Register = {
  /** Its table as `t`, joined with the tables that its name needs. */
  from: RawBuilder<unknown>
  name: RawBuilder<unknown>
  code?: RawBuilder<unknown>
  /** Its table alone, if a search needs no other. Joining each match to its person took most of the time of a search. */
  searched?: RawBuilder<unknown>
  /** The condition under which a search finds it. */
  search?: (text: string) => RawBuilder<unknown> | false
  /** Short words are not searched for: the index over three letters cannot find them among a million. */
  long?: boolean
  /** The kind of page that shows it, and the id in the page's address if that is the id of another subject. */
  page?: { kind: string; id?: RawBuilder<unknown>; permission: Permission }
  /** The names of people in the registers and of cases are for whoever may open them. */
  private?: boolean
}

const named = (column: RawBuilder<unknown>) => (text: string) => matches(sql`portal_search(${column})`, text)
const indexed = (text: string) => matches(sql`t.search`, text)
const person = sql`p.first_name || ' ' || p.last_name`

const registers = {
  user: {
    from: sql`users t`,
    name: sql`t.first_name || ' ' || t.last_name`,
    search: (text) => sql`t.account and ${indexed(text)}`,
    page: { kind: 'record.user', permission: 'users.view' },
  },
  role: {
    from: sql`roles t`,
    name: sql`t.name`,
    search: named(sql`t.name`),
    page: { kind: 'record.role', permission: 'roles.view' },
  },
  location: {
    from: sql`arrondissements t`,
    name: sql`t.name`,
    search: indexed,
    page: { kind: 'record.location', permission: 'locations.view' },
  },
  school: {
    from: sql`schools t`,
    name: sql`t.name`,
    code: sql`t.admin_code`,
    search: indexed,
    page: { kind: 'record.school', permission: 'schools.view' },
  },
  teacher: {
    from: sql`teachers t join users p on p.id = t.user_id`,
    searched: sql`teachers t`,
    name: person,
    search: indexed,
    long: true,
    page: { kind: 'record.teacher', permission: 'teachers.view' },
    private: true,
  },
  student: {
    from: sql`students t join users p on p.id = t.user_id`,
    searched: sql`students t`,
    name: person,
    code: sql`t.student_code`,
    search: indexed,
    long: true,
    page: { kind: 'record.student', permission: 'students.view' },
    private: true,
  },
  parent: {
    from: sql`parents t join users p on p.id = t.user_id`,
    searched: sql`parents t`,
    name: person,
    code: sql`t.parent_assigned_id`,
    search: indexed,
    long: true,
    page: { kind: 'record.parent', permission: 'parents.view' },
    private: true,
  },
  partner: {
    from: sql`partners t`,
    name: sql`t.name`,
    search: indexed,
    page: { kind: 'record.partner', permission: 'partners.view' },
  },
  agency: {
    from: sql`transfer_agencies t`,
    name: sql`t.name`,
    search: named(sql`t.name`),
    page: { kind: 'record.agency', permission: 'transfers.view' },
  },
  parameter: {
    from: sql`transfer_parameters t`,
    name: sql`t.name`,
    search: named(sql`t.name`),
    page: { kind: 'record.parameter', permission: 'transfers.view' },
  },
  cohort: {
    from: sql`transfer_cohorts t`,
    name: sql`t.name`,
    search: named(sql`t.name`),
    page: { kind: 'record.cohort', permission: 'transfers.view' },
  },
  round: {
    from: sql`transfer_payroll_groups t join transfer_cohorts c on c.id = t.cohort_id`,
    name: sql`c.name || ', ' || t.n`,
    page: { kind: 'record.payroll', permission: 'transfers.view' },
  },
  payment: {
    from: sql`transfer_payrolls t join transfer_master_list m on m.id = t.master_list_id
      join students s on s.id = m.student_id join users p on p.id = s.user_id`,
    searched: sql`transfer_payrolls t`,
    name: sql`t.reference || ', ' || ${person}`,
    code: sql`m.student_code`,
    search: (text) => sql`t.reference = ${text}`,
    page: { kind: 'record.payroll', id: sql`t.payroll_group_id`, permission: 'transfers.view' },
    private: true,
  },
  statement: {
    from: sql`agency_statements t join transfer_agencies a on a.id = t.agency_id`,
    name: sql`a.name || ', ' || to_char(t."from", 'DD/MM/YYYY') || ' – ' || to_char(t."to", 'DD/MM/YYYY')`,
    page: { kind: 'record.statement', permission: 'transfers.view' },
  },
  import: { from: sql`imports t`, name: sql`t.file_name`, search: named(sql`t.file_name`) },
  case: {
    from: sql`cases t`,
    name: sql`t.title`,
    code: sql`t.number`,
    search: indexed,
    long: true,
    page: { kind: 'record.case', permission: 'cases.view' },
    private: true,
  },
  referral: {
    from: sql`referrals t join cases c on c.id = t.case_id`,
    name: sql`c.title`,
    code: sql`t.number`,
    search: (text) => matches(sql`c.search`, text),
    long: true,
    page: { kind: 'record.case', id: sql`t.case_id`, permission: 'cases.view' },
    private: true,
  },
  'module token': { from: sql`module_tokens t`, name: sql`t.name`, search: named(sql`t.name`) },
  'sync token': { from: sql`sync_tokens t`, name: sql`t.name`, search: named(sql`t.name`) },
  'saved view': { from: sql`saved_views t`, name: sql`t.name` },
  class: { from: sql`classes t`, name: sql`t.name` },
  region: { from: sql`regions t`, name: sql`t.name` },
  cercle: { from: sql`cercles t`, name: sql`t.name` },
  academy: { from: sql`academies t`, name: sql`t.name` },
  cap: { from: sql`caps t`, name: sql`t.name` },
} satisfies Record<string, Register>

/** A register whose rows the log speaks of. */
export type Noun = keyof typeof registers
const known = Object.entries(registers) as [Noun, Register][]

/** Whose names and pages a reader may see. */
export const visibleNouns = (actor: Actor): Noun[] =>
  known.filter(([, { page }]) => !page || actor.can(page.permission)).map(([noun]) => noun)

const isNamed = (noun: Noun, { private: only }: Register, visible: readonly Noun[]) =>
  !only || visible.includes(noun)

/** The present name of a subject; `kind` and `page` say which page shows it to this reader. */
export type SubjectName = { name: string; code: string | null; kind: string | null; page: number }
/** Names by noun and id. */
export type Names = (noun: string, id: unknown) => SubjectName | undefined

type Found = { noun: Noun; id: number; name: string; code: string | null; page: number }

/** Reads the names of all these subjects in one statement. */
export async function readNames(
  db: Db,
  wanted: ReadonlyMap<string, ReadonlySet<number>>,
  visible: readonly Noun[],
): Promise<Names> {
  const readable = known.filter(([noun, register]) => isNamed(noun, register, visible))
  const one = ([noun, { from, name, code, page }]: [Noun, Register]) => sql`
    select ${sql.lit(noun)} as noun, t.id, ${name} as name, ${code ?? sql`null`} as code, ${page?.id ?? sql`t.id`} as page
    from ${from} where t.id = any(${[...(wanted.get(noun) ?? [])]}::bigint[])`
  const found = await rows(db, sql<Found>`${sql.join(readable.map(one), sql` union all `)}`)
  const names = new Map(found.map((row) => [`${row.noun} ${row.id}`, row]))
  return (noun, id) => {
    const row = names.get(`${noun} ${id}`)
    if (!row) return undefined
    const { page }: Register = registers[row.noun]
    return { ...row, kind: page && visible.includes(row.noun) ? page.kind : null }
  }
}

/** Words of the portal's own lists that values name by their id, as those of a case. */
export async function readListed(
  db: Db,
  ids: readonly number[],
  locale: Locale,
): Promise<Map<number, string>> {
  const found = await rows(
    db,
    sql<{ id: number; name: string }>`
      select id, case ${locale} when 'fr' then fr else en end as name from reference_values where id = any(${ids}::bigint[])`,
  )
  return new Map(found.map(({ id, name }) => [id, name]))
}

/** Limit per noun of a page. A search that finds more is too general, and the page says so. */
const onPage = 2000
/** No limit, for a file that nobody would see to lack entries. */
export const everySubject = Number.POSITIVE_INFINITY

/** Ids that a search text names, by noun, and whether there are more than were read. */
export type FoundSubjects = { ids: [Noun, number[]][]; too_many: boolean }

/**
 * Looks up a search text in the registers first, so that the log itself is only asked for keys that its indexes know. An
 * import that changed a student found here is found with her.
 */
export async function findSubjects(
  db: Db,
  text: string,
  visible: readonly Noun[],
  atMost = onPage,
): Promise<FoundSubjects> {
  const isLong = text.split(/\s+/).some((word) => word.length >= 3)
  const searched = known.filter(
    ([noun, register]) => register.search && isNamed(noun, register, visible) && (isLong || !register.long),
  )
  const one = ([noun, { from, searched = from, search }]: [Noun, Register]) => sql`
    (select ${sql.lit(noun)} as noun, t.id from ${searched} where ${search?.(text) || sql`false`} ${limitOf(atMost + 1)})`
  const found = await searchRows(
    db,
    sql<{ noun: Noun; id: number }>`${sql.join(searched.map(one), sql` union all `)}`,
  )
  const byNoun = Object.groupBy(found, ({ noun }) => noun)
  const ids = searched.map(([noun]): [Noun, number[]] => [
    noun,
    (byNoun[noun] ?? []).slice(0, atMost).map(({ id }) => id),
  ])
  const imports = await importsThatChanged(db, ids, atMost + 1)
  return {
    ids: [...ids, ['import', imports.slice(0, atMost)]],
    too_many: [...Object.values(byNoun), imports].some((all) => all.length > atMost),
  }
}

const limitOf = (atMost: number) => (Number.isFinite(atMost) ? sql`limit ${sql.lit(atMost)}` : sql``)

/** Which noun each import writes. */
const importedNouns = [
  ['students', 'student'],
  ['parents', 'parent'],
  ['teachers', 'teacher'],
  ['schools', 'school'],
  ['partners', 'partner'],
  ['locations', 'location'],
] as const

async function importsThatChanged(
  db: Db,
  ids: readonly [Noun, number[]][],
  atMost: number,
): Promise<number[]> {
  const meant = new Map(ids)
  const kinds = importedNouns.flatMap(([kind, noun]) => (meant.get(noun) ?? []).map(() => kind))
  const subjects = importedNouns.flatMap(([, noun]) => meant.get(noun) ?? [])
  if (subjects.length === 0) return []
  const found = await rows(
    db,
    sql<{ id: number }>`
      select distinct c.import_id as id from unnest(${kinds}::text[], ${subjects}::bigint[]) as meant (kind, id)
      join import_changes c on c.subject_id = meant.id join imports i on i.id = c.import_id and i.kind = meant.kind
      ${limitOf(atMost)}`,
  )
  return found.map(({ id }) => id)
}
