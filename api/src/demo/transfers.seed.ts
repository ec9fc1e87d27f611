import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { pipeline } from 'node:stream/promises'
import type { Text } from '@portal/contracts/sentences'
import { sql } from 'kysely'
import { writeWorkbook } from '../excel/write.ts'
import { writeNotices } from '../home/notices.service.ts'
import { holdersOf, inBothLanguages } from '../home/notifications.service.ts'
import type { Tx } from '../kit/database/db.ts'
import { xlsxType } from '../kit/files/files.ts'
import type { Storage } from '../kit/files/storage.ts'
import type { Accounts } from './accounts.seed.ts'
import { at, insertAll, oneRow } from './bulk.ts'
import { dayAfter, momentOf } from './days.ts'
import { targetListWorkbook } from './target-list.ts'
import { agencies, type DemoCohort, parameters } from './transfer-plan.seed.ts'

const waits: Text = {
  en: 'Cohort "{0}" waits for approval.',
  fr: 'La cohorte « {0} » attend une approbation.',
}

type Places = { agencies: number[]; parameters: number[]; students: readonly number[] }

/** Writes agencies and parameters. Returns their ids. */
export async function addTerms(
  tx: Tx,
  agencyUrl: string,
  author: number,
  today: string,
): Promise<Omit<Places, 'students'>> {
  const agencyRows = agencies.map((agency, k) => ({
    ...agency,
    endpoint: agency.endpoint ?? agencyUrl,
    details: JSON.stringify({ protocol: agency.protocol }),
    user_id: author,
    created_at: momentOf(dayAfter(today, -300 + k)),
  }))
  const parameterRows = parameters.map((parameter, k) => ({
    ...parameter,
    user_id: author,
    created_at: momentOf(dayAfter(today, -298 + k), '09:30:00'),
  }))
  return {
    agencies: await insertAll(
      tx,
      'transfer_agencies',
      {
        name: 'text',
        description: 'text',
        type: 'text',
        country: 'text',
        fees: 'numeric',
        endpoint: 'text',
        protocol: 'text',
        details: 'jsonb',
        status: 'text',
        user_id: 'bigint',
        created_at: 'timestamptz',
      },
      agencyRows,
    ),
    parameters: await insertAll(
      tx,
      'transfer_parameters',
      {
        name: 'text',
        description: 'text',
        commission_hundredths: 'int',
        amount: 'bigint',
        frequency: 'int',
        status: 'text',
        user_id: 'bigint',
        created_at: 'timestamptz',
      },
      parameterRows,
    ),
  }
}

/**
 * Writes a cohort as if its list had been imported and decided on its days. An approved cohort gets its rounds, with
 * payments that are not paid yet.
 */
export async function addCohort(
  tx: Tx,
  storage: Storage,
  cohort: DemoCohort,
  places: Places,
  accounts: Accounts,
): Promise<number> {
  const importId = await addImport(tx, storage, cohort, accounts.officer)
  const decided = cohort.decided_on && momentOf(cohort.decided_on, '15:20:00')
  const { id } = await oneRow<{ id: number }>(
    tx,
    sql`
    insert into transfer_cohorts (name, description, "from", "to", status, transfer_agency_id, transfer_parameter_id, import_id,
      file_hash, rounds_total, imported_at, user_id, created_at, public_id)
    select ${cohort.name}, ${cohort.description}, ${cohort.from}, ${cohort.to}, 'pending',
      ${at(places.agencies, cohort.agency)}, ${at(places.parameters, cohort.parameter)}, id, file_hash, ${cohort.rounds.length},
      finished_at, ${accounts.officer}, created_at,
      -- Not random, so that a demo made again meets its own ledger.
      md5('portal-demo ' || ${cohort.name})::uuid
    from imports where id = ${importId} returning id`,
  )
  await addMasterList(tx, id, cohort, places.students)
  // The list cannot change after the decision, so its rows are written first.
  if (decided)
    await sql`update transfer_cohorts set status = ${cohort.status}, decided_by = ${accounts.approver},
      decided_at = ${decided}, comment = ${cohort.comment} where id = ${id}`.execute(tx)
  if (cohort.status === 'approved') await addRounds(tx, id, cohort)
  if (cohort.status === 'pending') {
    const text = inBothLanguages(waits, [cohort.name])
    // The notice equals that of an imported list, so that the decision ends it. No mail is sent for it.
    await writeNotices(tx, {
      kind: 'cohort-to-approve',
      subject: id,
      link: `/admin/transfers/cohorts/${id}/summary`,
      occasion: 'imported',
      text,
      mailText: text,
      usual: { bell: true, mail: 'off' },
      receivers: holdersOf('cohorts.approve'),
      by: accounts.officer,
    })
  }
  return id
}

