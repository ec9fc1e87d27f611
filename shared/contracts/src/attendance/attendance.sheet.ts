import { column, sheet } from '../imports/sheet.ts'

const most = 10_000

/** A school's attendance of a day, a row for each class; teachers need to stand in one of the day's rows only. */
export const attendanceSheet = sheet({
  name: 'attendance',
  field: 'attendance_file',
  title: { en: 'Attendance', fr: 'Présence' },
  columns: {
    school_admin_code: column({
      label: { en: 'School ID', fr: 'Code de l’établissement' },
      headings: ['admin code', 'school code', 'school', 'code école', 'code établissement', 'école'],
      required: true,
      key: true,
      kind: 'code',
      example: ['ML-KYG-0001', 'ML-KYG-0001'],
      help: {
        en: 'The code by which the school is known.',
        fr: 'Le code par lequel l’établissement est connu.',
      },
    }),
    date: column({
      label: { en: 'Date', fr: 'Date' },
      headings: ['day', 'attendance date', 'jour', 'date de présence'],
      required: true,
      key: true,
      kind: 'date',
      past: true,
      example: ['2026-01-05', '2026-01-05'],
      help: {
        en: 'The day that is reported, up to 14 days back.',
        fr: 'Le jour dont il s’agit, jusqu’à 14 jours en arrière.',
      },
    }),
    class: column({
      label: { en: 'Class', fr: 'Classe' },
      headings: ['grade', 'class name', 'niveau', 'nom de la classe'],
      example: ['7', '8'],
      help: {
        en: 'The class of the learners; blank where the row counts the whole school.',
        fr: 'La classe des élèves ; vide si la ligne compte tout l’établissement.',
      },
    }),
    learners_enrolled: column({
      label: { en: 'Learners enrolled', fr: 'Élèves inscrits' },
      headings: ['enrolled', 'students enrolled', 'inscrits', 'effectif'],
      kind: 'whole',
      max: most,
      example: [50, 45],
      help: {
        en: 'Blank where the register’s own number holds.',
        fr: 'Vide si le nombre du registre fait foi.',
      },
    }),
    learners_present: column({
      label: { en: 'Learners present', fr: 'Élèves présents' },
      headings: ['present', 'students present', 'présents'],
      kind: 'whole',
      max: most,
      example: [41, 38],
      help: { en: 'Learners present that day.', fr: 'Élèves présents ce jour-là.' },
    }),
    teachers_enrolled: column({
      label: { en: 'Teachers of the school', fr: 'Enseignants de l’établissement' },
      headings: ['teachers', 'teachers enrolled', 'enseignants', 'enseignants inscrits'],
      kind: 'whole',
      max: most,
      example: [6, ''],
      help: {
        en: 'Blank where the register’s own number holds.',
        fr: 'Vide si le nombre du registre fait foi.',
      },
    }),
    teachers_present: column({
      label: { en: 'Teachers present', fr: 'Enseignants présents' },
      kind: 'whole',
      max: most,
      example: [5, ''],
      help: {
        en: 'Of the whole school, once a day.',
        fr: 'De tout l’établissement, une fois par jour.',
      },
    }),
  },
})
