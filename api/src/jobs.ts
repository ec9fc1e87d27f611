import { resetJob } from './access/password-links.service.ts'
import { mailJob } from './home/mail.service.ts'
import { importJob } from './imports/imports.service.ts'
import { exportJob } from './kit/exports.ts'
import { messagesJob } from './sync/incoming.service.ts'

/** Every job queue there is: `migrate` makes them, so that a job can wait before any worker ran. */
export const jobNames = [exportJob, mailJob, resetJob, importJob, messagesJob] as const
