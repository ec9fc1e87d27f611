import * as v from 'valibot'
import { endpoint } from './endpoint.ts'

/** How far a file is that a job writes; its total is 0 until it is known. */
export const FileProgress = v.object({ rows_done: v.number(), rows_total: v.number() })
export type FileProgress = v.InferOutput<typeof FileProgress>

/** The storage path: files behind a session, for whoever may have them. */
export const storage = {
  /** 202 with the progress until the export is written, then the file; only for whoever asked for it, 24 h. */
  exported: endpoint({
    method: 'GET',
    path: '/storage/exports/:file_name',
    access: 'session',
    answer: FileProgress,
  }),
  sample: endpoint({
    method: 'GET',
    path: '/storage/samples/:file_name',
    access: 'session',
    answer: v.unknown(),
  }),
}
