import { moduleRecords } from '@portal/contracts/module-records'
import { type App, serve } from '../kit/serve.ts'
import { say } from './messages.ts'
import { listRecords, totalRecords } from './record-lists.service.ts'
import { admitTo, createRecord, removeRecord, updateRecord } from './records.service.ts'
import {
  admitToSandbox,
  createInSandbox,
  isOverridden,
  listSandbox,
  removeFromSandbox,
  totalSandbox,
  updateInSandbox,
} from './sandboxes.service.ts'

/**
 * The records that modules keep in the portal. A browser that takes the module from a developer's machine gets those of its
 * sandbox.
 */
export function recordRoutes(app: App) {
  serve(app, moduleRecords.list, async (call) => {
    const { db, registry, actor, params, query } = call
    if (isOverridden(call, params.module))
      return listSandbox(db, await admitToSandbox(db, actor, params, 'read'), query)
    return listRecords(db, params, await admitTo(registry, actor, params, 'read'), query)
  })
  serve(app, moduleRecords.totals, async (call) => {
    const { db, registry, actor, params, query } = call
    if (isOverridden(call, params.module))
      return totalSandbox(db, await admitToSandbox(db, actor, params, 'read'), query)
    return totalRecords(db, params, await admitTo(registry, actor, params, 'read'), query)
  })
  serve(app, moduleRecords.create, async (call) => {
    const { db, registry, actor, params, body } = call
    const record = isOverridden(call, params.module)
      ? await createInSandbox(db, await admitToSandbox(db, actor, params, 'write'), body.data)
      : await createRecord(db, actor, params, await admitTo(registry, actor, params, 'write'), body.data)
    return { message: say.recordSaved, record }
  })
  serve(app, moduleRecords.update, async (call) => {
    const { db, registry, actor, params, body } = call
    const { id, ...shelf } = params
    const record = isOverridden(call, params.module)
      ? await updateInSandbox(db, await admitToSandbox(db, actor, shelf, 'write'), id, body)
      : await updateRecord(db, actor, shelf, await admitTo(registry, actor, shelf, 'write'), { id, ...body })
    return { message: say.recordSaved, record }
  })
  serve(app, moduleRecords.remove, async (call) => {
    const { db, registry, actor, params } = call
    const { id, ...shelf } = params
    if (isOverridden(call, params.module))
      await removeFromSandbox(db, await admitToSandbox(db, actor, shelf, 'write'), id)
    else {
      await admitTo(registry, actor, shelf, 'write')
      await removeRecord(db, actor, shelf, id)
    }
    return { message: say.recordDeleted }
  })
}
