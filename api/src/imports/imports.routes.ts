import { imports } from '@portal/contracts/imports'
import { createReadStream } from 'node:fs'
import { writeRejected } from '../excel/rejected.ts'
import { FileAnswer, xlsxType } from '../kit/files.ts'
import { type App, serve } from '../kit/serve.ts'
import { cancelImport, cancelled, importDomain, listImports, readImport, readTask } from './imports.service.ts'
import { rejectedRows } from './rejected-rows.service.ts'

/** The calls of decisions section 2 on imports; the permission is that of the import's kind. */
export function importRoutes(app: App) {
  serve(app, imports.list, async ({ db, actor, locale, query }) => ({ imports: await listImports(db, actor, locale, query) }))
  serve(app, imports.read, async ({ db, actor, locale, params }) => ({ import: await readImport(db, actor, locale, params.id) }))
  serve(app, imports.cancel, async ({ db, actor, params }) => {
    await cancelImport(db, actor, params.id)
    return { message: cancelled }
  })
  serve(app, imports.file, async ({ db, storage, actor, params }) => {
    const task = await readTask(db, actor, params.id)
    return new FileAnswer(storage.read(task.file_key), task.file_name, 'application/octet-stream')
  })
  serve(app, imports.rejected, async ({ db, storage, actor, locale, params }) => {
    const task = await readTask(db, actor, params.id)
    const sheet = await importDomain(task.kind).sheet(db, task)
    const path = await storage.temp()
    await writeRejected(path, sheet, locale, rejectedRows(db, task.id, await storage.path(task.file_key), sheet))
    return new FileAnswer(createReadStream(path), `rejected-${task.id}.xlsx`, xlsxType)
  })
}
