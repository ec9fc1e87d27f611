import { moduleColumns } from '@portal/contracts/module-columns'
import { moduleNotices } from '@portal/contracts/module-notices'
import { moduleRecords } from '@portal/contracts/module-records'
import type { FastifyRequest } from 'fastify'
import { readBearer } from '../kit/bearer.ts'
import { transaction } from '../kit/db.ts'
import { startExport } from '../kit/exports.ts'
import { conflict } from '../kit/refusals.ts'
import { type App, serve } from '../kit/serve.ts'
import { admitted } from './keepers.service.ts'
import { say } from './messages.ts'
import { readColumns } from './module-columns.service.ts'
import { sendModuleNotice } from './module-notices.service.ts'
import { keyingOf } from './record-keys.service.ts'
import { conditions, listRecords, totalRecords } from './record-lists.service.ts'
import { askedExport, recordsExport } from './records.export.ts'
import { createRecord, removeRecord, updateRecord } from './records.service.ts'
import { findReferences } from './reference-search.service.ts'
import {
  createInSandbox,
  isOverridden,
  listSandbox,
  removeFromSandbox,
  sandboxOf,
  totalSandbox,
  updateInSandbox,
} from './sandboxes.service.ts'
import { openShelf } from './shelves.ts'

/**
 * The records that modules keep in the portal, for people and for servers with a token of the module. A browser that takes the
 * module from a developer's machine gets those of its sandbox.
 */
export function recordRoutes(app: App) {
  const orServer = {
    orServer: (request: FastifyRequest) => readBearer(app.db, request, 'module_tokens', say.token),
  }
  serve(
    app,
    moduleRecords.list,
    async (call) => {
      const { db, params, query } = call
      const sandbox = await sandboxOf(call, params, 'read')
      if (sandbox) return listSandbox(db, call.actor, sandbox, query)
      return listRecords(db, await admitted(call, params, 'read'), params, query)
    },
    orServer,
  )
  serve(
    app,
    moduleRecords.totals,
    async (call) => {
      const { db, params, query } = call
      const sandbox = await sandboxOf(call, params, 'read')
      if (sandbox) return totalSandbox(db, sandbox, query)
      return totalRecords(db, params, (await admitted(call, params, 'read')).keying, query)
    },
    orServer,
  )
  serve(app, moduleRecords.references, async (call) => {
    const { db, registry, actor, params, query } = call
    const sandbox = await sandboxOf(call, params, 'either')
    const { asking } = sandbox
      ? { asking: sandbox.declared }
      : await openShelf(registry, actor, params, 'either')
    return findReferences(db, actor, asking, params.field, query)
  })
  serve(app, moduleRecords.export, async (call) => {
    const { db, registry, actor, locale, params, body } = call
    if (isOverridden(call, params.module)) throw conflict(say.sandboxNotExported)
    const opened = await openShelf(registry, actor, params, 'read')
    const asked = { asking: opened.asking, reads: opened.allowed }
    // What the collection does not declare is refused now, and not in the worker.
    await conditions(db, params, keyingOf(opened.builds, opened.asking), body)
    const base = `${params.module.slice(4)}-${params.collection}`
    return transaction(db, (tx) =>
      startExport(tx, actor, locale, recordsExport, askedExport(actor, params, asked, body), base),
    )
  })
  serve(
    app,
    moduleRecords.create,
    async (call) => {
      const { db, params, body } = call
      const sandbox = await sandboxOf(call, params, 'write')
      if (sandbox)
        return { message: say.recordSaved, record: await createInSandbox(db, call.actor, sandbox, body.data) }
      const { by, keying } = await admitted(call, params, 'write')
      return { message: say.recordSaved, record: await createRecord(call, by, params, keying, body.data) }
    },
    orServer,
  )
  serve(
    app,
    moduleRecords.update,
    async (call) => {
      const { db, params, body } = call
      const { id, ...shelf } = params
      const sandbox = await sandboxOf(call, shelf, 'write')
      if (sandbox)
        return { message: say.recordSaved, record: await updateInSandbox(db, call.actor, sandbox, id, body) }
      const { by, keying } = await admitted(call, shelf, 'write')
      return { message: say.recordSaved, record: await updateRecord(db, by, shelf, keying, { id, ...body }) }
    },
    orServer,
  )
  serve(
    app,
    moduleRecords.remove,
    async (call) => {
      const { db, params } = call
      const { id, ...shelf } = params
      const sandbox = await sandboxOf(call, shelf, 'write')
      if (sandbox) await removeFromSandbox(db, sandbox, id)
      else await removeRecord(db, (await admitted(call, shelf, 'write')).by, shelf, id)
      return { message: say.recordDeleted }
    },
    orServer,
  )
  serve(app, moduleColumns.read, async (call) => ({
    columns: await readColumns(call, call.actor, call.query, call.locale),
  }))
  serve(
    app,
    moduleNotices.send,
    async (call) => {
      // The records of a developer's sandbox are nobody's business.
      if (call.visitor && isOverridden(call, call.params.module))
        return { message: say.noticeOfSandbox, people: 0 }
      const people = await sendModuleNotice(call, call.params.module, call.body)
      return { message: people > 0 ? say.noticeSent(people) : say.noticeForNobody, people }
    },
    orServer,
  )
}
