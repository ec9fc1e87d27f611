import { row } from './database.ts'
import { anInvite } from './invite.ts'
import { button, inRow, keys, menuAct, type Open, rowAct } from './openings.ts'
import type { Role } from './people.ts'

/** A screen of the product: the address as it is declared, whom to be, what stands there in this demo, and its dialogs. */
export type Screen = {
  route: string
  role: Role | null
  /** What tells two screens of one address apart. */
  as?: string
  /** The address with the ids of this demo; without it the declared one. */
  path?: () => Promise<string>
  dialogs?: Record<string, Open>
}

const id = async (sql: string) => (await row<{ id: number }>(sql)).id
const cohort = (status: string) => () =>
  id(`select c.id from transfer_cohorts c join imports i on i.id = c.import_id
      where c.status = '${status}' and i.state = 'imported' order by c.created_at, c.id limit 1`)
const caseIn = (status: string) =>
  id(`select id from cases where status = '${status}' and assigned_id = (select id from users
      where email = 'reviewer@portal.example') order by id limit 1`)

/** The student of a request to erase, which an officer asked for and nobody has decided, made once. */
const askedErasure = `
  with old as (select subject_id from erasure_requests where reason = 'stage'),
  made as (insert into erasure_requests (kind, record_id, subject_type, subject_id, cases, other_cases, stop_paying, reason, user_id)
    select 'student', s.id, 'student', s.id, '{}', '{}', true, 'stage', u.id
    from (select max(id) as id from students) s, users u
    where u.email = 'officer@portal.example' and not exists (select from old) returning subject_id)
  select subject_id as id from old union all select subject_id from made`

/** Before anybody has signed in, and the page of an expert who never does. */
const publicScreens: Screen[] = [
  { route: '/', role: null },
  { route: '/login', role: null },
  { route: '/password/forgot', role: null },
  { route: '/password/reset/:token', role: null, path: async () => `/password/reset/${'a'.repeat(43)}` },
  { route: '/external/cases/:invite', role: null, path: anInvite },
  { route: '/external/cases/:invite', role: null, as: 'unknown', path: async () => '/external/cases/nobody' },
]

const shellScreens: Screen[] = [
  { route: '/home', role: 'admin', dialogs: { search: keys('Control+k'), keys: keys('?') } },
  { route: '/home', role: 'admin', as: 'chart', path: async () => '/home?view=chart' },
  { route: '/home', role: 'reviewer', as: 'reviewer' },
  { route: '/home/attendance', role: 'admin' },
  { route: '/home/attendance/import', role: 'admin' },
  { route: '/home/messages', role: 'admin', dialogs: { details: rowAct('See Details') } },
  { route: '/home/survey', role: 'admin' },
  {
    route: '/admin/sync',
    role: 'admin',
    dialogs: { 'add a device': button('Add device'), revoke: rowAct('Revoke') },
  },
  {
    route: '/admin/modules',
    role: 'admin',
    dialogs: {
      disable: rowAct('Disable'),
      // The build that waits longest is that of the stage; journeys publish others meanwhile.
      admit: (page) => page.locator('.waiting-look').getByRole('button').last().click(),
    },
  },
  {
    route: '/admin/modules',
    role: 'admin',
    as: 'a module',
    path: async () => '/admin/modules?module=mfe-cases',
  },
  { route: '/admin/system', role: 'admin' },
  {
    route: '/profile',
    role: 'admin',
    dialogs: { 'set up codes': button('Set up one-time codes') },
  },
  { route: '/admin/nothing-here', role: 'admin', as: 'not found' },
  { route: '/admin/users', role: 'reviewer', as: 'denied' },
]

