import { bankRounds } from '../bank-rounds.ts'
import { button, rowAct } from '../openings.ts'
import { idOf, type Screen } from './screen.ts'

const cohorts = '/admin/transfers/cohorts'
const targetList = `select min(id) as id from imports where kind = 'target-list'`

const cohort = (status: string) => () =>
  idOf(`select c.id from transfer_cohorts c join imports i on i.id = c.import_id
      where c.status = '${status}' and i.state = 'imported' order by c.created_at, c.id limit 1`)

/** Cohorts with their rounds. */
export const cohortScreens: Screen[] = [
  {
    route: `${cohorts}/list`,
    role: 'officer',
    dialogs: { upload: button('Upload Target List File'), cohort: rowAct('Preview Cohort Summary') },
  },
  {
    route: `${cohorts}/import`,
    role: 'officer',
    path: async () => `${cohorts}/import?import=${await idOf(targetList)}`,
  },
  {
    route: `${cohorts}/selection`,
    role: 'officer',
    path: async () => `${cohorts}/selection?guardian=yes&not_held=yes`,
    dialogs: { make: button('Make cohort') },
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
      `${cohorts}/payroll/${await idOf('select min(id) as id from transfer_payroll_groups where failed_amount > 0')}?status=failed`,
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
      `${cohorts}/payroll/${await idOf('select min(id) as id from transfer_payroll_groups where failed_amount > 0')}?status=failed`,
    dialogs: { correct: rowAct('Correct the recipient') },
  },
  {
    route: `${cohorts}/:id/summary`,
    role: 'officer',
    as: 'move proposed',
    path: async () => `${cohorts}/${(await bankRounds()).waiting.cohort}/summary`,
    dialogs: { withdraw: button('Withdraw the change') },
  },
  {
    route: `${cohorts}/payroll/:groupId`,
    role: 'officer',
    as: 'file sent',
    path: async () => `${cohorts}/payroll/${(await bankRounds()).filed.group}`,
    dialogs: { settle: rowAct('Settle with evidence', 'Payroll details'), answer: button('Upload answer') },
  },
  {
    route: `${cohorts}/payroll/:groupId`,
    role: 'approver',
    as: 'file to make',
    path: async () => `${cohorts}/payroll/${(await bankRounds()).waiting.group}`,
    dialogs: {
      'make file': button('Make bank file'),
      'write-off of pending': rowAct('Write off', 'Payroll details'),
    },
  },
]
