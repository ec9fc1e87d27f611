import type { FieldWords } from './audit.ts'
import type { Fields } from './field.ts'
import { parentFields } from './parents.fields.ts'
import { partnerFields } from './partners.fields.ts'
import { schoolFields } from './schools.fields.ts'
import { studentFields } from './students.fields.ts'
import { teacherFields } from './teachers.fields.ts'
import { accountFields } from './users.fields.ts'

/** The fields of what is audited, by its type. Read by the server, which gives their words to the page. */
export const auditedFields: Record<string, Fields> = {
  parent: parentFields,
  partner: partnerFields,
  school: schoolFields,
  student: studentFields,
  teacher: teacherFields,
  user: accountFields,
}

/** Labels and closed lists of all audited fields, by type and field. */
export const auditWords: Record<string, Record<string, FieldWords>> = Object.fromEntries(
  Object.entries(auditedFields).map(([type, fields]) => [
    type,
    Object.fromEntries(
      Object.entries(fields).map(([name, { label, closed }]) => {
        const values = Object.entries(closed ?? {}).map(([code, { en, fr }]) => [code, { en, fr }])
        return [name, { label, values: Object.fromEntries(values) }]
      }),
    ),
  ]),
)