/** Writes the import of a cohort, with a file that has exactly its rows. */
async function addImport(tx: Tx, storage: Storage, cohort: DemoCohort, officer: number): Promise<number> {
  const path = await storage.temp()
  await writeWorkbook(path, targetListWorkbook(cohort.entries))
  const { size } = await stat(path)
  const sha256 = createHash('sha256')
  await pipeline(createReadStream(path), sha256)
  const hash = sha256.digest()
  const key = await storage.keep(path)
  const name = `${cohort.name.replace(/[^\p{L}\p{N}]+/gu, '-')}.xlsx`
  const created = uploadedAt(cohort)
  const rows = cohort.entries.length
  const { id } = await oneRow<{ id: number }>(
    tx,
    sql`
    with f as (
      insert into files (key, name, type, size, sha256, user_id, created_at)
      values (${key}, ${name}, ${xlsxType}, ${size}, ${hash}, ${officer}, ${created}) returning id
    )
    insert into imports (kind, state, file_id, file_name, file_hash, rows_read, rows_new, user_id, created_at, finished_at)
    select 'target-list', 'imported', id, ${name}, ${hash.toString('hex')}, ${rows}, ${rows}, ${officer},
      ${created}, ${created}
    from f returning id`,
  )
  return id
}

/** The time of the upload. For a list of today it is never later than now. */
function uploadedAt(cohort: DemoCohort): string {
  const now = new Date().toISOString()
  const then = momentOf(cohort.uploaded_on, '09:10:00')
  return then < now ? then : now
}

async function addMasterList(
  tx: Tx,
  cohortId: number,
  cohort: DemoCohort,
  students: readonly number[],
): Promise<void> {
  const rows = cohort.entries.map(({ student, ...entry }, k) => ({
    ...entry,
    row: k + 2,
    student_id: at(students, student),
    cohort_id: cohortId,
    created_at: uploadedAt(cohort),
  }))
  const types = {
    cohort_id: 'bigint',
    row: 'int',
    receiver_first_name: 'text',
    receiver_last_name: 'text',
    receiver_phone_number: 'text',
    student_id: 'bigint',
    student_code: 'text',
    amount: 'bigint',
    fees: 'bigint',
    created_at: 'timestamptz',
  }
  await insertAll(tx, 'transfer_master_list', types, rows)
  await sql`
    update transfer_cohorts c set list_hash = transfer_list_hash(c.id), master_list_count = l.n, list_amount = l.amount, list_fees = l.fees
    from (select count(*) as n, sum(amount) as amount, sum(fees) as fees from transfer_master_list where cohort_id = ${cohortId}) l
    where c.id = ${cohortId}`.execute(tx)
}

async function addRounds(tx: Tx, cohortId: number, cohort: DemoCohort): Promise<void> {
  for (const { n, due_on } of cohort.rounds) {
    await sql`
      insert into transfer_rounds (cohort_id, n, due_on, state) values (${cohortId}, ${n}, ${due_on}, 'made')
    `.execute(tx)
    await sql`
      with g as (
        insert into transfer_payroll_groups (cohort_id, n, due_on, created_at)
        values (${cohortId}, ${n}, ${due_on}, ${momentOf(due_on, '06:00:00')}) returning id, created_at
      )
      insert into transfer_payrolls (payroll_group_id, master_list_id, receiver_first_name, receiver_last_name,
        receiver_phone_number, amount, fees, created_at, updated_at)
      select g.id, m.id, m.receiver_first_name, m.receiver_last_name, m.receiver_phone_number, m.amount, m.fees, g.created_at,
        g.created_at
      from transfer_master_list m, g where m.cohort_id = ${cohortId} order by m.id`.execute(tx)
  }
}

/** The fee that the agency charges, rounded up as in the simulator. */
const charge = sql`ceil(p.amount * 0.01)`

/** The reason with which the sandbox agency refuses a number, by its last two digits. It is null if the agency pays. */
const refusal = sql`case right(p.receiver_phone_number, 2)
  when '02' then 'account_unknown' when '03' then 'account_blocked' when '04' then 'limit_exceeded' when '06' then 'recipient_unreachable' end`

/**
 * Settles all pending payments in the past. Each has one attempt and passes through `sending`, because the database
 * refuses other transitions.
 */
export async function settlePast(tx: Tx): Promise<void> {
  await sql`
    insert into payment_attempts (payroll_id, state, tries, external_trx_id, reason, created_at, settled_at)
    select p.id, case when ${refusal} is null then 'success' else 'failed' end,
      case when right(p.receiver_phone_number, 2) in ('05', '06') then 2 else 1 end,
      'SA' || lpad((row_number() over (order by p.id))::text, 9, '0'), ${refusal}, p.sent, p.sent + interval '0.4 seconds'
    from (
      select id, receiver_phone_number, amount,
        created_at + interval '2 minutes' + row_number() over (partition by payroll_group_id order by id) * interval '0.05 seconds' as sent
      from transfer_payrolls where status = 'pending'
    ) p order by p.id`.execute(tx)
  await sql`update transfer_payrolls set status = 'sending' where status = 'pending'`.execute(tx)
  await sql`
    update transfer_payrolls p set status = a.state, external_trx_id = a.external_trx_id, failure_reason = a.reason,
      agency_fees = case when a.state = 'success' then ${charge} end, updated_at = a.settled_at
    from payment_attempts a where a.payroll_id = p.id and p.status = 'sending'`.execute(tx)
  await sql`
    update transfer_payroll_groups g set executed_at = p.last
    from (select payroll_group_id, max(updated_at) as last from transfer_payrolls group by 1) p where p.payroll_group_id = g.id
  `.execute(tx)
}