const usersScreens: Screen[] = [
  {
    route: '/admin/users',
    role: 'admin',
    dialogs: {
      add: button('Add user'),
      edit: rowAct('Edit'),
      'assign role': rowAct('Assign role'),
      'turn off codes': rowAct('Turn off one-time codes'),
      'sign out everywhere': rowAct('Sign out everywhere'),
      deactivate: inRow('td .small-button'),
      'remove role': inRow('.tag button'),
    },
  },
  {
    route: '/admin/roles',
    role: 'admin',
    dialogs: {
      create: button('Create role'),
      edit: rowAct('Edit'),
      permissions: rowAct('Assign Permissions'),
      // The first one is the administrators' own, which nobody deletes.
      delete: async (page, say) => {
        await page.locator('main tbody .menu-cell').getByRole('button').nth(1).click()
        await page.getByRole('menuitem', { name: say('Delete'), exact: true }).click()
      },
    },
  },
  {
    route: '/admin/users/people/:kind/:id',
    role: 'admin',
    path: async () => `/admin/users/people/student/${await id('select min(id) as id from students')}`,
    dialogs: { export: button('Export personal data'), erase: button('Ask for erasure') },
  },
  {
    route: '/admin/users/people/:kind/:id',
    role: 'admin',
    as: 'asked',
    path: async () => `/admin/users/people/student/${await id(askedErasure)}`,
    dialogs: { approve: button('Approve erasure'), refuse: button('Refuse') },
  },
  { route: '/admin/users/erasures', role: 'admin' },
  { route: '/admin/users/audit/logs', role: 'auditor', dialogs: { details: rowAct('See Details') } },
]

const registerScreens: Screen[] = [
  { route: '/admin/geo/locations', role: 'school', dialogs: { edit: rowAct('Edit') } },
  { route: '/admin/geo/locations/external', role: 'school' },
  { route: '/admin/geo/locations/import', role: 'school' },
  {
    route: '/admin/schools',
    role: 'school',
    dialogs: { edit: rowAct('Edit'), 'save a view': menuAct('Views', 'Save this view…') },
  },
  {
    route: '/admin/schools',
    role: 'school',
    as: 'nothing found',
    path: async () => '/admin/schools?search=zzz',
  },
  { route: '/admin/schools/import', role: 'school' },
  {
    route: '/admin/schools/:id/users',
    role: 'school',
    path: async () => `/admin/schools/${await id('select min(id) as id from schools')}/users?type=student`,
  },
  { route: '/admin/schools/teachers', role: 'school' },
  { route: '/admin/schools/teachers/import', role: 'school' },
  {
    route: '/admin/schools/students',
    role: 'school',
    dialogs: { details: rowAct('See details'), edit: rowAct('Edit') },
  },
  { route: '/admin/schools/students/import', role: 'school' },
  { route: '/admin/schools/parents', role: 'school', dialogs: { edit: rowAct('Edit') } },
  { route: '/admin/schools/parents/import', role: 'school' },
  { route: '/admin/schools/partners', role: 'school', dialogs: { edit: rowAct('Edit') } },
  { route: '/admin/schools/partners/import', role: 'school' },
]

const cohorts = '/admin/transfers/cohorts'
const targetList = `select min(id) as id from imports where kind = 'target-list'`
/** A girl to whom money is owed. */
const paidGirl = `
  select min(m.student_id) as id from transfer_master_list m join transfer_payrolls p on p.master_list_id = m.id
  where p.status = 'failed'`

/** A statement with a line of each of forty payments, made once. */
const aStatement = `
  with old as (select min(id) as id from agency_statements where file_name = 'stage.csv'),
  paid as (
    select a.agency_id, a.payroll_id, p.amount, p.reference, (a.settled_at at time zone 'utc')::date as day, row_number() over (order by a.id) as n
    from payment_attempts a join transfer_payrolls p on p.id = a.payroll_id
    where a.state = 'success' and a.agency_id = (select min(agency_id) from payment_attempts where state = 'success') order by a.id limit 40),
  f as (insert into files (key, name, type, size, sha256)
    select md5('stage.csv'), 'stage.csv', 'text/csv', 1, sha256('stage.csv') where (select id from old) is null returning id),
  s as (insert into agency_statements (agency_id, "from", "to", format, state, file_id, file_name, file_hash, lines_read, user_id)
    select paid.agency_id, paid.day, paid.day, 'csv', 'open', f.id, 'stage.csv', 'stage', 40,
      (select id from users where email = 'admin@portal.example') from f, paid where n = 1 returning id, agency_id),
  l as (insert into statement_lines (statement_id, agency_id, "row", reference, amount, fee, day)
    select s.id, s.agency_id, n + 1, reference, case when n % 9 = 0 then amount - 500 else amount end, 105, day from s, paid returning id, statement_id, reference, amount),
  found as (insert into statement_findings (statement_id, category, line_id, payroll_id, their_amount, our_amount)
    select l.statement_id, case when l.amount = paid.amount then 'matched' else 'amount' end, l.id, paid.payroll_id, l.amount, paid.amount
    from l join paid using (reference))
  select coalesce((select id from old), (select id from s)) as id`
