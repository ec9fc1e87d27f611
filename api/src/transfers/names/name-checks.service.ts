import type { AnswerOf, QueryOf } from '@portal/contracts/endpoint'
import { fill, type Locale, type Text } from '@portal/contracts/sentences'
import type { ListedName, NameCheck, NamesOfList, nameChecks } from '@portal/contracts/transfers/name-checks'
import { type NameState, nameStates } from '@portal/contracts/transfers/name-outcomes'
import { type RawBuilder, sql } from 'kysely'
import { audit } from '../../kit/audit/audit.ts'
import { type Db, type Reader, rows, type Tx, transaction } from '../../kit/database/db.ts'
import { matches, paged } from '../../kit/database/paging.ts'
import { conflict, notFound } from '../../kit/http/refusals.ts'
import type { Actor } from '../../kit/http/session.ts'
import type { KeyRing } from '../../kit/secrets/keys.ts'
import { connectorFacts } from '../connectors/index.ts'
import { answerOf, openNames } from './name-answers.service.ts'
import { agencyPays } from './name-asking.jobs.ts'
import { problems, say } from './name-check.messages.ts'

/** What decides whether the names of a list can be asked about. */
export type CohortOfNames = {
  id: number
  name: string
  status: string
  closed: boolean
  imported: boolean
  size: number
  agency_id: number
  agency: string
  active: boolean
  protocol: string
}

export const cohortOf = (cohortId: number) => sql<CohortOfNames>`
  select c.id, c.name, c.status, c.imported_at is not null as imported, c.master_list_count as size,
    exists (select from cohort_closings k where k.cohort_id = c.id) as closed,
    a.id as agency_id, a.name as agency, a.status = 'active' as active, a.protocol
  from transfer_cohorts c join transfer_agencies a on a.id = c.transfer_agency_id where c.id = ${cohortId}`

/** Why the names of a list cannot be checked at its agency; null if they can. */
export function checkBar({ status, closed, imported, active, protocol }: CohortOfNames): Text | null {
  const facts = connectorFacts(protocol)
  if (!facts?.verifyName || !facts.names) return say.notOffered
  if (!imported) return say.notImported
  if (closed || status === 'rejected') return say.ended
  return active ? null : say.inactive
}

/** SQL: the rows of a list, each with its agency's answer. */
export const namesOf = (cohortId: number): RawBuilder<unknown> => sql`(
  select m.id, m.student_code, coalesce(r.first_name, m.receiver_first_name) as first_name,
    coalesce(r.last_name, m.receiver_last_name) as last_name, r.phone, coalesce(a.outcome, 'unchecked') as state,
    a.names, a.within_limits, a.answered_at, r.correction_id, m.search
  from transfer_master_list m
  join transfer_cohorts c on c.id = m.cohort_id
  cross join lateral recipient_of(m.id) r
  left join lateral ${answerOf(sql`m.id`, sql`c.transfer_agency_id`)} a on true
  where m.cohort_id = ${cohortId}
)`

type CheckRow = Omit<NameCheck, 'problem'> & { problem: keyof typeof problems | null }

async function lastCheck(db: Reader, cohortId: number, locale: Locale): Promise<NameCheck | null> {
  const { rows: found } = await sql<CheckRow>`
    select c.state, c.total, c.done, c.unanswered, c.problem, c.created_at, c.state = 'running' and ${agencyPays} as waits
    from name_checks c where c.cohort_id = ${cohortId} order by c.id desc limit 1`.execute(db)
  const check = found[0]
  return check ? { ...check, problem: check.problem && fill(problems[check.problem], locale) } : null
}

/** Reads what is known of the names of a list, and how far its check is. */
export async function readNames(db: Db, locale: Locale, cohortId: number): Promise<NamesOfList> {
  const [cohort] = await rows(db, cohortOf(cohortId))
  if (!cohort) throw notFound()
  const bar = checkBar(cohort)
  const freshDays = connectorFacts(cohort.protocol)?.names?.freshDays ?? null
  // The check is read first: once it has finished, the counts have all its answers, and nobody reads them again.
  const check = await lastCheck(db, cohortId, locale)
  const found = await rows(
    db,
    sql<{ state: NameState; count: number; stale: number; answered_at: string | null }>`
    select n.state, count(*)::int as count, max(n.answered_at) as answered_at,
      (count(*) filter (where n.answered_at <= now() - make_interval(days => ${freshDays ?? 0})))::int as stale
    from ${namesOf(cohortId)} n group by n.state`,
  )
  const times = found.flatMap(({ answered_at }) => answered_at ?? [])
  return {
    name: cohort.name,
    agency: cohort.agency,
    barred: bar && fill(bar, locale),
    fresh_days: freshDays,
    counts: nameStates.map((state) => ({
      state,
      count: found.find((each) => each.state === state)?.count ?? 0,
    })),
    stale: found.reduce((sum, { stale }) => sum + stale, 0),
    answered_at: times.toSorted().at(-1) ?? null,
    check,
  }
}

