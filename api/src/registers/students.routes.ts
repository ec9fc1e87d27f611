import { students } from '@portal/contracts/registers-students'
import { takeImport } from '../imports/imports.service.ts'
import { auditRead, auditSearch } from '../kit/audit/reads.ts'
import { transaction } from '../kit/database/db.ts'
import { type App, serve } from '../kit/http/serve.ts'
import { startExport } from '../kit/jobs/exports.ts'
import { text } from './messages.ts'
import { studentsExport } from './registers.export.ts'
import { listStudents, readStudent, updateStudent } from './students.service.ts'

/** The calls on students, whose sensitive fields need a permission of their own. */
export function studentRoutes(app: App) {
  serve(app, students.list, async ({ db, actor, query }) => {
    const found = await listStudents(db, actor, query)
    await auditSearch(db, actor, 'student', query.search, found.students)
    return found
  })
  serve(app, students.read, async ({ db, actor, params }) => {
    const student = await readStudent(db, actor, params.id)
    await auditRead(db, actor, 'opened', 'student', params.id)
    return { student }
  })
  serve(app, students.update, async ({ db, actor, params, body }) => {
    await updateStudent(db, actor, params.id, body)
    return { message: text.studentUpdated }
  })
  serve(app, students.import, (call) =>
    takeImport(call, call.actor, {
      kind: 'students',
      file: call.body.school_students_file,
      review: call.query.review,
      headings: call.body.headings,
      params: { sensitive: call.actor.can('students.sensitive') },
    }),
  )
  serve(app, students.export, ({ db, actor, locale, body }) =>
    transaction(db, (tx) => {
      const sensitive = actor.can('students.sensitive')
      return startExport(tx, actor, locale, studentsExport, { ...body, sensitive }, 'students')
    }),
  )
}