const transferScreens: Screen[] = [
  { route: '/admin/transfers', role: 'officer' },
  {
    route: '/admin/transfers/settings',
    role: 'admin',
    dialogs: {
      'create agency': button('Create agency'),
      'create parameter': button('Create parameter'),
      'upload cohort': button('Upload cohort'),
      agency: rowAct('See Details', 'Transfer agencies'),
      parameter: rowAct('See Details', 'Latest transfer parameters'),
      cohort: rowAct('Preview Cohort Summary', 'Latest cohorts'),
    },
  },
  {
    route: `${cohorts}/list`,
    role: 'officer',
    dialogs: { upload: button('Upload Target List File'), cohort: rowAct('Preview Cohort Summary') },
  },
  {
    route: `${cohorts}/import`,
    role: 'officer',
    path: async () => `${cohorts}/import?import=${await id(targetList)}`,
  },
  {
    route: `${cohorts}/selection`,
    role: 'officer',
    path: async () => `${cohorts}/selection?guardian=yes&not_held=yes`,
    dialogs: { make: button('Make cohort') },
  },
  { route: '/admin/transfers/reconciliations', role: 'officer' },
  { route: '/admin/transfers/accounting', role: 'officer' },
  { route: '/admin/transfers/arrears', role: 'officer' },
  { route: '/admin/transfers/report', role: 'officer' },
  {
    route: '/admin/transfers/payees/:id/payments',
    role: 'officer',
    path: async () => `/admin/transfers/payees/${await id(paidGirl)}/payments`,
  },
  {
    route: '/admin/transfers/guardians/:id/payments',
    role: 'officer',
    path: async () => `/admin/transfers/guardians/${await id('select min(id) as id from parents')}/payments`,
  },
  { route: '/admin/transfers/statements', role: 'officer', dialogs: { upload: button('Upload statement') } },
  {
    route: '/admin/transfers/statements/:id',
    role: 'officer',
    path: async () => `/admin/transfers/statements/${await id(aStatement)}`,
    dialogs: { withdraw: button('Withdraw') },
  },
  {
    route: '/admin/transfers/statements/:id/report',
    role: 'officer',
    path: async () => `/admin/transfers/statements/${await id(aStatement)}/report`,
  },
  { route: '/admin/transfers/sending-hold', role: 'approver' },
  { route: '/admin/transfers/exceptions', role: 'approver' },
  { route: '/admin/transfers/payee-holds', role: 'approver' },
  {
    route: '/admin/transfers/payee-holds',
    role: 'approver',
    as: 'hold',
    path: async () => `/admin/transfers/payee-holds?hold=${await id('select min(id) as id from students')}`,
  },
  {
    route: `${cohorts}/:id/summary`,
    role: 'approver',
    as: 'approved',
    path: async () => `${cohorts}/${await cohort('approved')()}/summary`,
    dialogs: { close: button('Close cohort') },
  },
  {
    route: `${cohorts}/:id/summary`,
    role: 'officer',
    as: 'moving',
    path: async () => `${cohorts}/${await cohort('approved')()}/summary`,
    dialogs: { move: button('Change agency') },
  },
  {
    route: `${cohorts}/:id/summary`,
    role: 'approver',
    as: 'pending',
    path: async () => `${cohorts}/${await cohort('pending')()}/summary`,
    dialogs: { approve: button('Approve Transfer List'), reject: button('Reject Transfer List') },
  },
  {
    route: `${cohorts}/:id/summary`,
    role: 'approver',
    as: 'rejected',
    path: async () => `${cohorts}/${await cohort('rejected')()}/summary`,
  },
  {
    route: `${cohorts}/:id/changes`,
    role: 'officer',
    path: async () => `${cohorts}/${await cohort('pending')()}/changes`,
  },
  {
    route: `${cohorts}/:id/attendance`,
    role: 'officer',
    path: async () => `${cohorts}/${await cohort('pending')()}/attendance`,
  },
  {
    route: `${cohorts}/:id/names`,
    role: 'officer',
    path: async () => `${cohorts}/${await cohort('pending')()}/names`,
  },
  {
    route: `${cohorts}/:id/payrolls`,
    role: 'approver',
    path: async () => `${cohorts}/${await cohort('approved')()}/payrolls`,
  },
  {
    route: `${cohorts}/payroll/:groupId`,
    role: 'approver',
    path: async () =>
      `${cohorts}/payroll/${await id('select min(id) as id from transfer_payroll_groups where failed_amount > 0')}?status=failed`,
    dialogs: {
      retry: rowAct('Retry'),
      'write-off': rowAct('Write off'),
      hold: rowAct('Put the girl on hold'),
    },
  },
  {
    route: `${cohorts}/payroll/:groupId`,
    role: 'officer',
    as: 'officer',
    path: async () =>
      `${cohorts}/payroll/${await id('select min(id) as id from transfer_payroll_groups where failed_amount > 0')}?status=failed`,
    dialogs: { correct: rowAct('Correct the recipient') },
  },
  {
    route: '/admin/transfers/parameters/list',
    role: 'admin',
    dialogs: {
      create: button('Create parameter'),
      details: rowAct('See Details', 'Transfer parameters'),
      'propose a budget': rowAct('Propose a budget', 'Budgets'),
    },
  },
]

