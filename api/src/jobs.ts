import { exportJob } from './kit/exports.ts'

/** Every job queue there is: `migrate` makes them, so that a job can wait before any worker ran. */
export const jobNames = [exportJob, 'mail', 'import'] as const
