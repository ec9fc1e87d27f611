import { columnsOf } from '../field.ts'
import { column, sheet } from '../imports/sheet.ts'
import { schoolCode } from './person-columns.ts'
import { teacherFields } from './teachers.fields.ts'

const classes = column({
  label: { en: 'Classes', fr: 'Classes' },
  headings: ['class', 'classe'],
  many: true,
  example: ['7; 8', '4 A'],
  help: {
    en: 'Names of classes of that school, semicolons between them: all that the teacher has.',
    fr: 'Noms de classes de cet établissement, séparés par des points-virgules : toutes celles de l’enseignant.',
  },
})

const { start_date, employment_type, ...person } = columnsOf(teacherFields)
/** Teachers, known in their school by e-mail, or by phone where they have none. */
export const teachersSheet = sheet({
  name: 'teachers',
  field: 'school_teachers_file',
  title: { en: 'Teachers', fr: 'Enseignants' },
  columns: { admin_code: { ...schoolCode, key: true }, ...person, classes, start_date, employment_type },
})
