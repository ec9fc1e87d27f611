import { registerAuditExport } from './access/audit-logs.export.ts'
import { auditLogRoutes } from './access/audit-logs.routes.ts'
import { sessionRoutes } from './access/sessions.routes.ts'
import { signInWithRoutes } from './access/sign-in-with.routes.ts'
import { userRoutes } from './access/users.routes.ts'
import { caseRoutes } from './cases/cases.routes.ts'
import { homeRoutes } from './home/home.routes.ts'
import { importRoutes } from './imports/imports.routes.ts'
import type { App } from './kit/http/serve.ts'
import { systemRoutes } from './machine/system.routes.ts'
import { moduleRoutes } from './modules/modules.routes.ts'
import { registerRecordsExport } from './modules/records.export.ts'
import { registerRecordsImport } from './modules/records.import.ts'
import { registerPersonExport } from './privacy/person.export.ts'
import { personDataRoutes } from './privacy/person-data.routes.ts'
import { geographyRoutes } from './registers/geography.routes.ts'
import { parentRoutes } from './registers/parents.routes.ts'
import { partnerRoutes } from './registers/partners.routes.ts'
import { registerRegisterExports } from './registers/registers.export.ts'
import { registerRegisterImports } from './registers/registers.import.ts'
import { schoolRoutes } from './registers/schools.routes.ts'
import { studentRoutes } from './registers/students.routes.ts'
import { teacherRoutes } from './registers/teachers.routes.ts'
import { registerAttendanceImport } from './sync/attendance.import.ts'
import { syncRoutes } from './sync/sync.routes.ts'
import { registerAccountingExport } from './transfers/accounting/accounting.export.ts'
import { accountingRoutes } from './transfers/accounting/accounting.routes.ts'
import { agencyRoutes } from './transfers/agencies/agencies.routes.ts'
import { registerArrearsExport } from './transfers/arrears/arrears.export.ts'
import { arrearsRoutes } from './transfers/arrears/arrears.routes.ts'
import { registerCohortAttendanceExport } from './transfers/attendance/cohort-attendance.export.ts'
import { cohortAttendanceRoutes } from './transfers/attendance/cohort-attendance.routes.ts'
import { bankFileRoutes } from './transfers/bank-files/bank-files.routes.ts'
import { parameterBudgetRoutes } from './transfers/budgets/parameter-budgets.routes.ts'
import { registerCohortChangesExport } from './transfers/cohorts/cohort-changes.export.ts'
import { cohortClosingRoutes } from './transfers/cohorts/cohort-closing.routes.ts'
import { cohortRoutes } from './transfers/cohorts/cohorts.routes.ts'
import { registerTargetListImport } from './transfers/cohorts/target-list.jobs.ts'
import { callbackRoutes } from './transfers/connectors/callbacks.routes.ts'
import { cohortMoveRoutes } from './transfers/moves/cohort-moves.routes.ts'
import { registerNamesExport } from './transfers/names/name-checks.export.ts'
import { nameCheckRoutes } from './transfers/names/name-checks.routes.ts'
import { overviewRoutes } from './transfers/overview/overview.routes.ts'
import { payeeHoldRoutes } from './transfers/payee-holds/payee-holds.routes.ts'
import { paymentSettlementRoutes } from './transfers/payments/payment-settlements.routes.ts'
import { paymentRoutes } from './transfers/payments/payments.routes.ts'
import { registerMasterListExport } from './transfers/payrolls/master-list.export.ts'
import { registerPayrollExport } from './transfers/payrolls/payroll.export.ts'
import { payrollRoutes } from './transfers/payrolls/payrolls.routes.ts'
import { registerReconciliationsExport } from './transfers/reconciliations/reconciliations.export.ts'
import { reconciliationRoutes } from './transfers/reconciliations/reconciliations.routes.ts'
import { registerDonorReportExport } from './transfers/report/donor-report.export.ts'
import { donorReportRoutes } from './transfers/report/donor-report.routes.ts'
import { registerSelectionExport } from './transfers/selection/target-selection.export.ts'
import { targetSelectionRoutes } from './transfers/selection/target-selection.routes.ts'
import { sendingHoldRoutes } from './transfers/sending-hold/sending-hold.routes.ts'
import { statementReportRoutes } from './transfers/statements/statement-report.routes.ts'
import { registerStatementExport } from './transfers/statements/statements.export.ts'
import { statementRoutes } from './transfers/statements/statements.routes.ts'
import { registerTransferListExports } from './transfers/transfer-lists.export.ts'
import { transferListRoutes } from './transfers/transfer-lists.routes.ts'

/** Registers the domains of the api, one line each. */
export function registerDomains(app: App) {
  sessionRoutes(app)
  signInWithRoutes(app)
  userRoutes(app)
  auditLogRoutes(app)
  homeRoutes(app)
  geographyRoutes(app)
  schoolRoutes(app)
  teacherRoutes(app)
  studentRoutes(app)
  parentRoutes(app)
  partnerRoutes(app)
  caseRoutes(app)
  overviewRoutes(app)
  agencyRoutes(app)
  cohortAttendanceRoutes(app)
  cohortRoutes(app)
  payrollRoutes(app)
  paymentRoutes(app)
  reconciliationRoutes(app)
  cohortClosingRoutes(app)
  parameterBudgetRoutes(app)
  nameCheckRoutes(app)
  statementRoutes(app)
  statementReportRoutes(app)
  transferListRoutes(app)
  sendingHoldRoutes(app)
  payeeHoldRoutes(app)
  accountingRoutes(app)
  arrearsRoutes(app)
  donorReportRoutes(app)
  targetSelectionRoutes(app)
  paymentSettlementRoutes(app)
  bankFileRoutes(app)
  cohortMoveRoutes(app)
  callbackRoutes(app)
  importRoutes(app)
  syncRoutes(app)
  moduleRoutes(app)
  personDataRoutes(app)
  systemRoutes(app)
}

/** Registers the kinds of imports and exports, which both api and worker need. */
export function registerKinds() {
  registerAuditExport()
  registerRegisterImports()
  registerRegisterExports()
  registerTargetListImport()
  registerMasterListExport()
  registerPayrollExport()
  registerReconciliationsExport()
  registerAccountingExport()
  registerArrearsExport()
  registerDonorReportExport()
  registerSelectionExport()
  registerCohortAttendanceExport()
  registerCohortChangesExport()
  registerNamesExport()
  registerStatementExport()
  registerTransferListExports()
  registerAttendanceImport()
  registerPersonExport()
  registerRecordsExport()
  registerRecordsImport()
}
