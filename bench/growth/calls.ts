import { firstAccount } from './registers.ts'
import type { Nation } from './size.ts'

/**
 * A call of the portal, as it is printed, with its address; an export has the body of its call, and what a worker counts the
 * address where it is found.
 */
export type Call = { name: string; path: string; body?: object; counted?: string; aimMs?: number }

const year = 'from=2026-01-01&to=2026-12-31'
const conditions = 'guardian=yes&not_held=yes&attendance=80'
const searched = (text: string) => `search=${encodeURIComponent(text)}`

/** Every list, search, summary and export of the portal that grows with the nation. */
export function callsOf(nation: Nation): Call[] {
  const { students, cohort, cohorts, rounds, audits } = nation
  const lastPage = (rows: number) => Math.ceil(rows / 15)
  const list = (name: string, path: string, cases: Record<string, string>): Call[] =>
    Object.entries(cases).map(([of, query]) => ({
      name: `${name}, ${of}`,
      path: `${path}?${query}`,
      aimMs: 100,
    }))
  const people = (name: string, path: string, rows: number) =>
    list(name, path, {
      'first page': '',
      'page 1,000': 'page=1000',
      'page in the middle': `page=${Math.round(lastPage(rows) / 2)}`,
      'last page': `page=${lastPage(rows)}`,
      'search of two letters': searched('ma'),
      'search of a tenth': searched('kadiatou'),
      'search of a family name': searched('traoré'),
      'search of a tenth, page 500': `${searched('kadiatou')}&page=500`,
      'search of two names': searched('kadiatou coulibaly'),
      'search of a word that nobody has': searched('zzyzx'),
    })
  const last = cohorts * rounds
  return [
    { name: 'Home page, statistics', path: '/home/statistics', aimMs: 20 },
    { name: 'Home page, months', path: '/home/trends', aimMs: 100 },
    { name: 'Home page, what waits', path: '/home/waiting', aimMs: 100 },
    { name: 'Home page, attendance', path: '/home/dashboard/attendance', aimMs: 100 },
    { name: 'Home page, silent schools', path: '/home/dashboard/attendance/silent', aimMs: 100 },
    ...people('Students', '/admin/schools/students/list', students),
    ...list('Students', '/admin/schools/students/list', {
      'search of a code': searched('ML-00000042'),
      'of a school': 'school=7',
      'of a CAP': 'cap=3',
      'of a region': 'region=2',
      'of a level': 'class_level=8',
      'of a level and a CAP': 'class_level=8&cap=3',
      'by code': 'sort=student_code',
      'newest first': 'sort=-created_at',
    }),
    ...people('Guardians', '/admin/schools/parents/list', students * 0.6),
    ...list('Guardians', '/admin/schools/parents/list', {
      'of a CAP': 'cap=3',
      displaced: 'displaced=displaced',
    }),
    ...list('Teachers', '/admin/schools/teachers/list', {
      'first page': '',
      'search of two letters': searched('ma'),
    }),
    ...list('Schools', '/admin/schools/list', {
      'first page': '',
      'search of two letters': searched('ma'),
      'of a region': 'region=2',
    }),
    ...list('Schools', '/admin/schools/7/users', { 'students of one': 'type=student' }),
    ...list('Users', '/admin/users/list', { 'first page': '', 'search of a name': searched('mariam') }),
    ...list('Audit log', '/admin/users/audit/logs', {
      'first page': '',
      'as polled': `until=${audits}`,
      'page 1,000': `until=${audits}&page=1000`,
      'page in the middle': `until=${audits}&page=${Math.round(lastPage(audits) / 2)}`,
      'page in the middle, oldest first': `until=${audits}&sort=created_at&page=${Math.round(lastPage(audits) / 3)}`,
      'last page': `until=${audits}&page=${lastPage(audits)}`,
      'of an event': 'event=exported',
      'of a frequent event': 'event=updated',
      'of a type': 'auditable_type=student',
      'of an event and a type': 'event=updated&auditable_type=school',
      'of a person': `user_id=${firstAccount(nation) + 7}`,
      'of a month': 'from=2026-03-01&to=2026-03-31',
      'of a month and an event': 'from=2026-03-01&to=2026-03-31&event=exported',
      'search of two letters': searched('ma'),
      'search of a name': searched('kadiatou'),
      'search of a code': searched('ML-00000042'),
      'search of an address': searched('10.0.7.7'),
    }),
    ...list('Audit log', '/admin/users/audit/filters', { 'what its filters offer': '' }),
    ...list('Cohorts', '/admin/transfers/cohorts', { 'first page': '', search: searched('cohort 1') }),
    ...list('Cohort', '/admin/transfers/cohorts/1/summary', {
      'first page': '',
      'page in the middle': `page=${Math.round(lastPage(cohort) / 2)}`,
      'last page': `page=${lastPage(cohort)}`,
      'by name': 'sort=receiver_last_name',
      'by name, page in the middle': `sort=receiver_last_name&page=${Math.round(lastPage(cohort) / 2)}`,
      'search of two letters': searched('ma'),
      'search of a name': searched('kadiatou'),
      'search of a code': searched('ML-00000042'),
    }),
    ...list('Cohort', '/admin/transfers/cohorts/1/payrolls', { 'its rounds': '' }),
    ...list('Cohort', '/admin/transfers/cohorts/1/names/list', {
      'names that the agency has': '',
      'names that the agency has, search of a name': searched('kadiatou'),
    }),
    ...list('Cohort', '/admin/transfers/cohorts/1/progress', { progress: '' }),
    ...list('Cohort', '/admin/transfers/cohorts/1/attendance', {
      attendance: '',
      'attendance, search of a school': searched('traoré'),
    }),
    ...list('Cohort', `/admin/transfers/cohorts/${cohorts + 1}/flags`, { 'flags for its approval': '' }),
    ...list('Cohort', `/admin/transfers/cohorts/${cohorts + 1}/changes`, {
      'changes since the list before': '',
    }),
    ...list('Cohort', '/admin/transfers/cohorts/1/closing', { closing: '' }),
    ...list('Round', `/admin/transfers/cohorts/payroll/${last}`, {
      'first page': '',
      'page in the middle': `page=${Math.round(lastPage(cohort) / 2)}`,
      'last page': `page=${lastPage(cohort)}`,
      'by name': 'sort=receiver_last_name',
      'by name, page in the middle': `sort=receiver_last_name&page=${Math.round(lastPage(cohort) / 2)}`,
      failed: 'status=failed',
      paid: 'status=success',
      'search of two letters': searched('ma'),
      'search of a name': searched('kadiatou'),
      'search of a code': searched(`ML-${String(1 + ((cohorts * cohort - 1) % students)).padStart(8, '0')}`),
      'search of a code that is not in it': searched('ML-99999999'),
      'search of a transaction': searched(`TX${cohort * last}`),
    }),
    ...list('Arrears', '/admin/transfers/arrears', {
      'first page': '',
      'of a CAP': 'cap=3',
      'of a reason': 'reason=Account%20closed',
      'most owed first': 'sort=-amount',
      'search of a code': searched('ML-00000042'),
      'search of two names': searched('kadiatou coulibaly'),
      'search of a tenth': searched('kadiatou'),
    }),
    ...list('Reconciliations', '/admin/transfers/reconciliations', {
      'first page': '',
      'of a CAP': 'cap=3',
    }),
    ...list('Payments of a girl', '/admin/transfers/payees/42/payments', { 'first page': '' }),
    ...list('Payments of a guardian', '/admin/transfers/guardians/42/payments', { 'first page': '' }),
    ...list('Target list from the register', '/admin/transfers/target-selection', {
      'of the country': '',
      'of the country, with a guardian and no hold': 'guardian=yes&not_held=yes',
      'of the country, with all conditions': conditions,
      'of a region, with all conditions': `region=2&${conditions}`,
      'of a CAP, with all conditions': `cap=3&${conditions}`,
    }),
    ...list('Target list from the register', '/admin/transfers/target-selection/left-out', {
      'who is left out of the country': '',
      'who is left out of the country, with all conditions': conditions,
      'who is left out of the country, search of a family name': `${conditions}&${searched('traoré')}`,
      'who is left out of a region, with all conditions': `region=2&${conditions}`,
      'who is left out of a CAP, with all conditions': `cap=3&${conditions}`,
    }),
    ...list('Transfers', '/admin/transfers/dashboard', { dashboard: '' }),
    ...list('Transfers', '/admin/transfers/accounting', { accounting: '' }),
    ...list('Transfers', '/admin/transfers/report', {
      'donors’ report of a year, its page': year,
      'donors’ report of a year and a CAP': `${year}&cap=3`,
    }),
    {
      name: 'Transfers, donors’ report of a year, counted',
      path: '/admin/transfers/report/count',
      body: Object.fromEntries(new URLSearchParams(year)),
      counted: `/admin/transfers/report?${year}`,
    },
    { name: 'Export of all students', path: '/admin/schools/students/export', body: {} },
    { name: 'Export of a list', path: '/admin/transfers/cohorts/export', body: { cohort_id: 1 } },
    {
      name: 'Export of a round',
      path: '/admin/transfers/cohorts/payroll/export',
      body: { payroll_id: last },
    },
    {
      name: 'Export of what changed since the list before',
      path: '/admin/transfers/cohorts/changes/export',
      body: { cohort_id: cohorts + 1 },
    },
    {
      name: 'Export of a target list from the register, of a CAP',
      path: '/admin/transfers/target-selection/export',
      body: { cap: '3' },
    },
    { name: 'Export of the arrears', path: '/admin/transfers/arrears/export', body: {} },
    { name: 'Export of the reconciliations', path: '/admin/transfers/reconciliations/export', body: {} },
    {
      name: 'Export of the journal of a month',
      path: '/admin/transfers/accounting/export',
      body: { part: 'journal', from: '2026-06-01', to: '2026-06-30' },
    },
    {
      name: 'Export of a month of the audit log',
      path: '/admin/users/audit/logs/export',
      body: { from: '2026-03-01', to: '2026-03-31' },
    },
  ]
}
