import type { DB } from '../kit/database/database.types.ts'
import type { Trace } from './trace.ts'
import { accountTraces } from './traces-account.ts'
import { auditTraces } from './traces-audit.ts'
import { caseTraces } from './traces-cases.ts'
import { fileTraces } from './traces-files.ts'
import { moneyTraces } from './traces-money.ts'
import { recordTraces } from './traces-records.ts'
import { registerTraces } from './traces-registers.ts'
import { requestTraces } from './traces-requests.ts'

/** Every table with data of people, in the order in which they are erased. */
export const traces: readonly Trace[] = [
  ...moneyTraces,
  ...auditTraces,
  ...fileTraces,
  ...recordTraces,
  ...caseTraces,
  ...accountTraces,
  ...requestTraces,
  ...registerTraces,
]

/** Tables without data of people besides the number of whoever acted. A new table needs a place here or in `traces`. */
export const withoutPeople: readonly (keyof DB)[] = [
  'academies',
  'access_stamp',
  'agency_leases',
  'agency_statements', // who uploaded and signed what; its lines are in `statement_lines`
  'approval_limits', // who may approve how much
  'arrondissements',
  'attendance_by_class', // sums of a month
  'attendance_by_month',
  'audit_checkpoints', // numbers and times of entries
  'audit_head',
  'audit_links',
  'audit_values', // read and erased with `audits`
  'bank_answer_lines', // names of payments, and what a bank said of them
  'bank_answers', // who uploaded what; its content is in `files`
  'bank_file_payments', // which attempts a file has
  'bank_files', // who made what; its content is in `files`
  'call_counts', // numbers of sessions, for a minute
  'caps',
  'case_numbers',
  'case_tags',
  'cercles',
  'classes',
  'counted_reports', // counts and sums of a period
  'counted_students', // read with `students`: how each was counted
  'cohort_closings', // who closed a list, and why
  'cohort_moves', // who moved a list to another agency, and why
  'communes',
  'dropped_grants',
  'failed_attempts', // keyed hashes, for a day
  'imports', // who uploaded what; its rows are in `import_rows`
  'installation',
  'installation_identity',
  'kept_attendance', // counts and shares of a list by school
  'ledger_checks', // numbers of what a command read
  'backups', // times and sizes
  'list_totals',
  'module_flags', // who decided who has a switch
  'module_notice_days', // numbers of lines
  'module_record_deletions', // numbers of records that are gone
  'module_record_changes', // rules of versions of fields
  'module_record_fields', // names of fields
  'module_reports',
  'module_settings', // values of an administrator, and who changed them
  'money_totals',
  'name_questions', // who asked an agency about a name, for an hour
  'name_checks', // how far the check of a list is; its answers are in `name_answers`
  'module_tokens',
  'module_sandboxes', // whose they are; their rows are in `sandbox_records`
  'owed_payments', // read with `transfer_payrolls`: which of them are owed
  'parameter_budgets', // who proposed and confirmed what, and why
  'partner_schools',
  'payment_confirmations', // which payments a statement confirms
  'payment_lines',
  'payment_totals',
  'payments_by_month', // not written any more (decision 128)
  'permissions',
  'reference_values',
  'referral_documents',
  'regions',
  'registry_steps', // who is changing a module and from where, mostly for milliseconds, a day at the most
  'reported_payments', // keys and references that an agency listed
  'retention_runs',
  'role_permissions',
  'roles',
  'round_confirmations',
  'schools',
  'secret_keys',
  'sending_hold_lists',
  'sending_hold_questions',
  'sending_hold_rounds',
  'sending_holds',
  'sending_marks',
  'sent_forms', // keys of forms, as long as the sessions that sent them
  'statement_findings', // numbers of lines and payments
  'statement_mappings',
  'statement_totals',
  'student_changes', // numbers of students, guardians and persons, until a worker has counted them
  'student_counts', // by class and level
  'sync_tokens',
  'teacher_classes',
  'transfer_agencies',
  'transfer_agency_changes',
  'transfer_cohorts',
  'transfer_list_erasures',
  'transfer_parameters',
  'transfer_payroll_groups',
  'transfer_rounds',
]
