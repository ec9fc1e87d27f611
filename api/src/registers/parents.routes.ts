import { parents } from '@portal/contracts/registers-parents'
import { takeImport } from '../imports/imports.service.ts'
import { auditRead, auditSearch } from '../kit/audit/reads.ts'
import { type App, serve } from '../kit/http/serve.ts'
import { text } from './messages.ts'
import { listParents, readParent, updateParent } from './parents.service.ts'

/** The calls on parents. */
export function parentRoutes(app: App) {
  serve(app, parents.list, async ({ db, actor, query }) => {
    const found = await listParents(db, query)
    await auditSearch(db, actor, 'parent', query.search, found.parents)
    return found
  })
  serve(app, parents.read, async ({ db, actor, params }) => {
    const parent = await readParent(db, params.id)
    await auditRead(db, actor, 'opened', 'parent', params.id)
    return { parent }
  })
  serve(app, parents.update, async ({ db, actor, params, body }) => {
    await updateParent(db, actor, params.id, body)
    return { message: text.parentUpdated }
  })
  serve(app, parents.import, (call) =>
    takeImport(call, call.actor, {
      kind: 'parents',
      file: call.body.school_parents_file,
      review: call.query.review,
      headings: call.body.headings,
    }),
  )
}
