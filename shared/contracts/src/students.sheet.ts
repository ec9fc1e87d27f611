import { maternalWords, severityWords } from './closed-lists.ts'
import { firstName, gender, lastName, schoolCode } from './person-columns.ts'
import { maternalStatuses, sensitiveFields, severities } from './registers-students.ts'
import { type Column, column, type Sheet, sheet } from './sheet.ts'

const severity = (en: string, fr: string): Column =>
  column({
    label: { en: `Difficulty: ${en}`, fr: `Difficulté : ${fr}` },
    headings: [en, fr, `disability ${en}`, `handicap ${fr}`],
    options: severities,
    words: severityWords,
    example: ['no_difficulty', 'some_difficulty'],
    help: {
      en: 'no difficulty, some difficulty, lot of difficulty or cannot do.',
      fr: 'aucune difficulté, quelques difficultés, beaucoup de difficultés ou incapable.',
    },
  })

const all = sheet({
  name: 'students',
  field: 'school_students_file',
  title: { en: 'Students', fr: 'Élèves' },
  columns: {
    student_code: column({
      label: { en: 'Student code', fr: 'Code de l’élève' },
      headings: ['code élève', 'student id', 'code étudiant', 'matricule élève', 'identifiant élève'],
      required: true,
      key: true,
      kind: 'code',
      example: ['KYG-1001', 'KYG-1002'],
      help: {
        en: 'The code by which she is known everywhere.',
        fr: 'Le code par lequel elle est connue partout.',
      },
    }),
    first_name: firstName,
    last_name: lastName,
    gender,
    date_of_birth: column({
      label: { en: 'Date of birth', fr: 'Date de naissance' },
      headings: ['birth date', 'born', 'né le', 'née le', 'naissance'],
      required: true,
      kind: 'date',
      past: true,
      example: ['03/02/2012', '25/11/2013'],
      help: { en: 'As a date or as dd/mm/yyyy.', fr: 'En date ou sous la forme jj/mm/aaaa.' },
    }),
    admin_code: schoolCode,
    class: column({
      label: { en: 'Class', fr: 'Classe' },
      headings: ['class name', 'nom de la classe'],
      example: ['7', '8'],
      help: { en: 'Name of a class of that school.', fr: 'Nom d’une classe de cet établissement.' },
    }),
    current_class_level: column({
      label: { en: 'Class level', fr: 'Niveau' },
      headings: [
        'level',
        'current class level',
        'grade',
        'niveau scolaire',
        'année d’étude',
        'niveau de classe',
      ],
      required: true,
      example: ['7', '8'],
      help: {
        en: 'A level that the portal knows: 1 to 12 in Mali, CI to TLE in Senegal.',
        fr: 'Un niveau connu du portail : 1 à 12 au Mali, CI à TLE au Sénégal.',
      },
    }),
    student_assigned_id: column({
      label: { en: 'Assigned ID', fr: 'Identifiant attribué' },
      headings: ['student assigned id', 'identifiant', 'matricule'],
      kind: 'code',
      example: ['ML-KYG-0001/1001', 'ML-KYG-0001/1002'],
      help: { en: 'Number that the school gave her.', fr: 'Numéro que l’établissement lui a donné.' },
    }),
    admission_number: column({
      label: { en: 'Admission number', fr: 'Numéro d’admission' },
      headings: ['admission', 'numéro d’inscription', 'n° d’inscription'],
      kind: 'code',
      example: ['2026-01001', ''],
      help: { en: 'Number of her admission.', fr: 'Numéro de son admission.' },
    }),
    academic_year: column({
      label: { en: 'Academic year', fr: 'Année scolaire' },
      headings: ['school year', 'année'],
      kind: 'year',
      example: ['2026-2027', '2026-2027'],
      help: { en: 'Two years: 2026-2027.', fr: 'Deux années : 2026-2027.' },
    }),
    start_date: column({
      label: { en: 'Enrolment', fr: 'Inscription' },
      headings: ['start date', 'enrolment date', 'date d’inscription', 'date d’entrée'],
      kind: 'date',
      past: true,
      example: ['01/10/2025', '05/10/2026'],
      help: { en: 'First day at that school.', fr: 'Premier jour dans cet établissement.' },
    }),
    language_spoken: column({
      label: { en: 'Language', fr: 'Langue' },
      headings: ['language spoken', 'langue parlée', 'langue maternelle'],
      example: ['bamanankan', 'soninke'],
      help: {
        en: 'A language that the portal knows, in either language.',
        fr: 'Une langue connue du portail, en français ou en anglais.',
      },
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
    maternal_status: column({
      label: { en: 'Maternal status', fr: 'Statut maternel' },
      headings: ['maternity', 'maternité'],
      options: maternalStatuses,
      words: maternalWords,
      example: ['none', 'mother'],
      help: { en: 'none, pregnant, mother or both.', fr: 'aucun, enceinte, mère ou les deux.' },
    }),
    disability_vision: severity('vision', 'vision'),
    disability_hearing: severity('hearing', 'audition'),
    disability_mobility: severity('mobility', 'mobilité'),
    disability_cognition: severity('cognition', 'cognition'),
    disability_selfcare: severity('self-care', 'soins personnels'),
    disability_communication: severity('communication', 'communication'),
    disability_other: severity('other', 'autre'),
  },
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
