import { forgetDrafts } from './access/drafts.service.ts'
import { workPasswordResets } from './access/password-links.service.ts'
import { forgetAttempts } from './access/rate-limiter.service.ts'
import { registerKinds } from './app.ts'
import { tellOfDueCases } from './cases/due-cases.service.ts'
import { expireReferrals } from './cases/referrals.service.ts'
import { inviteNews, tellOfLostLetters } from './cases/undelivered.service.ts'
import { sendDigests } from './home/digests.service.ts'
import { workMails } from './home/mail.service.ts'
import { foldMonths } from './home/trends.service.ts'
import { endLostImports } from './imports/import-run.service.ts'
import { workImports } from './imports/imports.jobs.ts'
import { type LinkedUpTo, linkAudits } from './kit/audit/audit-chain.ts'
import { noteCheckpoints } from './kit/audit/audit-checkpoints.ts'
import { keepAuditEnd } from './kit/audit/audit-end.ts'
import { forgetReads } from './kit/audit/reads.ts'
import { foldTotals } from './kit/database/totals.ts'
import { forgetCallCounts } from './kit/http/limits.ts'
import { dropOldExports, failLostExports, workExports } from './kit/jobs/exports.ts'
import { startJobs } from './kit/jobs/jobs.ts'
import { repeat } from './kit/jobs/repeat.ts'
import type { Context } from './kit/process/context.ts'
import { tellOfRises } from './modules/error-rises.service.ts'
import { keyLiveRecords } from './modules/record-keys.service.ts'
import { recordAllLeftSteps } from './modules/registry-changes.service.ts'
import { forgetReports } from './modules/reports.service.ts'
import { forgetSandboxes } from './modules/sandboxes.service.ts'
import { tellOfWaitingBuilds } from './modules/waiting-builds.service.ts'
import { eraseApproved } from './privacy/approved-erasures.service.ts'
import { tidy } from './privacy/retention.service.ts'
import { countChangedStudents } from './registers/counted-students.service.ts'
import { workMessages } from './sync/messages.jobs.ts'
import { keepAttendance } from './transfers/attendance/kept-attendance.service.ts'
import { remindOfDecisions } from './transfers/decisions/decision-reminders.service.ts'
import { foldMoneyTotals } from './transfers/ledger/payment-totals.service.ts'
import { askNames } from './transfers/names/name-asking.jobs.ts'
import { endPassedHolds } from './transfers/payee-holds/payee-holds.service.ts'
import { forgetCountedReports } from './transfers/report/counted-reports.service.ts'
import { workReports } from './transfers/report/donor-report.jobs.ts'
import { failLostStatements, workStatements } from './transfers/statements/statement-read.service.ts'

/** Starts the jobs of a worker besides payments, one line each. The returned functions stop them. */
export async function startOtherJobs(context: Context): Promise<(() => Promise<void>)[]> {
  const { db, storage, settings } = context
  registerKinds()
  workExports(context)
  workMails(context, inviteNews)
  workPasswordResets(context)
  workImports(context)
  workStatements(context)
  workReports(context)
  const stopMessages = workMessages(context)
  let since: LinkedUpTo | null = null
  return [
    await startJobs(settings, context.log),
    stopMessages,
    repeat(context, 'audit chain', 500, async () => {
      since = (await linkAudits(db, settings.secret, since)).since
    }),
    repeat(context, 'end of the audit chain', 60_000, async () => {
      const fault = await keepAuditEnd(context)
      if (fault) context.log.error({ fault }, 'the audit log is broken: run npm run audit:verify')
    }),
    repeat(context, 'checkpoints of the audit log', 60_000, () => noteCheckpoints(db)),
    repeat(context, 'totals', 60_000, () => foldTotals(db)),
    repeat(context, 'counts of students', 10_000, () => countChangedStudents(db)),
    repeat(context, 'totals of months', 60_000, () => foldMonths(db)),
    repeat(context, 'totals of money', 60_000, () => foldMoneyTotals(db)),
    repeat(context, 'attendance of lists', 60_000, () => keepAttendance(db)),
    repeat(context, 'old drafts', 60_000, () => forgetDrafts(db)),
    repeat(context, 'old failed attempts', 3_600_000, () => forgetAttempts(db)),
    repeat(context, 'old counts of calls', 60_000, () => forgetCallCounts(db)),
    repeat(context, 'old reads', 3_600_000, () => forgetReads(db)),
    repeat(context, 'consultations', 60_000, () => expireReferrals(context)),
    repeat(context, 'lost letters', 60_000, () => tellOfLostLetters(db)),
    repeat(context, 'names at agencies', 250, () => askNames(context)),
    repeat(context, 'holds of payees', 60_000, () => endPassedHolds(db)),
    repeat(context, 'due cases', 60_000, () => tellOfDueCases(db)),
    repeat(context, 'decisions that wait', 60_000, () => remindOfDecisions(context)),
    repeat(context, 'builds to admit', 60_000, () => tellOfWaitingBuilds(context)),
    repeat(context, 'errors of modules', 300_000, () => tellOfRises(context)),
    repeat(context, 'mails of the day', 60_000, () => sendDigests(context)),
    repeat(context, 'approved erasures', 3_000, async () => {
      await eraseApproved(context)
    }),
    repeat(context, 'old data', 60_000, () => tidy(context)),
    repeat(context, 'old reports', 3_600_000, () => forgetReports(db)),
    repeat(context, 'steps of the registry', 5_000, () => recordAllLeftSteps(context)),
    repeat(context, 'keys of records', 5_000, keyLiveRecords(context)),
    repeat(context, 'old sandboxes', 3_600_000, () => forgetSandboxes(db)),
    repeat(context, 'old counted reports', 3_600_000, () => forgetCountedReports(db)),
    repeat(context, 'lost imports', 5_000, () => endLostImports(db)),
    repeat(context, 'lost exports', 5_000, () => failLostExports(context)),
    repeat(context, 'lost statements', 5_000, () => failLostStatements(db)),
    repeat(context, 'old exports', 3_600_000, () => dropOldExports(context)),
    repeat(context, 'temporary files', 3_600_000, async () => {
      await storage.sweep()
    }),
  ]
}
