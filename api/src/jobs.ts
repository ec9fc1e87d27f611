import { resetJob } from './access/password-links.service.ts'
import { mailJob } from './home/mail.service.ts'
import { importJob, recordsImportJob } from './imports/imports.service.ts'
import { exportJob } from './kit/jobs/exports.ts'
import { messagesJob } from './sync/incoming.service.ts'
import { reportJob } from './transfers/report/counted-reports.service.ts'
import { statementJob } from './transfers/statements/statement-upload.service.ts'

/** All job queues. `migrate` creates them, so that jobs can be queued before the first worker has started. */
export const jobNames = [
  exportJob,
  mailJob,
  resetJob,
  importJob,
  recordsImportJob,
  messagesJob,
  statementJob,
  reportJob,
] as const
