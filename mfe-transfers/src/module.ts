import { defineModule } from '@portal/sdk'
import { paths } from './paths.ts'

export default defineModule({
  contract: '1.2.0',
  routes: () => [
    { path: paths.overview, lazy: () => import('./overview/TransfersPage.tsx') },
    { path: paths.settings, lazy: () => import('./settings/SettingsPage.tsx') },
    { path: paths.cohorts, lazy: () => import('./cohorts/CohortsPage.tsx') },
    {
      path: paths.importCohort,
      lazy: () => import('./cohorts/ImportCohortPage.tsx'),
      permission: 'cohorts.create',
    },
    {
      path: paths.selection,
      lazy: () => import('./selection/SelectionPage.tsx'),
      permission: 'cohorts.create',
    },
    { path: paths.hold, lazy: () => import('./hold/SendingHoldPage.tsx') },
    { path: paths.exceptions, lazy: () => import('./exceptions/ExceptionsPage.tsx') },
    { path: paths.payeeHolds, lazy: () => import('./payees/PayeeHoldsPage.tsx') },
    { path: paths.accounting, lazy: () => import('./accounting/AccountingPage.tsx') },
    { path: paths.arrears, lazy: () => import('./arrears/ArrearsPage.tsx') },
    {
      path: '/admin/transfers/payees/:id/payments',
      lazy: () => import('./payments/GirlPaymentsPage.tsx'),
    },
    {
      path: '/admin/transfers/guardians/:id/payments',
      lazy: () => import('./payments/GuardianPaymentsPage.tsx'),
    },
    { path: paths.reconciliations, lazy: () => import('./reconciliations/ReconciliationsPage.tsx') },
    { path: paths.report, lazy: () => import('./report/ReportPage.tsx') },
    { path: paths.statements, lazy: () => import('./statements/StatementsPage.tsx') },
    { path: '/admin/transfers/statements/:id', lazy: () => import('./statements/StatementPage.tsx') },
    {
      path: '/admin/transfers/statements/:id/report',
      lazy: () => import('./statements/report/StatementReportPage.tsx'),
    },
    { path: '/admin/transfers/cohorts/:id/summary', lazy: () => import('./summary/CohortSummaryPage.tsx') },
    { path: '/admin/transfers/cohorts/:id/changes', lazy: () => import('./changes/ChangesPage.tsx') },
    {
      path: '/admin/transfers/cohorts/:id/attendance',
      lazy: () => import('./summary/attendance/AttendancePage.tsx'),
    },
    { path: '/admin/transfers/cohorts/:id/names', lazy: () => import('./names/NamesPage.tsx') },
    { path: '/admin/transfers/cohorts/:id/payrolls', lazy: () => import('./payrolls/PayrollsPage.tsx') },
    { path: '/admin/transfers/cohorts/payroll/:groupId', lazy: () => import('./payrolls/PayrollPage.tsx') },
    { path: paths.parameters, lazy: () => import('./parameters/ParametersPage.tsx') },
  ],
  cards: { approvals: () => import('./card/ApprovalsCard.tsx') },
  messages: {
    en: () => [
      import(/* webpackChunkName: "en" */ './locales/en.ts'),
      import(/* webpackChunkName: "en" */ '@portal/screens/locales/en'),
      import(/* webpackChunkName: "en" */ '@portal/ui/locales/en'),
    ],
    fr: () => [
      import(/* webpackChunkName: "fr" */ './locales/fr.ts'),
      import(/* webpackChunkName: "fr" */ '@portal/screens/locales/fr'),
      import(/* webpackChunkName: "fr" */ '@portal/ui/locales/fr'),
    ],
  },
})
