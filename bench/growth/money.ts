import { firstAccount } from './registers.ts'
import type { Filling, Nation } from './size.ts'

/**
 * Cohorts with all their rounds: of a hundred payments one failed and the others arrived. None is under way, so a worker
 * has nothing to send. One more list waits for approval. It has the girls of the first one with some differences.
 */
export function moneyRows(nation: Nation): Filling[] {
  const { cohort, cohorts, rounds, payments } = nation
  const officer = firstAccount(nation)
  const groups = cohorts * rounds
  const fill = (table: string, columns: string, values: string, from: string): Filling => ({
    table,
    sql: `insert into ${table} (${columns}) overriding system value select ${values} from ${from}`,
  })
  const upTo = (many: number) => `generate_series(1, ${many}) n`
  /** A payment with its round, its row of the list and its outcome, all from its number. */
  const paid = `(select n, 1 + (n - 1) / ${cohort} as g, 1 + (n - 1) / ${cohort * rounds} as c,
      (n - 1) / ${cohort * rounds} * ${cohort} + 1 + (n - 1) % ${cohort} as m, n % 97 = 5 as fails,
      now() - (${groups} - (n - 1) / ${cohort}) % ${rounds} * interval '1 month' - interval '2 days' + (n - 1) % ${cohort} * interval '1 second' as at
    from ${upTo(payments)}) p`
  /** Two of three grants are received by a guardian, the others by the girl herself. */
  const recipient = `join users u on u.id = case when s.id % 3 = 0 then s.user_id else ${nation.students} + 1 + s.id % ${nation.guardians} end`
  const listColumns = `id, cohort_id, "row", receiver_first_name, receiver_last_name, receiver_phone_number, student_id, student_code, amount, fees`
  const phone = (m: string) => `'+223' || 70000000 + ${m}`
  const reason = `case when fails then (array['Number not registered', 'Account closed', 'Limit reached'])[1 + n % 3] end`
  const transaction = `case when not fails then 'TX' || n end`
  const outcome = `case when fails then 'failed' else 'success' end`
  const event = (kind: string, before: string, status: string, at: string, more: string) =>
    fill(
      'money_events',
      'kind, payroll_id, payroll_group_id, attempt_id, agency_id, status_before, status, amount, fees, created_at, external_trx_id, reason',
      `${kind}, n, g, n, 1, ${before}, ${status}, 10000, 100, ${at}, ${more}`,
      paid,
    )
  return [
    fill(
      'transfer_agencies',
      'id, name, description, type, country, fees, endpoint, protocol, details, user_id',
      `n, 'Agency ' || n, 'Simulator', 'mobile_money', 'ml', 1, 'http://127.0.0.1:9', 'sandbox', '{"protocol": "sandbox"}', ${officer}`,
      upTo(1),
    ),
    fill('agency_leases', 'agency_id', 'n', upTo(1)),
    fill(
      'transfer_parameters',
      'id, name, description, commission_hundredths, amount, frequency, user_id',
      `n, 'Monthly', 'Monthly grant', 100, 10000, 1, ${officer}`,
      upTo(1),
    ),
    fill(
      'files',
      'id, key, name, type, size, sha256',
      `n, 'list' || n, 'list.xlsx', 'xlsx', 1, ''::bytea`,
      upTo(cohorts + 1),
    ),
    fill(
      'imports',
      'id, kind, state, file_id, file_name, file_hash, rows_read, rows_new, user_id, finished_at',
      `n, 'target-list', 'imported', n, 'list ' || n || '.xlsx', md5(n::text), ${cohort}, ${cohort}, ${officer}, now()`,
      upTo(cohorts + 1),
    ),
    fill(
      'transfer_cohorts',
      `id, name, description, "from", "to", status, transfer_agency_id, transfer_parameter_id, import_id, file_hash, rounds_total,
        master_list_count, list_amount, list_fees, list_hash, imported_at, user_id, decided_by, decided_at`,
      `n, 'Cohort ' || n, 'Girls of the list ' || n, current_date - 365, current_date + 30, 'approved', 1, 1, n, md5(n::text), ${rounds},
        ${cohort}, ${cohort} * 10000::bigint, ${cohort} * 100::bigint, md5('list' || n), now(), ${officer}, ${officer + 1}, now()`,
      upTo(cohorts),
    ),
    fill(
      'transfer_cohorts',
      `id, name, description, "from", "to", status, transfer_agency_id, transfer_parameter_id, import_id, file_hash, rounds_total,
        master_list_count, list_amount, list_fees, list_hash, imported_at, user_id`,
      `n, 'Cohort ' || n, 'Girls of the list ' || n, current_date + 31, current_date + 395, 'pending', 1, 1, n, md5(n::text), ${rounds},
        ${cohort}, ${cohort} * 10000::bigint + ${Math.ceil(cohort / 100)} * 2000, ${cohort} * 100::bigint, md5('list' || n), now(), ${officer}`,
      `generate_series(${cohorts + 1}, ${cohorts + 1}) n`,
    ),
    fill(
      'transfer_rounds',
      'cohort_id, n, due_on, state',
      `1 + (n - 1) / ${rounds}, 1 + (n - 1) % ${rounds}, current_date - 30 * (${rounds} - (n - 1) % ${rounds})::integer, 'made'`,
      upTo(groups),
    ),
    // In the order in which imports write them.
    fill(
      'transfer_master_list',
      listColumns,
      `n, 1 + (n - 1) / ${cohort}, 2 + (n - 1) % ${cohort}, u.first_name, u.last_name, ${phone('n')}, s.id, s.student_code, 10000, 100`,
      `${upTo(cohorts * cohort)} join students s on s.id = 1 + (n - 1) % ${nation.students} ${recipient} order by n`,
    ),
    // Of a hundred girls one has another amount, one another number, one another name, and half a one is new.
    fill(
      'transfer_master_list',
      listColumns,
      `${cohorts * cohort} + n, ${cohorts + 1}, 1 + n, u.first_name, case n % 100 when 3 then 'Ouologuem' else u.last_name end,
        case n % 100 when 2 then '+223' || 60000000 + n else ${phone('s.id')} end, s.id, s.student_code,
        case n % 100 when 1 then 12000 else 10000 end, 100`,
      `${upTo(cohort)} join students s on s.id = 1 + (n - 1 + ${Math.round(cohort / 200)}) % ${nation.students} ${recipient} order by n`,
    ),
    fill(
      'transfer_payrolls',
      `id, payroll_group_id, master_list_id, receiver_first_name, receiver_last_name, receiver_phone_number, amount, fees, status,
        external_trx_id, failure_reason, created_at, updated_at, reference`,
      `p.n, p.g, p.m, l.receiver_first_name, l.receiver_last_name, l.receiver_phone_number, 10000, 100, ${outcome},
        ${transaction}, ${reason}, p.at, p.at, md5(p.n::text)`,
      // In the order in which rounds make them. Otherwise the payments of one round lie all over the disk.
      `${paid} join transfer_master_list l on l.id = p.m order by p.n`,
    ),
    fill(
      'payment_attempts',
      'id, payroll_id, idempotency_key, state, tries, external_trx_id, reason, created_at, sent_at, settled_at, agency_id',
      `n, n, md5('key' || n)::uuid, ${outcome}, 1, ${transaction}, ${reason}, at, at, at, 1`,
      paid,
    ),
    fill(
      'transfer_payroll_groups',
      `id, cohort_id, n, due_on, total, success, failed, expected_amount, success_amount, failed_amount, success_fees, executed_at, created_at`,
      `g, 1 + (g - 1) / ${rounds}, 1 + (g - 1) % ${rounds}, current_date - 30 * (${rounds} - (g - 1) % ${rounds})::integer,
        ${cohort}, success, ${cohort} - success, ${cohort} * 10000::bigint, success * 10000, (${cohort} - success) * 10000, success * 100, now(), now()`,
      `(select payroll_group_id as g, count(*) filter (where status = 'success') as success from transfer_payrolls group by 1) counted`,
    ),
    event(`'expected'`, 'null', `'pending'`, 'at', 'null, null'),
    event(`'instructed'`, `'pending'`, `'sending'`, 'at', 'null, null'),
    event(
      `case when fails then 'failed' else 'paid' end`,
      `'sending'`,
      outcome,
      `at + interval '1 second'`,
      `${transaction}, ${reason}`,
    ),
  ]
}
