import { button, rowAct } from '../openings.ts'
import { idOf, type Screen } from './screen.ts'

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

/** A budget of the next year that waits for a second person, made once. The first row of this year stays without. */
const proposedBudget = `
  with old as (select id from parameter_budgets where reason = 'stage'),
  made as (insert into parameter_budgets (parameter_id, year, amount, reason, user_id)
    select max(p.id), extract(year from now())::integer + 1, 40000000, 'stage', (select id from users where email = 'admin@portal.example')
    from transfer_parameters p where not exists (select from old) having count(*) > 0 returning id)
  select id from old union all select id from made`

/** Transfers, without the pages of cohorts. */
export const transferScreens: Screen[] = [
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
  { route: '/admin/transfers/reconciliations', role: 'officer' },
  { route: '/admin/transfers/accounting', role: 'officer' },
  { route: '/admin/transfers/arrears', role: 'officer' },
  { route: '/admin/transfers/report', role: 'officer' },
  {
    route: '/admin/transfers/payees/:id/payments',
    role: 'officer',
    path: async () => `/admin/transfers/payees/${await idOf(paidGirl)}/payments`,
  },
  {
    route: '/admin/transfers/guardians/:id/payments',
    role: 'officer',
    path: async () =>
      `/admin/transfers/guardians/${await idOf('select min(id) as id from parents')}/payments`,
  },
  { route: '/admin/transfers/statements', role: 'officer', dialogs: { upload: button('Upload statement') } },
  {
    route: '/admin/transfers/statements/:id',
    role: 'officer',
    path: async () => `/admin/transfers/statements/${await idOf(aStatement)}`,
    dialogs: { withdraw: button('Withdraw') },
  },
  {
    route: '/admin/transfers/statements/:id/report',
    role: 'officer',
    path: async () => `/admin/transfers/statements/${await idOf(aStatement)}/report`,
  },
  { route: '/admin/transfers/sending-hold', role: 'approver' },
  { route: '/admin/transfers/exceptions', role: 'approver' },
  {
    route: '/admin/transfers/payee-holds',
    role: 'approver',
    dialogs: {
      // The page of a student leads to it. The page below is no heading for readers while it is open.
      'put on hold': async (page) => {
        const id = await idOf('select min(id) as id from students')
        await page.goto(`/admin/transfers/payee-holds?hold=${id}`)
      },
    },
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
  {
    route: '/admin/transfers/parameters/list',
    role: 'approver',
    as: 'budget proposed',
    path: async () => {
      await idOf(proposedBudget)
      return '/admin/transfers/parameters/list'
    },
    dialogs: { 'confirm a budget': rowAct('Confirm the budget', 'Budgets') },
  },
]
