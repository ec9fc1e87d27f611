import { moduleRecords } from '@portal/contracts/module-records'
import { auditSearch } from '../kit/audit/reads.ts'
import { transaction } from '../kit/database/db.ts'
import { conflict } from '../kit/http/refusals.ts'
import { type App, serve } from '../kit/http/serve.ts'
import { startExport } from '../kit/jobs/exports.ts'
import { readChanges } from './changed-records.service.ts'
import { admitted, openFor, orServer } from './keepers.service.ts'
import { say } from './messages.ts'
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
  const forServers = orServer(app.db)
  readRoutes(app, forServers)
  writeRoutes(app, forServers)
}

type ForServers = ReturnType<typeof orServer>

function readRoutes(app: App, forServers: ForServers) {
  serve(
    app,
    moduleRecords.list,
    async (call) => {
      const { db, params, query } = call
      const opened = await openFor(call, params, 'read')
      if (opened.sandbox) return listSandbox(db, call.actor, opened.sandbox, query)
      const found = await listRecords(db, opened, params, query)
      await auditSearch(db, opened.by.author, 'module record', query.search, found.records, params)
      return found
    },
    forServers,
  )
  serve(
    app,
    moduleRecords.changes,
    async (call) => {
      const { db, settings, params, query } = call
      if (call.visitor && isOverridden(call, params.module)) throw conflict(say.sandboxHasNoChanges)
      const opened = await admitted(call, params, 'read')
      return readChanges(db, opened, params, query.since, settings.keepDays.deletions)
    },
    forServers,
  )
  serve(
    app,
    moduleRecords.totals,
    async (call) => {
      const { db, params, query } = call
      const opened = await openFor(call, params, 'read')
      if (opened.sandbox) return totalSandbox(db, opened.sandbox, query)
      return totalRecords(db, params, opened.keying, query)
    },
    forServers,
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
}

function writeRoutes(app: App, forServers: ForServers) {
  serve(
    app,
    moduleRecords.create,
    async (call) => {
      const { db, params, body } = call
      const opened = await openFor(call, params, 'write')
      const record = opened.sandbox
        ? await createInSandbox(db, call.actor, opened.sandbox, body.data)
        : await createRecord(call, opened.by, params, opened.keying, body.data)
      return { message: say.recordSaved, record }
    },
    forServers,
  )
  serve(
    app,
    moduleRecords.update,
    async (call) => {
      const { db, params, body } = call
      const { id, ...shelf } = params
      const opened = await openFor(call, shelf, 'write')
      const record = opened.sandbox
        ? await updateInSandbox(db, call.actor, opened.sandbox, id, body)
        : await updateRecord(db, opened.by, shelf, opened.keying, { id, ...body })
      return { message: say.recordSaved, record }
    },
    forServers,
  )
  serve(
    app,
    moduleRecords.remove,
    async (call) => {
      const { db, params } = call
      const { id, ...shelf } = params
      const opened = await openFor(call, shelf, 'write')
      if (opened.sandbox) await removeFromSandbox(db, opened.sandbox, id)
      else await removeRecord(db, opened.by, shelf, id)
      return { message: say.recordDeleted }
    },
    forServers,
  )
}
