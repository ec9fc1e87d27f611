import { registerAuditExport } from './access/audit-logs.export.ts'
import { auditLogRoutes } from './access/audit-logs.routes.ts'
import { sessionRoutes } from './access/sessions.routes.ts'
import { signInWithRoutes } from './access/sign-in-with.routes.ts'
import { userRoutes } from './access/users.routes.ts'
import { caseRoutes } from './cases/cases.routes.ts'
import { homeRoutes } from './home/home.routes.ts'
import { importRoutes } from './imports/imports.routes.ts'
import type { App } from './kit/serve.ts'
import { systemRoutes } from './machine/system.routes.ts'
import { moduleRoutes } from './modules/modules.routes.ts'
import { registerRecordsExport } from './modules/records.export.ts'
import { registerRecordsImport } from './modules/records.import.ts'
import { registerPersonExport } from './privacy/person.export.ts'
import { personDataRoutes } from './privacy/person-data.routes.ts'
import { geographyRoutes } from './registers/geography.routes.ts'
import { peopleRoutes } from './registers/people.routes.ts'
import { registerRegisterExports } from './registers/registers.export.ts'
import { registerRegisterImports } from './registers/registers.import.ts'
import { schoolRoutes } from './registers/schools.routes.ts'
import { registerAttendanceImport } from './sync/attendance.import.ts'
import { syncRoutes } from './sync/sync.routes.ts'
import { registerAccountingExport } from './transfers/accounting.export.ts'
import { accountingRoutes } from './transfers/accounting.routes.ts'
import { registerArrearsExport } from './transfers/arrears.export.ts'
import { arrearsRoutes } from './transfers/arrears.routes.ts'
import { bankFileRoutes } from './transfers/bank-files.routes.ts'
import { callbackRoutes } from './transfers/callbacks.routes.ts'
import { registerCohortAttendanceExport } from './transfers/cohort-attendance.export.ts'
import { registerCohortChangesExport } from './transfers/cohort-changes.export.ts'
import { cohortClosingRoutes } from './transfers/cohort-closing.routes.ts'
import { cohortMoveRoutes } from './transfers/cohort-moves.routes.ts'
import { registerDonorReportExport } from './transfers/donor-report.export.ts'
import { donorReportRoutes } from './transfers/donor-report.routes.ts'
import { registerNamesExport } from './transfers/name-checks.export.ts'
import { nameCheckRoutes } from './transfers/name-checks.routes.ts'
import { parameterBudgetRoutes } from './transfers/parameter-budgets.routes.ts'
import { payeeHoldRoutes } from './transfers/payee-holds.routes.ts'
import { paymentSettlementRoutes } from './transfers/payment-settlements.routes.ts'
import { registerReconciliationsExport } from './transfers/reconciliations.export.ts'
import { reconciliationRoutes } from './transfers/reconciliations.routes.ts'
import { sendingHoldRoutes } from './transfers/sending-hold.routes.ts'
import { statementReportRoutes } from './transfers/statement-report.routes.ts'
import { registerStatementExport } from './transfers/statements.export.ts'
import { statementRoutes } from './transfers/statements.routes.ts'
import { registerTargetListImport } from './transfers/target-list.jobs.ts'
import { registerSelectionExport } from './transfers/target-selection.file.ts'
import { targetSelectionRoutes } from './transfers/target-selection.routes.ts'
import { registerTransferListExports } from './transfers/transfer-lists.export.ts'
import { transferListRoutes } from './transfers/transfer-lists.routes.ts'
import { registerTransferExports } from './transfers/transfers.export.ts'
import { transferRoutes } from './transfers/transfers.routes.ts'

/** Registers the domains of the api, one line each. */
export function registerDomains(app: App) {
  sessionRoutes(app)
  signInWithRoutes(app)
  userRoutes(app)
  auditLogRoutes(app)
  homeRoutes(app)
  geographyRoutes(app)
  schoolRoutes(app)
  peopleRoutes(app)
  caseRoutes(app)
  transferRoutes(app)
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
  registerTransferExports()
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
