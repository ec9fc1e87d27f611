import * as v from 'valibot'
import { endpoint } from './endpoint.ts'
import { done, id, listQuery, oneOf, page, searched, version } from './fields.ts'
import { exportStarted, reviewQuery } from './registers/register-fields.ts'
import {
  Agency,
  AgencyChangeDecision,
  AgencyCreate,
  AgencyUpdate,
  Parameter,
  ParameterCreate,
} from './transfers/agencies.ts'
import {
  Cohort,
  CohortDecision,
  CohortSummary,
  CohortUpload,
  ListFlag,
  listedCohortStatuses,
  MasterListFilters,
  Progress,
  RoundStart,
} from './transfers/cohorts.ts'
import { ListedPayrollGroup } from './transfers/payrolls.ts'

/** Whole francs. */
const money = v.number()

/** The calls on transfers. */
export const transfers = {
  settings: endpoint({
    method: 'GET',
    path: '/admin/transfers/settings',
    access: 'transfers.view',
    answer: v.object({
      agencies: v.array(Agency),
      /** The last three and the last two, newest first. */
      parameters: v.array(Parameter),
      cohorts: v.array(Cohort),
      totalAmountDisbursed: money,
      finalAmountArrears: money,
      totalAmountFees: money,
      totalAmountExpected: money,
      totalAmountPending: money,
      totalAmountUnknown: money,
      totalAmountWrittenOff: money,
      /** Which installation this is; null for whoever may not make agencies. */
      installation: v.nullable(v.string()),
      message: v.string(),
    }),
  }),
  createAgency: endpoint({
    method: 'POST',
    path: '/admin/transfers/agency',
    access: 'agencies.create',
    body: AgencyCreate,
    answer: done,
  }),
  updateAgency: endpoint({
    method: 'PUT',
    path: '/admin/transfers/agency/:id',
    access: 'agencies.update',
    fresh: true,
    body: AgencyUpdate,
    answer: done,
  }),
  decideAgencyChange: endpoint({
    method: 'POST',
    path: '/admin/transfers/agency/changes/:id/decide',
    access: 'agencies.update',
    fresh: true,
    body: AgencyChangeDecision,
    answer: done,
  }),
  /** Whoever proposed a change takes it back before it is decided. Nothing changes by it, so no fresh sign-in is needed. */
  withdrawAgencyChange: endpoint({
    method: 'POST',
    path: '/admin/transfers/agency/changes/:id/withdraw',
    access: 'agencies.update',
    answer: done,
  }),
  createParameter: endpoint({
    method: 'POST',
    path: '/admin/transfers/parameter',
    access: 'parameters.create',
    body: ParameterCreate,
    answer: done,
  }),
  updateParameter: endpoint({
    method: 'PUT',
    path: '/admin/transfers/parameter/:id',
    access: 'parameters.create',
    body: v.object({ status: oneOf('active', 'inactive'), version }),
    answer: done,
  }),
  cohorts: endpoint({
    method: 'GET',
    path: '/admin/transfers/cohorts',
    access: 'transfers.view',
    query: listQuery(['created_at', 'name', 'status', 'from'], {
      /** `approved` is without those that were closed for good. */
      status: v.optional(v.picklist(listedCohortStatuses)),
      /** Of those with this status, the ones that I uploaded and have to act on (Money 5.12). */
      waits: v.optional(v.picklist(['rejected', 'error'])),
      transfer_agency_id: v.optional(id),
    }),
    answer: v.object({ cohorts: page(Cohort) }),
  }),
  parameters: endpoint({
    method: 'GET',
    path: '/admin/transfers/parameters',
    access: 'transfers.view',
    query: listQuery(['created_at', 'name', 'status'], {
      status: v.optional(v.picklist(['active', 'inactive'])),
    }),
    answer: v.object({ parameters: page(Parameter) }),
  }),
  importCohort: endpoint({
    method: 'POST',
    path: '/admin/transfers/cohorts/import',
    access: 'cohorts.create',
    query: reviewQuery,
    body: CohortUpload,
    multipart: true,
    answer: v.object({
      message: v.string(),
      cohort: v.object({ id: v.number(), name: v.string() }),
      import: v.object({ id: v.number() }),
    }),
  }),
  summary: endpoint({
    method: 'GET',
    path: '/admin/transfers/cohorts/:id/summary',
    access: 'transfers.view',
    query: listQuery(
      ['receiver_last_name', 'student_code', 'amount', 'updated_at'],
      MasterListFilters.entries,
    ),
    answer: v.object({
      cohort: v.object({
        ...CohortSummary.entries,
        /** The latest rounds, newest first; the others are in the call `payrolls`. */
        transfer_payroll_groups: page(ListedPayrollGroup),
      }),
    }),
  }),
  /** What is out of the ordinary on a list; an approver reads it before deciding. */
  flags: endpoint({
    method: 'GET',
    path: '/admin/transfers/cohorts/:id/flags',
    access: 'transfers.view',
    answer: v.object({ flags: v.array(ListFlag) }),
  }),
  progress: endpoint({
    method: 'GET',
    path: '/admin/transfers/cohorts/:id/progress',
    access: 'transfers.view',
    answer: Progress,
  }),
  decide: endpoint({
    method: 'POST',
    path: '/admin/transfers/cohorts/:id/approve',
    access: 'cohorts.approve',
    body: CohortDecision,
    answer: done,
  }),
  stop: endpoint({
    method: 'POST',
    path: '/admin/transfers/cohorts/:id/stop',
    access: 'cohorts.approve',
    answer: done,
  }),
  resume: endpoint({
    method: 'POST',
    path: '/admin/transfers/cohorts/:id/resume',
    access: 'cohorts.approve',
    answer: done,
  }),
  startRound: endpoint({
    method: 'POST',
    path: '/admin/transfers/cohorts/:id/rounds/:n/start',
    access: 'cohorts.approve',
    body: RoundStart,
    answer: done,
  }),
  exportCohort: endpoint({
    method: 'POST',
    path: '/admin/transfers/cohorts/export',
    access: 'cohorts.export',
    body: v.object({ cohort_id: id, search: searched, ...MasterListFilters.entries }),
    answer: exportStarted,
  }),
}
