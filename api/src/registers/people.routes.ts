import { parents } from '@portal/contracts/registers-parents'
import { partners } from '@portal/contracts/registers-partners'
import { students } from '@portal/contracts/registers-students'
import { teachers } from '@portal/contracts/registers-teachers'
import { takeImport } from '../imports/imports.service.ts'
import { transaction } from '../kit/db.ts'
import { startExport } from '../kit/exports.ts'
import { auditRead, auditSearch } from '../kit/reads.ts'
import { type App, serve } from '../kit/serve.ts'
import { text } from './messages.ts'
import { listParents, readParent, updateParent } from './parents.service.ts'
import { listPartners, readPartner, updatePartner } from './partners.service.ts'
import { studentsExport } from './registers.export.ts'
import { listStudents, readStudent, updateStudent } from './students.service.ts'
import { listTeachers } from './teachers.service.ts'

/** The calls on teachers, students, parents and partners. */
export function peopleRoutes(app: App) {
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

  serve(app, partners.list, ({ db, locale, query }) => listPartners(db, locale, query))
  serve(app, partners.read, async ({ db, params }) => ({ partner: await readPartner(db, params.id) }))
  serve(app, partners.update, async ({ db, actor, params, body }) => {
    await updatePartner(db, actor, params.id, body)
    return { message: text.partnerUpdated }
  })
  serve(app, partners.import, (call) =>
    takeImport(call, call.actor, {
      kind: 'partners',
      file: call.body.school_partners_file,
      review: call.query.review,
      headings: call.body.headings,
    }),
  )
}
