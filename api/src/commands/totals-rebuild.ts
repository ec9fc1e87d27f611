import { rebuildCheckpoints } from '../kit/audit/audit-checkpoints.ts'
import { readSettings } from '../kit/process/settings.ts'
import { recountStudents } from '../registers/counted-students.service.ts'
import { recountReports } from '../sync/reports-by-class.service.ts'
import { rebuildPaymentTotals } from '../transfers/ledger/payment-totals.service.ts'
import { withDatabase } from './connected.ts'
import { runCommand } from './run-command.ts'

/** npm run totals:rebuild: counts the payments of the home page again, by CAP, cohort and month, the entries of the audit log, the girls of target lists, and their attendance. */
async function run() {
  const { payments, amount } = await withDatabase(readSettings(process.env), 1, async (db) => {
    await rebuildCheckpoints(db)
    await recountStudents(db)
    await recountReports(db)
    return rebuildPaymentTotals(db)
  })
  console.log(`The totals were counted again: ${payments} payments arrived, ${amount} francs.`)
}

await runCommand(run)
