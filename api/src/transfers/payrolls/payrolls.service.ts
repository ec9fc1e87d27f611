import type { AnswerOf, QueryOf } from '@portal/contracts/endpoint'
import { fill, type Locale } from '@portal/contracts/sentences'
import type { CohortStats, ShownStatus } from '@portal/contracts/transfers/cohorts'
import type {
  FailedPayments,
  PaymentException,
  payrolls,
  RoundPayment,
} from '@portal/contracts/transfers/payrolls'
import { sql } from 'kysely'
import { type Db, rows } from '../../kit/database/db.ts'
import { paged } from '../../kit/database/paging.ts'
import { notFound } from '../../kit/http/refusals.ts'
import type { Actor } from '../../kit/http/session.ts'
import type { Settings } from '../../kit/process/settings.ts'
import { readCohort, readPayable, readRounds } from '../cohorts/cohorts.service.ts'
import { cohortOfGroup, entryColumns, groupColumns, listGroups } from '../cohorts/payroll-groups.service.ts'
import { failureAdvice } from '../connectors/failure.messages.ts'
import { connectorFacts, failureClassOf } from '../connectors/index.ts'
import { answerOf } from '../names/name-answers.service.ts'
import { refusals } from '../payments/correction.messages.ts'
import {
  isCorrecting,
  isDoubted,
  isHeld,
  isOverdue,
  isPaidAfterAll,
  isSettling,
  refusalOfCorrection,
} from '../payments/failed-payments.service.ts'
import { type ActedOn, actsIn, nextSteps, stateOf } from '../payments/payment-acts.ts'
import { retryBar } from '../payments/payment-retry.service.ts'
import { shownStatus } from '../payments/shown-status.ts'
import { writeOffBar } from '../payments/write-off.service.ts'
import { countedRows, paymentsOfRound } from './round-search.service.ts'

/** The reader of a page, with the language of the response. */
type Call = { db: Db; actor: Actor; locale: Locale; settings: Settings }

/** A cohort with one page of its disbursement rounds, latest first. */
export async function readPayrolls(
  call: Call,
  cohortId: number,
  query: QueryOf<typeof payrolls.list>,
): Promise<AnswerOf<typeof payrolls.list>['cohort']> {
  const { db } = call
  const [cohort, rounds, payable, failures, retry_barred, groups] = await Promise.all([
    readCohort(db, cohortId),
    readRounds(db, cohortId),
    readPayable(db, cohortId),
    readFailures(call, cohortId),
    readRetryBar(call, cohortId),
    listGroups(db, cohortId, query),
  ])
  return { ...cohort, rounds, payable, failures, retry_barred, transfer_payroll_groups: groups }
}

/** Sums up the failed payments that are not written off, by the agency's reason, the most frequent reason first. */
async function readFailures({ db, locale }: Call, cohortId: number): Promise<FailedPayments[]> {
  const failures = await rows(
    db,
    sql<Pick<FailedPayments, 'count' | 'amount'> & { reason: string }>`
    select p.failure_reason as reason, count(*) as count, sum(p.amount)::bigint as amount
    from transfer_payroll_groups g join transfer_payrolls p on p.payroll_group_id = g.id
    where g.cohort_id = ${cohortId} and g.failed > 0 and p.status = 'failed' and p.written_off_at is null
      and p.failure_reason is not null
    group by 1 order by 2 desc, 1`,
  )
  return failures.map((failed) => ({ ...failed, ...endOf(failed.reason, locale) }))
}

/** What ends a failure, by the class of the agency's code. */
function endOf(reason: string, locale: Locale): { agency_code: string | null; next_step: string | null } {
  const kind = failureClassOf(reason)
  return { agency_code: kind ? reason : null, next_step: kind ? failureAdvice[kind][locale] : null }
}

/** Returns why the reader cannot retry failed payments of the cohort, in the reader's language, or null. */
async function readRetryBar({ db, actor, locale, settings }: Call, cohortId: number): Promise<string | null> {
  const bar = await retryBar(db, actor, cohortId, settings.fourEyes)
  return bar && fill(bar.text, locale)
}

