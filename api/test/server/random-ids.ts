import type { Portal } from '../portal.ts'

/** A few rows of each kind, so that what is rare is met as often as what is frequent. */
const perState = (table: string, state: string, n = 6, order = 'id desc') =>
  `select id from (select id, row_number() over (partition by ${state} order by ${order}) as k from ${table}) t where k <= ${n} order by id`
const newest = (table: string, n = 30) => `select id from ${table} order by id desc limit ${n}`
const listed = (list: string) => `select id from reference_values where list = '${list}' order by id limit 30`
/** Accounts of the demo. Those of the people who call are not among them, because a call may close them. */
const accounts = `select id from users where account and email not like '%@test.example' order by id`
const people = `(select id from users where not account order by id limit 10) union all (${accounts})`

/** Where the things of a field or a path are, by the first name that fits `path field`. */
const places: [RegExp, string][] = [
  [
    /^\/admin\/roles\/:id id$| role_id$| role$| roles$/,
    `select id from roles where name not like 'Role %' order by id`,
  ],
  [/ permissions$/, 'select id from permissions order by id'],
  [/ (user_id|user_ids|reviewer|reviewer_id)$/, accounts],
  [/^(\/admin\/users\/|\/users\/profile).* id$/, people],
  [/^\/admin\/cases.* type$/, listed('case_type')],
  [/ (channel|channel_id)$/, listed('case_channel')],
  [/ tags$/, listed('case_tag')],
  [/^\/admin\/cases\/referrals.* id$| referral_id$/, newest('referrals')],
  [/^\/admin\/cases.* id$| complain_id$/, perState('cases', 'status')],
  [/ document_ids$|^\/storage\/documents.* id$/, newest('case_documents')],
  [/ region$/, 'select id from regions order by id'],
  [/ cercle$/, newest('cercles')],
  [/ cap$/, newest('caps')],
  [/ academy$/, newest('academies')],
  [/ (class|class_id)$/, newest('classes')],
  [/ partner$|partners.* id$/, newest('partners')],
  [/ arrondissement_id$|locations.* id$/, newest('arrondissements')],
  [
    / transfer_agency_id$|transfers\/agency\/:id id$| agency$/,
    'select id from transfer_agencies order by id',
  ],
  [/ transfer_parameter_id$|transfers\/parameter\/.* id$/, 'select id from transfer_parameters order by id'],
  [/agency\/changes.* id$/, newest('transfer_agency_changes')],
  [
    / (cohort_id|confirmed_overlaps)$|\/transfers\/cohorts\/:id.* id$/,
    perState('transfer_cohorts', 'status', 4),
  ],
  [/ (payroll_group_id|payroll_id|groupId)$|sending-hold\/rounds.* id$/, newest('transfer_payroll_groups')],
  [
    / payroll_ids$|\/transfers\/payments\/.* id$/,
    perState('transfer_payrolls', 'status, written_off_at is null, failure_reason'),
  ],
  [
    /master-list.* id$/,
    `select master_list_id as id from transfer_payrolls where id in (${perState('transfer_payrolls', 'status, failure_reason', 4)})`,
  ],
  [/corrections.* id$/, perState('recipient_corrections', 'state')],
  [/cohort-moves.* id$/, newest('cohort_moves')],
  [/\/budgets\/:id.* id$/, newest('parameter_budgets')],
  [/payee-holds.* id$/, newest('payee_holds')],
  [/exceptions.* id$/, newest('payment_exceptions')],
  [/settlements.* id$/, newest('payment_settlements')],
  [/bank-files.* id$/, newest('bank_files')],
  [/statements.* id$| (statement_id|corrects_id)$/, newest('agency_statements')],
  [/ finding_ids$/, newest('statement_findings')],
  [/ line_id$/, newest('statement_lines')],
  [/guardians.* id$|parents.* id$/, newest('parents', 60)],
  [
    / student_id$|students.* id$|payees.* id$|\/people\/.* id$/,
    `(${newest('students', 20)}) union all (select student_id from transfer_master_list order by id desc limit 40)`,
  ],
  [/^\/admin\/schools\/students.* ids$/, newest('students', 60)],
  [/ school$|^\/admin\/schools.* ids?$| schools$/, newest('schools')],
  [/imports.* id$| import$/, perState('imports', 'kind, state', 3)],
  [/notifications.* id$/, newest('notifications')],
  [/views.* id$/, newest('saved_views')],
  [/sessions.* id$/, `select id from sessions where user_id in (${accounts}) order by id desc limit 20`],
  [/erasures.* id$/, newest('erasure_requests')],
  [/messages.* id$/, newest('synced_messages')],
  [/sync\/tokens.* id$/, newest('sync_tokens')],
  [/modules\/:module\/tokens.* id$/, newest('module_tokens')],
  [/records.* id$| record$/, newest('module_records')],
  [/ until$/, newest('audits')],
]

/** The ids that a field of a call may mean. They are read anew after each change. */
export function knownIds({ owner }: Portal) {
  const read = new Map<string, Promise<number[]>>()
  const rowsOf = async (sql: string) =>
    (await owner.query<{ id: string | number }>(sql)).rows.map(({ id }) => Number(id))
  return {
    /** The `n`th thing of a field, or an id that nothing has. */
    async of(path: string, field: string, n: number): Promise<number> {
      const sql = places.find(([of]) => of.test(`${path} ${field}`))?.[1]
      if (!sql) return (n % 5) + 1
      const found = read.get(sql) ?? rowsOf(sql)
      read.set(sql, found)
      const ids = await found
      return ids[n % ids.length] ?? 888_888
    },
    forget: () => read.clear(),
  }
}
