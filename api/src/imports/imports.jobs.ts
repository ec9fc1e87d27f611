import { type JobHandler, work } from '../kit/jobs/jobs.ts'
import type { Context } from '../kit/process/context.ts'
import { runImport } from './import-run.service.ts'
import { importJob, recordsImportJob } from './imports.service.ts'

/** Registers the jobs that run imports. Those of partners have a queue of their own, so that no list of the portal waits for them. */
export function workImports(context: Context) {
  const run: JobHandler<{ id: number }> = ({ id }, signal, last) => runImport(context, id, signal, last)
  work(importJob, run, 2)
  work(recordsImportJob, run)
}