/** One round with one page of its payments. */
export async function readPayroll(
  call: Call,
  groupId: number,
  query: QueryOf<typeof payrolls.read>,
): Promise<AnswerOf<typeof payrolls.read>['payrollGroup']> {
  type Head = Omit<
    AnswerOf<typeof payrolls.read>['payrollGroup'],
    'transfer_payrolls' | 'exceptions' | 'retry_barred' | 'write_off_barred' | 'tells_names'
  > & { agency_id: number; protocol: string; whole: boolean }
  const { db } = call
  const [found] = await rows(
    db,
    sql<Head>`
    select ${groupColumns}, ${cohortOfGroup}, agency_takes_files(a.protocol) as takes_files, a.id as agency_id, a.protocol,
      g.total = c.master_list_count as whole
    from transfer_payroll_groups g join transfer_cohorts c on c.id = g.cohort_id
    join transfer_agencies a on a.id = c.transfer_agency_id where g.id = ${groupId}`,
  )
  if (!found) throw notFound()
  const { agency_id, protocol, whole, ...head } = found
  const { where, comparesAll, readsList } = await paymentsOfRound(db, groupId, query, countedRows)
  // All payments of a round in the order of names are the rows of its list in that order, which has an index.
  const asListed = whole && !query.search && !query.status && query.sort?.endsWith('receiver_last_name')
  const entries = await paged<EntryRow>(db, query, {
    columns: sql`${entryColumns}, e.written_off_at is not null as written_off, ${isDoubted(sql`e.id`)} as doubted,
      ${isCorrecting(sql`e.master_list_id`)} as correcting,
      ${isPaidAfterAll(sql`e.id`)} as paid_after_all, ${isHeld(sql`e.master_list_id`)} as held,
      e.withheld_at is not null as withheld, ${isOverdue(sql`e.id`)} as overdue, ${isSettling(sql`e.id`)} as settling, e.master_list_id, payee_of(e.master_list_id) as student_id, e.receiver_account,
      e.correction_id is not null as corrected,
      (select n.outcome from ${answerOf(sql`e.master_list_id`, sql`${agency_id}::bigint`)} n) as name_state, w.reason as write_off_reason,
      case when e.status = 'failed' and e.written_off_at is null then ${refusalOfCorrection(sql`e.master_list_id`)} end as refusal`,
    from: sql`${asListed ? sql`(select * from transfer_payrolls where payroll_group_id = ${groupId})` : sql`transfer_payrolls`} e
      join transfer_master_list m on m.id = e.master_list_id left join payment_write_offs w on w.payroll_id = e.id`,
    narrow: asListed
      ? sql`transfer_master_list m`
      : readsList
        ? sql`transfer_payrolls e join transfer_master_list m on m.id = e.master_list_id`
        : sql`transfer_payrolls e`,
    where: asListed ? [sql`m.cohort_id = ${head.transfer_cohort.id}`] : where,
    sort: {
      // The order of the list, which the index of a round has; by their own ids the payments of all earlier rounds were read.
      id: sql`e.master_list_id`,
      updated_at: sql`e.updated_at`,
      receiver_last_name: sql`${sql.ref(asListed ? 'm' : 'e')}.receiver_last_name collate "fr-x-icu"`,
      amount: sql`e.amount`,
    },
    order: 'id',
    key: asListed ? sql`m.id` : sql`e.id`,
    compared: comparesAll,
    ...countedIn(head, query),
  })
  const { id: cohortId } = head.transfer_cohort
  const [exceptions, retry_barred, bar] = await Promise.all([
    readExceptions(db, groupId),
    readRetryBar(call, cohortId),
    writeOffBar(db, call.actor, cohortId, call.settings.fourEyes),
  ])
  return {
    ...head,
    transfer_payrolls: { ...entries, data: entries.data.map((entry) => withActs(entry, call.locale)) },
    exceptions,
    tells_names: Boolean(connectorFacts(protocol)?.names),
    retry_barred,
    write_off_barred: bar && fill(bar.text, call.locale),
  }
}

