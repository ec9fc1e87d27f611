import type { Context } from '../kit/context.ts'
import { work } from '../kit/jobs.ts'
import { runImport } from './import-run.service.ts'
import { importJob } from './imports.service.ts'

/** Registers the job that runs imports, two at a time. */
export function workImports(context: Context) {
  work<{ id: number }>(importJob, (data, signal, last) => runImport(context, data.id, signal, last), 2)
}
