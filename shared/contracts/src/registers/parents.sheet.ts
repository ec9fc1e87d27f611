import { columnsOf } from '../field.ts'
import { column, sheet } from '../imports/sheet.ts'
import { parentFields } from './parents.fields.ts'
import { gender } from './person-columns.ts'

const students = column({
  label: { en: 'Affiliated students', fr: 'Élèves rattachés' },
  headings: [
    'students',
    'student codes',
    'student code',
    'children',
    'élèves',
    'codes des élèves',
    'code élève',
    'enfants',
  ],
  kind: 'code',
  many: true,
  example: ['KYG-1001', 'KYG-1002; KYG-1003'],
  help: {
    en: 'Codes of students that the portal knows, semicolons between them: all in this care.',
    fr: 'Codes d’élèves connus du portail, séparés par des points-virgules : tous ceux à charge.',
  },
})

const { parent_assigned_id, first_name, last_name, contact_1, contact_2, ...rest } = columnsOf(parentFields)
/** Guardians, known by their code. */
export const parentsSheet = sheet({
  name: 'parents',
  field: 'school_parents_file',
  title: { en: 'Parents', fr: 'Parents' },
  // A file may say the gender; no form asks for it.
  columns: { parent_assigned_id, first_name, last_name, gender, contact_1, contact_2, students, ...rest },
})
