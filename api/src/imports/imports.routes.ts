import { imports } from '@portal/contracts/imports'
import { storage } from '@portal/contracts/storage'
import { writeRejected } from '../excel/rejected.ts'
import { FileAnswer, xlsxType } from '../kit/files.ts'
import { auditRead } from '../kit/reads.ts'
import { fileDropped, forbidden } from '../kit/refusals.ts'
import { type App, serve } from '../kit/serve.ts'
import {
  checkAgain,
  confirmImport,
  findStudents,
  listGroups,
  listRows,
  undoLast,
} from './import-review.service.ts'
import {
  cancelImport,
  importDomain,
  listImports,
  readImport,
  readTask,
  rememberedHeadings,
  seenBy,
} from './imports.service.ts'
import { text } from './messages.ts'
import { rejectedRows } from './rejected-rows.service.ts'
import { readSample } from './samples.service.ts'

/** The calls on imports. Their permission is that of the import's kind. */
export function importRoutes(app: App) {
  serve(app, imports.list, async ({ db, actor, locale, query }) => ({
    imports: await listImports(db, actor, locale, query),
  }))
  serve(app, imports.headings, async ({ db, actor, query }) => ({
    headings: await rememberedHeadings(db, actor, query.kind),
  }))
  serve(app, imports.read, async ({ db, actor, locale, params }) => ({
    import: await readImport(db, actor, locale, params.id),
  }))
  serve(app, imports.rows, async ({ db, actor, locale, params, query }) => ({
    rows: await listRows(db, actor, locale, params.id, query),
  }))
  serve(app, imports.groups, async ({ db, actor, locale, params }) => ({
    groups: await listGroups(db, actor, locale, params.id),
  }))
  serve(app, imports.students, ({ db, actor, params, query }) =>
    findStudents(db, actor, params.id, query.search),
  )
  serve(app, imports.check, async (call) => {
    await checkAgain(call, call.actor, call.params.id, call.body)
    return {
      message: text.checked,
      import: await readImport(call.db, call.actor, call.locale, call.params.id),
    }
  })
  serve(app, imports.undo, async (call) => {
    await undoLast(call, call.actor, call.params.id)
    return {
      message: text.undone,
      import: await readImport(call.db, call.actor, call.locale, call.params.id),
    }
  })
  serve(app, imports.confirm, async (call) => {
    await confirmImport(call, call.actor, call.params.id, call.body)
    return {
      message: text.confirmed,
      import: await readImport(call.db, call.actor, call.locale, call.params.id),
    }
  })
  serve(app, imports.cancel, async ({ db, actor, params }) => {
    await cancelImport(db, actor, params.id)
    return { message: text.cancelled }
  })
  serve(app, imports.file, async ({ db, storage, actor, params }) => {
    const task = await readTask(db, actor, params.id)
    // The file contains sensitive columns, and its sender may have lost the right to them (Imports 3.6).
    if (task.params.sensitive && !actor.can('students.sensitive')) throw forbidden()
    if (task.dropped) throw fileDropped()
    await auditRead(db, actor, 'downloaded', 'import', task.id)
    return new FileAnswer(await storage.read(task.file_key), task.file_name, 'application/octet-stream')
  })
  serve(app, storage.sample, (call) => readSample(call, call.actor, call.locale, call.params.file_name))
  serve(app, imports.rejected, async ({ db, storage, actor, locale, params }) => {
    const task = await readTask(db, actor, params.id)
    const sheet = await importDomain(task.kind).sheet(db, seenBy(actor, task), task.id)
    const content = await storage.once((path) =>
      writeRejected(path, sheet, locale, rejectedRows(db, task.id, sheet)),
    )
    await auditRead(db, actor, 'downloaded', 'import', task.id, { rejected: true })
    return new FileAnswer(content, `rejected-${task.id}.xlsx`, xlsxType)
  })
}
