import { teachers } from '@portal/contracts/registers-teachers'
import { takeImport } from '../imports/imports.service.ts'
import { auditSearch } from '../kit/audit/reads.ts'
import { type App, serve } from '../kit/http/serve.ts'
import { listTeachers } from './teachers.service.ts'

/** The calls on teachers. */
export function teacherRoutes(app: App) {
  serve(app, teachers.list, async ({ db, actor, query }) => {
    const found = await listTeachers(db, query)
    await auditSearch(db, actor, 'teacher', query.search, found.teachers)
    return found
  })
  serve(app, teachers.import, (call) =>
    takeImport(call, call.actor, {
      kind: 'teachers',
      file: call.body.school_teachers_file,
      review: call.query.review,
      headings: call.body.headings,
    }),
  )
}