/** The counters of the round have the total of all its payments, and of those that arrived: no list counts 150,000 rows. */
function countedIn(
  { count, successful }: { count: number; successful: number },
  { search, status }: { search: string; status?: ShownStatus | undefined },
) {
  if (search || (status && status !== 'success')) return {}
  return { count: sql`${status ? successful : count}::bigint` }
}

type EntryRow = Omit<RoundPayment, 'state' | 'acts' | 'next_step' | 'agency_code' | 'refused_correction'> &
  ActedOn & { refusal: { by: string; comment: string | null } | null }

/** Adds what can be done about a payment. */
function withActs(payment: EntryRow, locale: Locale): RoundPayment {
  const {
    written_off: _,
    doubted: __,
    correcting: ___,
    withheld: ____,
    paid_after_all: _____,
    overdue: ______,
    settling: _______,
    refusal,
    ...entry
  } = payment
  const state = stateOf(payment)
  const { agency_code, next_step } = endOf(entry.failure_reason ?? '', locale)
  const general = nextSteps[state]?.[locale] ?? null
  return {
    ...entry,
    state,
    acts: actsIn(state),
    next_step: state === 'failed' ? (next_step ?? general) : general,
    agency_code,
    refused_correction: refusal && refusalText(refusal, locale),
  }
}

const refusalText = ({ by, comment }: { by: string; comment: string | null }, locale: Locale) =>
  comment ? fill(refusals.because, locale, by, comment) : fill(refusals.plain, locale, by)

/**
 * Returns the open exceptions of a round: answers of the agency that a person must compare with our values (Money 4.7).
 */
function readExceptions(db: Db, groupId: number): Promise<PaymentException[]> {
  return rows(
    db,
    sql`
    select e.id, e.payroll_id, p.reference, p.receiver_first_name, p.receiver_last_name, ${shownStatus(sql`p`)} as status,
      e.kind, e.expected, e.answered, e.created_at
    from payment_exceptions e join transfer_payrolls p on p.id = e.payroll_id
    where p.payroll_group_id = ${groupId} and not e.resolved order by e.id desc limit 100`,
  )
}

/** The programme's sums over all rounds made so far, in whole francs (Money 3.3). */
export async function transferTotals(db: Db): Promise<CohortStats> {
  const [sums] = await rows(
    db,
    sql<CohortStats>`
    select coalesce(sum(expected_amount), 0)::bigint as total_amount_expected,
      coalesce(sum(success_amount), 0)::bigint as total_amount_disbursed,
      coalesce(sum(failed_amount), 0)::bigint as total_amount_arrears,
      coalesce(sum(pending_amount), 0)::bigint as total_amount_pending,
      coalesce(sum(unknown_amount), 0)::bigint as total_amount_unknown,
      coalesce(sum(written_off_amount), 0)::bigint as total_amount_written_off,
      coalesce(sum(success_fees), 0)::bigint as total_amount_fees
    from transfer_payroll_groups`,
  )
  if (!sums) throw new Error('The sums of the rounds could not be read')
  return sums
}

/** Successful payments, francs and rounds so far, and francs by CAP, for the home page: counters only (decision 120). */
export async function transferStatistics(db: Db): Promise<{
  transfers: number
  disbursed: number
  rounds: number
  by_cap: { cap_id: number; total_disbursed: number }[]
}> {
  const [sums] = await rows(
    db,
    sql<{ transfers: number; disbursed: number; rounds: number; by_cap: [number, number][] }>`
      select coalesce(sum(success), 0)::bigint as transfers, coalesce(sum(success_amount), 0)::bigint as disbursed, count(*) as rounds,
        (select coalesce(jsonb_agg(jsonb_build_array(cap_id, amount)), '[]')
          from (select cap_id, sum(amount) as amount from payment_totals group by cap_id) t) as by_cap
      from transfer_payroll_groups`,
  )
  return {
    transfers: sums?.transfers ?? 0,
    disbursed: sums?.disbursed ?? 0,
    rounds: sums?.rounds ?? 0,
    by_cap: (sums?.by_cap ?? []).map(([cap_id, total_disbursed]) => ({ cap_id, total_disbursed })),
  }
}
