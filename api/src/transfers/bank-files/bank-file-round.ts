import { fillText, type Text } from '@portal/contracts/sentences'
import { sql } from 'kysely'
import type { Reader } from '../../kit/database/db.ts'
import { notFound } from '../../kit/http/refusals.ts'
import type { Payer } from '../iso20022/pain001.ts'
import { say as transfersSay } from '../messages.ts'
import { say as retrySay } from '../retry.messages.ts'
import { say } from './bank-file.messages.ts'

/** A round with what decides whether its file can be made. */
export type Round = {
  id: number
  n: number
  due_on: string
  cohort_id: number
  cohort_name: string
  agency_id: number
  agency_name: string
  endpoint: string
  details: Record<string, unknown>
  files: boolean
  payments: number
  amount: number
  cohort_status: string
  stopped: boolean
  closed: boolean
  active: boolean
  missed: boolean
  due: boolean
  held: boolean
  allowed: boolean
  /** A statement of the agency is being compared, which may name payments of the round. */
  comparing: boolean
  /** Rows of the list that no file can pay: the first ten. */
  without_account: number[]
}

/** SQL: whether payment `p` names an account and a bank in the form of the schema. */
const hasAccount = sql`(p.receiver_account ~ '^([A-Z0-9]{24}|[A-Z0-9]{28})$'
  and p.receiver_bank ~ '^[A-Z0-9]{4}[A-Z]{2}[A-Z0-9]{2}([A-Z0-9]{3})?$') is true`

export async function readRound(db: Reader, groupId: number): Promise<Round> {
  const { rows: found } = await sql<Round>`
    select g.id, g.n, g.due_on, c.id as cohort_id, c.name as cohort_name, a.id as agency_id, a.name as agency_name, a.endpoint,
      a.details, agency_takes_files(a.protocol) as files, g.pending as payments, c.status as cohort_status,
      (select coalesce(sum(p.amount), 0)::bigint from transfer_payrolls p where p.payroll_group_id = g.id and p.status = 'pending') as amount,
      c.stopped_at is not null as stopped, exists (select from cohort_closings k where k.cohort_id = c.id) as closed,
      a.status = 'active' as active, round_is_missed(c.id, g.n) as missed, g.due_on <= (now() at time zone 'utc')::date as due,
      exists (select from sending_holds where released_at is null) as held, sending_allowed() as allowed,
      exists (select from agency_statements s where s.agency_id = a.id and s.state in ('queued', 'reading')) as comparing,
      array(select m.row from transfer_payrolls p join transfer_master_list m on m.id = p.master_list_id
        where p.payroll_group_id = g.id and p.status = 'pending' and not ${hasAccount} order by m.row limit 10) as without_account
    from transfer_payroll_groups g join transfer_cohorts c on c.id = g.cohort_id
      join transfer_agencies a on a.id = c.transfer_agency_id
    where g.id = ${groupId}`.execute(db)
  if (!found[0]) throw notFound()
  return found[0]
}

/** The paying account in the agency's details; null if one of its parts is missing. */
export function payerOf({
  payer_name: name,
  payer_account: account,
  payer_bank: bank,
}: Round['details']): Payer | null {
  return typeof name === 'string' && typeof account === 'string' && typeof bank === 'string'
    ? { name, account, bank }
    : null
}

/** Why the file of a round cannot be made now, or null. The same rules hold as for payments that a worker sends. */
export function barOf(round: Round): Text | null {
  if (round.closed) return transfersSay.isClosed
  if (round.cohort_status === 'error') return retrySay.cohortInError
  if (round.cohort_status !== 'approved') return transfersSay.notRunning
  if (round.stopped) return retrySay.cohortStopped
  if (!round.active) return transfersSay.agencyInactive
  if (round.held) return retrySay.sendingIsHeld
  if (!round.allowed) return say.noWorker
  if (round.comparing) return say.comparing
  if (round.missed) return say.missed
  if (!round.due) return fillText(say.notDue, round.due_on.split('-').reverse().join('/'))
  if (!payerOf(round.details)) return say.payerMissing
  if (round.payments === 0) return say.nothingWaits
  if (round.without_account.length > 0) return fillText(say.noAccount, round.without_account.join(', '))
  return null
}
