import { moduleRecords, type RecordSheet } from '@portal/contracts/module-records'
import { recordSheet } from '@portal/contracts/record-sheet'
import { writeSample } from '../excel/sample.ts'
import { readTask, takeImport } from '../imports/imports.service.ts'
import { FileAnswer, xlsxType } from '../kit/files/files.ts'
import { conflict, invalid, notFound } from '../kit/http/refusals.ts'
import { type App, type Call, serve } from '../kit/http/serve.ts'
import type { Actor } from '../kit/http/session.ts'
import { liveModule } from './live-modules.ts'
import { say } from './messages.ts'
import { admitImport, type ImportParams, importedBefore, importParams } from './records.import.ts'
import { isOverridden } from './sandboxes.service.ts'
import type { Declared, Shelf } from './shelves.ts'

type Asking = Call & { actor: Actor; params: Shelf }

/** What a person needs to import records from Excel, and the upload. The rest are the calls of all imports. */
export function recordImportRoutes(app: App) {
  serve(app, moduleRecords.importing, async (call) => {
    const { params, query, registry } = call
    const asking = await admitted(call)
    const declared = query.import ? await startedAs(call, query.import) : asking
    const label = (await liveModule(registry, params.module))?.title ?? { en: '', fr: '' }
    const sheet = recordSheet(params.module, declared) as RecordSheet
    return { sheet, back: { to: asking.import ?? '/home', label } }
  })
  serve(app, moduleRecords.sample, async (call) => {
    const { storage, locale, params } = call
    const sheet = recordSheet(params.module, await admitted(call))
    const content = await storage.once((path) => writeSample(path, sheet, locale))
    return new FileAnswer(content, `${sheet.name}.xlsx`, xlsxType)
  })
  serve(app, moduleRecords.import, async (call) => {
    const { db, actor, params, query, body } = call
    const asking = await admitted(call)
    const file = body.records_file
    const before = await importedBefore(db, params, file.sha256.toString('hex'))
    if (before) throw invalid({ records_file: before })
    return takeImport(call, actor, {
      kind: 'module-records',
      file,
      review: query.review,
      headings: body.headings,
      params: importParams(actor, params, asking),
    })
  })
}

/** How the collection is declared, for whoever may import into it. */
async function admitted(call: Asking): Promise<Declared> {
  if (isOverridden(call, call.params.module)) throw conflict(say.sandboxNotImported)
  return admitImport(call, call.actor, call.params)
}

/** How the collection was declared when an import was uploaded: its rows were read by that. */
async function startedAs(call: Asking, importId: number): Promise<Declared> {
  const task = await readTask(call, call.actor, importId)
  const { module, collection, asking } = task.params as ImportParams
  if (module !== call.params.module || collection !== call.params.collection || !asking) throw notFound()
  return asking
}