const caseScreens: Screen[] = [
  {
    route: '/admin/cases',
    role: 'reviewer',
    dialogs: { create: button('Create case'), filters: button('Filters') },
  },
  {
    route: '/admin/cases/:id/details',
    role: 'reviewer',
    as: 'open',
    path: async () => `/admin/cases/${await caseIn('open')}/details`,
    dialogs: {
      refer: button('Refer external input'),
      upload: button('Upload'),
      activity: button('Record activity'),
      resolve: button('Resolve case'),
      reject: button('Reject'),
      reassign: button('Reassign'),
    },
  },
  {
    route: '/admin/cases/:id/details',
    role: 'reviewer',
    as: 'consulted',
    path: async () => `/admin/cases/${await caseIn('in_progress')}/details`,
    dialogs: { consultation: button('See Details'), withdraw: button('Withdraw') },
  },
  {
    route: '/admin/cases/:id/details',
    role: 'reviewer',
    as: 'resolved',
    path: async () => `/admin/cases/${await caseIn('resolved')}/details`,
  },
  {
    route: '/admin/consultations/preview/:id/:referral',
    role: 'reviewer',
    path: async () => {
      const referral = await row<{ id: number; case_id: number }>(
        'select id, case_id from referrals where resolved_at is null and rejected_at is null order by id limit 1',
      )
      return `/admin/consultations/preview/${referral.case_id}/${referral.id}`
    },
  },
]

/**
 * Every screen of the product with its dialogs. Screenshots, the visit in French and the accessibility of everything go
 * through this list, and `routes.spec.ts` holds it against what modules and shell declare.
 */
export const screens: Screen[] = [
  ...publicScreens,
  ...shellScreens,
  ...usersScreens,
  ...registerScreens,
  ...transferScreens,
  ...caseScreens,
]

/** A screen's name among the others. */
export const nameOf = ({ route, as }: Screen): string => (as ? `${route} (${as})` : route)
