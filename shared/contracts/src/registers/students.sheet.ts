import { columnsOf } from '../field.ts'
import { type Column, column, type Sheet, sheet } from '../imports/sheet.ts'
import { schoolCode } from './person-columns.ts'
import { sensitiveFields, studentFields } from './students.fields.ts'

/** What a file says by the codes and names of others. */
const links = {
  admin_code: schoolCode,
  class: column({
    label: studentFields.class_id.label,
    headings: ['class name', 'nom de la classe'],
    example: ['7', '8'],
    help: { en: 'Name of a class of that school.', fr: 'Nom d’une classe de cet établissement.' },
  }),
  parents: column({
    label: { en: 'Guardian codes', fr: 'Codes des tuteurs' },
    headings: [
      'guardian',
      'guardians',
      'parent',
      'parent code',
      'tuteur',
      'code du parent',
      'code du tuteur',
    ],
    kind: 'code',
    many: true,
    example: ['P-KYG-00001', 'P-KYG-00001; P-KYG-00002'],
    help: {
      en: 'Codes of guardians that the portal knows, semicolons between them: all that she has.',
      fr: 'Codes de tuteurs connus du portail, séparés par des points-virgules : tous les siens.',
    },
  }),
}

const { student_code, first_name, last_name, gender, date_of_birth, ...rest } = columnsOf(studentFields)
const all = sheet({
  name: 'students',
  field: 'school_students_file',
  title: { en: 'Students', fr: 'Élèves' },
  columns: { student_code, first_name, last_name, gender, date_of_birth, ...links, ...rest },
})

/** Columns of a students' sheet. */
export type StudentColumn = keyof typeof all.columns

/** Students, known by their code; sensitive columns only for who may see them, in other files they are left alone. */
export function studentsSheet(sensitive: boolean): Sheet<StudentColumn> {
  if (sensitive) return all
  const columns = Object.entries(all.columns).filter(
    ([key]) => !(sensitiveFields as readonly string[]).includes(key),
  )
  return { ...all, columns: Object.fromEntries(columns) as Record<StudentColumn, Column> }
}
