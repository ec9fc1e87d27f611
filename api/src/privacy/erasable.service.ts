import { sql } from 'kysely'
import type { Reader } from '../kit/db.ts'
import type { Person } from './person.service.ts'

/** What the owner has decided beforehand. */
export type Decided = {
  /** No round to come pays this person any more. */
  stopPaying: boolean
  /** Numbers of cases that name somebody else of the same name. */
  otherCases: string[]
}

/** Every reason why a person cannot be erased now, as sentences that say what to do. */
export async function barsToErasure(db: Reader, person: Person, decided: Decided): Promise<string[]> {
  const found = [
    accountBar(person),
    await paymentBars(db, person),
    await listBars(db, person),
    decided.stopPaying ? [] : await roundBars(db, person),
    await importBars(db, person),
    await exportBars(db),
    await caseBars(db, person),
    await consultationBars(db, person),
    await namesakeBars(db, person, decided.otherCases),
  ]
  return found.flat()
}

const accountBar = ({ active_account }: Person) =>
  active_account ? ['The account is active: deactivate it first, so that others take over its work.'] : []

async function paymentBars(db: Reader, { list_ids }: Person) {
  const { rows } = await sql<{ reference: string; status: string; cohort: string }>`
    select p.reference, p.status, c.name as cohort from transfer_payrolls p
    join transfer_payroll_groups g on g.id = p.payroll_group_id join transfer_cohorts c on c.id = g.cohort_id
    where p.master_list_id = any(${list_ids}::bigint[]) and p.status <> 'success' and p.written_off_at is null
    order by p.id`.execute(db)
  return rows.map(({ reference, status, cohort }) => {
    const payment = `The payment ${reference} of cohort "${cohort}"`
    return status === 'failed'
      ? `${payment} failed and is arrears: have it made again or write it off, then erase.`
      : `${payment} is ${status}: wait until its outcome is known, then erase.`
  })
}

async function listBars(db: Reader, { list_ids }: Person) {
  const { rows } = await sql<{ name: string }>`
    select distinct c.name from transfer_master_list m join transfer_cohorts c on c.id = m.cohort_id
    where m.id = any(${list_ids}::bigint[]) and c.status = 'pending' order by c.name`.execute(db)
  return rows.map(
    ({ name }) => `The list of cohort "${name}" waits for its approval: approve or reject it first.`,
  )
}

async function roundBars(db: Reader, { list_ids }: Person) {
  const { rows } = await sql<{ name: string; rounds: number }>`
    select c.name, count(distinct r.n)::int as rounds from transfer_master_list m join transfer_cohorts c on c.id = m.cohort_id
    join transfer_rounds r on r.cohort_id = c.id
    where m.id = any(${list_ids}::bigint[]) and m.erased_at is null and c.status in ('approved', 'error') and r.state = 'scheduled'
    group by c.id, c.name order by c.name`.execute(db)
  return rows.map(
    ({ name, rounds }) =>
      `Cohort "${name}" has rounds to come (${rounds}): add --stop-paying if this person is to get nothing of them.`,
  )
}

async function importBars(db: Reader, { staged }: Person) {
  const { rows } = await sql<{ id: number; file_name: string }>`
    select id, file_name from imports where id = any(${staged.imports}::bigint[])
      and state in ('queued', 'reading', 'review', 'importing') order by id`.execute(db)
  return rows.map(
    ({ id, file_name }) => `The import ${id} ("${file_name}") is open: confirm or cancel it first.`,
  )
}

async function exportBars(db: Reader) {
  const { rows } = await sql`select from exports where state in ('queued', 'writing') limit 1`.execute(db)
  return rows.length > 0 ? ['An export is being written: try again in a minute.'] : []
}

async function caseBars(db: Reader, { case_ids }: Person) {
  const { rows } = await sql<{ number: string }>`
    select number from cases where id = any(${case_ids}::bigint[]) and decided_at is null order by number`.execute(
    db,
  )
  return rows.map(({ number }) => `The case ${number} is open: resolve or reject it first.`)
}

async function consultationBars(db: Reader, { referral_ids }: Person) {
  const { rows } = await sql<{ number: string }>`
    select number from referrals where id = any(${referral_ids}::bigint[])
      and num_nonnulls(resolved_at, rejected_at, revoked_at, expired_at) = 0 order by number`.execute(db)
  return rows.map(
    ({ number }) => `The consultation ${number} is open: withdraw it, or wait until it has ended.`,
  )
}

async function namesakeBars(db: Reader, person: Person, otherCases: string[]) {
  const numbers = (await casesNaming(db, person)).filter((number) => !otherCases.includes(number))
  return numbers.map(
    (number) =>
      `The case ${number} names this person, or somebody of the same name: add --case ${number} or --other-case ${number}.`,
  )
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