/** SQL: the place of a state in the order of the sheet. */
export const placeOf = sql`array_position(${sql.val(nameStates)}::text[], n.state)`

export type NameRow = Omit<ListedName, 'holder'> & { names: Buffer | null }

/** SQL: what a row `n` is told with. */
export const nameColumns = sql`n.id, n.student_code, n.first_name, n.last_name, n.phone, n.state, n.names, n.within_limits, n.answered_at`

/** SQL: what a row `n` is searched by. The list has its text folded already; only recipients who were corrected are folded anew. */
const foldedText = sql`case when n.correction_id is null then n.search
  else portal_search(n.first_name || ' ' || n.last_name || ' ' || n.student_code || ' ' || coalesce(n.phone, '')) end`

/** A row as it is told, with the agency's name opened. */
export const listedName = (keys: KeyRing, { names, ...row }: NameRow): ListedName => ({
  ...row,
  holder: names && openNames(keys, names).holder,
})

/** Reads one page of the names of a list. What a person should look at comes first. */
export async function listNames(
  db: Db,
  keys: KeyRing,
  cohortId: number,
  query: QueryOf<typeof nameChecks.list>,
): Promise<AnswerOf<typeof nameChecks.list>> {
  const [cohort] = await rows(db, cohortOf(cohortId))
  if (!cohort) throw notFound()
  const names = await paged<NameRow>(db, query, {
    columns: nameColumns,
    from: sql`${namesOf(cohortId)} n`,
    where: [query.state && sql`n.state = ${query.state}`, matches(foldedText, query.search)],
    sort: {
      place: placeOf,
      last_name: sql`n.last_name collate "fr-x-icu"`,
      student_code: sql`n.student_code`,
      answered_at: sql`n.answered_at`,
    },
    order: 'place',
    key: sql`n.id`,
  })
  return { names: { ...names, data: names.data.map((row) => listedName(keys, row)) } }
}

/** Starts a check of the whole list. Rows whose answer still counts are not asked about again. */
export function startCheck(db: Db, actor: Actor, cohortId: number): Promise<void> {
  return transaction(db, async (tx) => {
    await sql`select from transfer_cohorts where id = ${cohortId} for update`.execute(tx)
    const { rows: found } = await cohortOf(cohortId).execute(tx)
    const cohort = found[0]
    if (!cohort) throw notFound()
    const bar = checkBar(cohort)
    if (bar) throw conflict(bar)
    const running = await sql`
      select from name_checks where cohort_id = ${cohortId} and state = 'running'`.execute(tx)
    if (running.rows.length > 0) throw conflict(say.running)
    await sql`insert into name_checks (cohort_id, agency_id, total, user_id)
      values (${cohortId}, ${cohort.agency_id}, ${cohort.size}, ${actor.id})`.execute(tx)
    await audit(tx, actor, 'names asked', 'cohort', cohortId, { new: { rows: cohort.size } })
  })
}

/** Cancels the running check of a list. Answers that came are kept. */
export function cancelCheck(db: Db, actor: Actor, cohortId: number): Promise<void> {
  return transaction(db, async (tx) => {
    if (await endCheck(tx, actor, cohortId)) return
    const { rows: found } = await cohortOf(cohortId).execute(tx)
    throw found.length > 0 ? conflict(say.notRunning) : notFound()
  })
}

/** Ends the check of a list if one is running, and returns whether it was. */
export async function endCheck(tx: Tx, actor: Actor, cohortId: number): Promise<boolean> {
  const { rows: ended } = await sql<{ done: number }>`
    update name_checks set state = 'cancelled', ended_at = now(), leased_until = null
    where cohort_id = ${cohortId} and state = 'running' returning done`.execute(tx)
  const [check] = ended
  if (!check) return false
  await audit(tx, actor, 'names cancelled', 'cohort', cohortId, { new: { rows: check.done } })
  return true
}
