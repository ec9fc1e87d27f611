import { schools } from '@portal/contracts/registers'
import { takeImport } from '../imports/imports.service.ts'
import { auditSearch } from '../kit/audit/reads.ts'
import { transaction } from '../kit/database/db.ts'
import { type App, serve } from '../kit/http/serve.ts'
import { startExport } from '../kit/jobs/exports.ts'
import { text } from './messages.ts'
import { schoolsExport } from './registers.export.ts'
import {
  findSchools,
  listClasses,
  listSchools,
  readPeople,
  readSchool,
  updateSchool,
} from './schools.service.ts'

/** The calls on schools. */
export function schoolRoutes(app: App) {
  serve(app, schools.list, ({ db, query }) => listSchools(db, query))
  serve(app, schools.read, async ({ db, params }) => ({ school: await readSchool(db, params.id) }))
  serve(app, schools.update, async ({ db, actor, params, body }) => {
    await updateSchool(db, actor, params.id, body)
    return { message: text.schoolUpdated }
  })
  serve(app, schools.people, async ({ db, actor, params, query }) => {
    const found = await readPeople(db, actor, params.id, query)
    const people = found.user_type === 'teacher' ? found.teacher : found.student
    await auditSearch(db, actor, query.type, query.search, people)
    return found
  })
  serve(app, schools.options, ({ db, query }) => findSchools(db, query))
  serve(app, schools.classes, ({ db, params }) => listClasses(db, params.id))
  serve(app, schools.import, (call) =>
    takeImport(call, call.actor, {
      kind: 'schools',
      file: call.body.schools_file,
      review: call.query.review,
      headings: call.body.headings,
    }),
  )
  serve(app, schools.export, ({ db, actor, locale, body }) =>
    transaction(db, (tx) => startExport(tx, actor, locale, schoolsExport, body, 'schools')),
  )
}
