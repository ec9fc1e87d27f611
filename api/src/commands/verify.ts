import { sql } from 'kysely'
import { verifyAudits } from '../kit/audit/audit-chain.ts'
import { verifyCheckpoints } from '../kit/audit/audit-checkpoints.ts'
import { auditEnd } from '../kit/audit/audit-end.ts'
import { findOrphans, verifyFiles } from '../kit/files/stored-files.ts'
import type { Context } from '../kit/process/context.ts'
import { readSettings } from '../kit/process/settings.ts'
import { verifyCountedStudents } from '../registers/counted-students.service.ts'
import { verifyReportSums } from '../sync/reports-by-class.service.ts'
import { verifyLedger } from '../transfers/ledger/ledger-check.service.ts'
import { withContext } from './connected.ts'
import { runCommand } from './run-command.ts'

type Finding = { says: string; faults: string[] }

/** The checks in the order in which they are printed. None of them writes anything. */
const checks: Record<string, (context: Context) => Promise<Finding>> = {
  async 'audit log'({ db, settings }) {
    const kept = await auditEnd.read(settings)
    const known = kept.kind === 'read' ? kept.value : undefined
    const { linked, unlinked, fault } = await verifyAudits(db, settings.secret, known)
    const misplaced = await verifyCheckpoints(db)
    const compared = known ? ', compared with the end that the worker keeps outside of the database' : ''
    return {
      says: `${linked} linked rows, ${unlinked} not linked yet${compared}`,
      faults: [fault, misplaced].filter((each) => each !== null),
    }
  },
  async ledger({ db }) {
    const { lists, payments, events, faults } = await verifyLedger(db)
    return { says: `${lists} approved lists, ${payments} payments, ${events} events`, faults }
  },
  async 'counts of girls'({ db }) {
    const { students, faults } = await verifyCountedStudents(db)
    return { says: `${students} students compared with the counts of target lists`, faults }
  },
  async 'sums of attendance'({ db }) {
    const { sums, faults } = await verifyReportSums(db)
    return { says: `${sums} sums by class and month compared with the reports`, faults }
  },
  async files(context) {
    const { files, faults } = await verifyFiles(context)
    const { orphans } = await findOrphans(context, context.settings.keepDays.orphans)
    return {
      says: `${files} files compared with their hashes, ${orphans.length} old ones without a row`,
      faults,
    }
  },
  async sending({ db }) {
    const { rows } = await sql<{ reasons: string }>`
      select array_to_string(reasons, ', ') as reasons from sending_holds where released_at is null`.execute(
      db,
    )
    const reasons = rows[0]?.reasons
    return {
      says: reasons ? `held until a person releases it (${reasons})` : 'not held',
      faults: [],
    }
  },
}

/**
 * npm run verify: verifies audit log, ledger, counts of girls, sums of attendance and stored files, and says whether sending is held. For the time after a
 * restore, and for every night. It prints each fault, and exits with 1 if there is one.
 */
async function run() {
  await withContext(readSettings(process.env), 'portal-verify', async (context) => {
    for (const [name, check] of Object.entries(checks)) {
      const started = performance.now()
      const { says, faults } = await check(context)
      const seconds = ((performance.now() - started) / 1000).toFixed(1)
      if (faults.length > 0) {
        process.exitCode = 1
        console.error(`${name}: does not hold\n${faults.map((fault) => `- ${fault}`).join('\n')}`)
      } else console.log(`${name}: ${name === 'sending' ? '' : 'holds, '}${says} (${seconds} s)`)
    }
  })
}

await runCommand(run)
