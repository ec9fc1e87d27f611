import { imports } from '@portal/contracts/imports'
import { storage } from '@portal/contracts/storage'
import { writeRejected } from '../excel/rejected.ts'
import { auditRead } from '../kit/audit/reads.ts'
import { FileAnswer, xlsxType } from '../kit/files/files.ts'
import { fileDropped, forbidden } from '../kit/http/refusals.ts'
import { type App, serve } from '../kit/http/serve.ts'
import { importDomain } from './import-domains.service.ts'
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
  serve(app, imports.list, async (call) => ({
    imports: await listImports(call, call.actor, call.locale, call.query),
  }))
  serve(app, imports.headings, async (call) => ({
    headings: await rememberedHeadings(call, call.actor, call.query),
  }))
  serve(app, imports.read, async (call) => ({
    import: await readImport(call, call.actor, call.locale, call.params.id),
  }))
  serve(app, imports.rows, async (call) => ({
    rows: await listRows(call, call.actor, call.locale, call.params.id, call.query),
  }))
  serve(app, imports.groups, async (call) => ({
    groups: await listGroups(call, call.actor, call.locale, call.params.id),
  }))
  serve(app, imports.students, (call) => findStudents(call, call.actor, call.params.id, call.query.search))
  serve(app, imports.check, async (call) => {
    await checkAgain(call, call.actor, call.params.id, call.body)
    return {
      message: text.checked,
      import: await readImport(call, call.actor, call.locale, call.params.id),
    }
  })
  serve(app, imports.undo, async (call) => {
    await undoLast(call, call.actor, call.params.id)
    return {
      message: text.undone,
      import: await readImport(call, call.actor, call.locale, call.params.id),
    }
  })
  serve(app, imports.confirm, async (call) => {
    await confirmImport(call, call.actor, call.params.id, call.body)
    return {
      message: text.confirmed,
      import: await readImport(call, call.actor, call.locale, call.params.id),
    }
  })
  serve(app, imports.cancel, async (call) => {
    await cancelImport(call, call.actor, call.params.id)
    return { message: text.cancelled }
  })
  serve(app, imports.file, async (call) => {
    const { db, storage, actor, params } = call
    const task = await readTask(call, actor, params.id)
    // The file may contain sensitive columns, also if its sender may not change them, and she may have lost the right to them
    // (Imports 3.6). Her own file says nothing new to her.
    const { sensitive } = task.params
    const isPlainOwn = sensitive === false && task.user_id === actor.id
    if (sensitive !== undefined && !isPlainOwn && !actor.can('students.sensitive')) throw forbidden()
    if (task.dropped) throw fileDropped()
    await auditRead(db, actor, 'downloaded', 'import', task.id)
    return new FileAnswer(await storage.read(task.file_key), task.file_name, 'application/octet-stream')
  })
  serve(app, storage.sample, (call) => readSample(call, call.actor, call.locale, call.params.file_name))
  serve(app, imports.rejected, async (call) => {
    const { db, storage, actor, locale, params } = call
    const task = await readTask(call, actor, params.id)
    const sheet = await importDomain(task.kind).sheet(db, seenBy(actor, task), task.id)
    const content = await storage.once((path) =>
      writeRejected(path, sheet, locale, rejectedRows(db, task.id, sheet)),
    )
    await auditRead(db, actor, 'downloaded', 'import', task.id, { rejected: true })
    return new FileAnswer(content, `rejected-${task.id}.xlsx`, xlsxType)
  })
}
