import { fillText, type Text } from '@portal/contracts/sentences'
import { sql } from 'kysely'
import type { Reader } from '../kit/database/db.ts'
import { bars, inCommand } from './messages.ts'
import { isRequestOn, type Person } from './person.service.ts'

/** What was decided beforehand. */
export type Decided = {
  /** No round to come pays this person any more. */
  stopPaying: boolean
  /** Numbers of cases that name somebody else of the same name. */
  otherCases: string[]
}

/** Every reason why a person cannot be erased now, as sentences that say what to do, by default in the command. */
export async function barsToErasure(
  db: Reader,
  person: Person,
  decided: Decided,
  words = inCommand,
): Promise<Text[]> {
  const [found, open] = await Promise.all([barsToEnd(db, person), undecided(db, person, decided, words)])
  return [
    ...found,
    ...((await isExporting(db)) ? [bars.exporting] : []),
    ...((await isImporting(db)) ? [bars.importing] : []),
    ...(await requestBars(db, person)),
    ...open,
  ]
}

/** Rounds to come and cases with this name that nobody has decided about beforehand. */
export async function undecided(
  db: Reader,
  person: Person,
  { stopPaying, otherCases }: Decided,
  words: typeof inCommand,
): Promise<Text[]> {
  const [rounds, naming] = await Promise.all([roundsToCome(db, person), casesNaming(db, person)])
  return [
    ...(stopPaying ? [] : rounds.map(({ name, rounds: count }) => fillText(words.rounds, name, count))),
    ...naming
      .filter((number) => !otherCases.includes(number))
      .map((number) => fillText(words.namesake, number)),
  ]
}

/** What has to end before a person can be erased, whoever decides. An export that is being written only takes a minute. */
export async function barsToEnd(db: Reader, person: Person): Promise<Text[]> {
  const found = [
    person.active_account ? [bars.account] : [],
    await paymentBars(db, person),
    await listBars(db, person),
    await importBars(db, person),
    await caseBars(db, person),
    await consultationBars(db, person),
  ]
  return found.flat()
}

async function paymentBars(db: Reader, { list_ids }: Person) {
  const { rows } = await sql<{ reference: string; status: keyof typeof bars.payment; cohort: string }>`
    select p.reference, p.status, c.name as cohort from transfer_payrolls p
    join transfer_payroll_groups g on g.id = p.payroll_group_id join transfer_cohorts c on c.id = g.cohort_id
    where p.master_list_id = any(${list_ids}::bigint[]) and p.status <> 'success' and p.written_off_at is null
    order by p.id`.execute(db)
  return rows.map(({ reference, status, cohort }) => fillText(bars.payment[status], reference, cohort))
}

async function listBars(db: Reader, { list_ids }: Person) {
  const { rows } = await sql<{ name: string }>`
    select distinct c.name from transfer_master_list m join transfer_cohorts c on c.id = m.cohort_id
    where m.id = any(${list_ids}::bigint[]) and c.status = 'pending' order by c.name`.execute(db)
  return rows.map(({ name }) => fillText(bars.list, name))
}

/** Cohorts with rounds to come that would pay the person. */
export async function roundsToCome(
  db: Reader,
  { list_ids }: Person,
): Promise<{ name: string; rounds: number }[]> {
  const { rows } = await sql<{ name: string; rounds: number }>`
    select c.name, count(distinct r.n)::int as rounds from transfer_master_list m join transfer_cohorts c on c.id = m.cohort_id
    join transfer_rounds r on r.cohort_id = c.id
    where m.id = any(${list_ids}::bigint[]) and m.erased_at is null and c.status in ('approved', 'error') and r.state = 'scheduled'
    group by c.id, c.name order by c.name`.execute(db)
  return rows
}

async function importBars(db: Reader, { staged }: Person) {
  const { rows } = await sql<{ id: number; file_name: string }>`
    select id, file_name from imports where id = any(${staged.imports}::bigint[])
      and state in ('queued', 'reading', 'review', 'importing') order by id`.execute(db)
  return rows.map(({ id, file_name }) => fillText(bars.import, id, file_name))
}

/** Whether an export is being written, which may contain anybody. */
async function isExporting(db: Reader): Promise<boolean> {
  const { rows } = await sql`select from exports where state in ('queued', 'writing') limit 1`.execute(db)
  return rows.length > 0
}

/** Whether a file waits to be read, or is read or written: until then nobody knows all of its rows, which may be about anybody. */
export async function isImporting(db: Reader): Promise<boolean> {
  const { rows } = await sql`
    select from imports where state in ('queued', 'reading', 'importing') limit 1`.execute(db)
  return rows.length > 0
}

async function caseBars(db: Reader, { case_ids }: Person) {
  const { rows } = await sql<{ number: string }>`
    select number from cases where id = any(${case_ids}::bigint[]) and decided_at is null order by number`.execute(
    db,
  )
  return rows.map(({ number }) => fillText(bars.case, number))
}

async function consultationBars(db: Reader, { referral_ids }: Person) {
  const { rows } = await sql<{ number: string }>`
    select number from referrals where id = any(${referral_ids}::bigint[])
      and num_nonnulls(resolved_at, rejected_at, revoked_at, expired_at) = 0 order by number`.execute(db)
  return rows.map(({ number }) => fillText(bars.consultation, number))
}

/** A request of the person's page that waits for a decision. An approved one is carried out by whoever comes first. */
async function requestBars(db: Reader, person: Person) {
  const { rows } = await sql`
    select from erasure_requests where ${isRequestOn(person)} and state = 'asked'`.execute(db)
  return rows.length > 0 ? [bars.request] : []
}
/** Numbers of the cases whose texts name the person, or a namesake, besides those that the owner named. */
export async function casesNaming(db: Reader, { case_ids, mentions }: Person): Promise<string[]> {
  const { rows } = await sql<{ number: string }>`
    select c.number from cases c
    where not c.id = any(${case_ids}::bigint[]) and portal_search(concat_ws(' ', c.title, c.description, c.plaintiff, c.verdict,
      (select string_agg(e.note, ' ') from case_events e where e.case_id = c.id),
      (select string_agg(concat_ws(' ', r.comment, (select string_agg(n.note, ' ') from referral_notes n where n.referral_id = r.id)), ' ')
        from referrals r where r.case_id = c.id),
      (select string_agg(concat_ws(' ', d.description, f.name), ' ') from case_documents d join files f on f.id = d.file_id
        where d.case_id = c.id))) ~ ${mentions}
    order by c.number`.execute(db)
  return rows.map(({ number }) => number)
}
