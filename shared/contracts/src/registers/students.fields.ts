import * as v from 'valibot'
import { codesOf, field, namesOf } from '../field.ts'
import { required } from '../fields.ts'
import { optionalPastDay, pastDay } from '../imports/past-day.ts'
import type { Text } from '../sentences.ts'
import { maternalStatuses, severities } from './closed-lists.ts'
import { personFields } from './person.fields.ts'
import { academicYear, code, optionalId, optionalOf, optionalText, orEmpty } from './register-fields.ts'

/** How hard she finds something; for `students.sensitive` only (Access 5.1). */
const difficulty = (label: Text) => {
  const [en, fr] = [label.en.toLowerCase(), label.fr.toLowerCase()]
  return field({
    label,
    rule: optionalOf(...codesOf(severities)),
    answer: v.optional(v.nullable(v.picklist(codesOf(severities)))),
    closed: severities,
    sensitive: true,
    column: {
      label: { en: `Difficulty: ${en}`, fr: `Difficulté : ${fr}` },
      headings: [en, fr, `disability ${en}`, `handicap ${fr}`],
      example: ['no_difficulty', 'some_difficulty'],
      help: {
        en: 'no difficulty, some difficulty, lot of difficulty or cannot do.',
        fr: 'aucune difficulté, quelques difficultés, beaucoup de difficultés ou incapable.',
      },
    },
  })
}

/** The fields of a student that a person may change, in the order of her sheet. */
export const studentFields = {
  student_code: field({
    label: { en: 'Student code', fr: 'Code de l’élève' },
    rule: code,
    answer: v.string(),
    kind: 'code',
    column: {
      headings: ['code élève', 'student id', 'code étudiant', 'matricule élève', 'identifiant élève'],
      // As in a target list: `matricule` is the code only if no other heading is.
      otherwise: ['matricule'],
      required: true,
      key: true,
      example: ['KYG-1001', 'KYG-1002'],
      help: {
        en: 'The code by which she is known everywhere.',
        fr: 'Le code par lequel elle est connue partout.',
      },
    },
  }),
  ...personFields,
  date_of_birth: field({
    label: { en: 'Date of birth', fr: 'Date de naissance' },
    rule: pastDay,
    kind: 'date',
    stored: 'person',
    column: {
      headings: ['birth date', 'born', 'né le', 'née le', 'naissance'],
      required: true,
      past: true,
      example: ['03/02/2012', '25/11/2013'],
      help: { en: 'As a date or as dd/mm/yyyy.', fr: 'En date ou sous la forme jj/mm/aaaa.' },
    },
  }),
  class_id: field({
    label: { en: 'Class', fr: 'Classe' },
    rule: optionalId,
    answer: v.nullable(v.number()),
    kind: 'whole',
    // A sheet has the name of the class instead of its id.
    column: null,
  }),
  current_class_level: field({
    label: { en: 'Class level', fr: 'Niveau' },
    rule: required,
    list: 'class_level',
    column: {
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
    },
  }),
  student_assigned_id: field({
    label: { en: 'Assigned ID', fr: 'Identifiant attribué' },
    rule: code,
    kind: 'code',
    column: {
      headings: ['student assigned id', 'identifiant'],
      example: ['ML-KYG-0001/1001', 'ML-KYG-0001/1002'],
      help: { en: 'Number that the school gave her.', fr: 'Numéro que l’établissement lui a donné.' },
    },
  }),
  admission_number: field({
    label: { en: 'Admission number', fr: 'Numéro d’admission' },
    rule: optionalText,
    kind: 'code',
    column: {
      headings: ['admission', 'numéro d’inscription', 'n° d’inscription'],
      example: ['2026-01001', ''],
      help: { en: 'Number of her admission.', fr: 'Numéro de son admission.' },
    },
  }),
  academic_year: field({
    label: { en: 'Academic year', fr: 'Année scolaire' },
    rule: orEmpty(academicYear, 'academic_year'),
    kind: 'year',
    column: {
      headings: ['school year', 'année'],
      example: ['2026-2027', '2026-2027'],
      help: { en: 'Two years: 2026-2027.', fr: 'Deux années : 2026-2027.' },
    },
  }),
  start_date: field({
    label: { en: 'Enrolment', fr: 'Inscription' },
    rule: optionalPastDay,
    kind: 'date',
    column: {
      headings: ['start date', 'enrolment date', 'date d’inscription', 'date d’entrée'],
      past: true,
      example: ['01/10/2025', '05/10/2026'],
      help: { en: 'First day at that school.', fr: 'Premier jour dans cet établissement.' },
    },
  }),
  language_spoken: field({
    label: { en: 'Language', fr: 'Langue' },
    rule: optionalText,
    list: 'language',
    column: {
      headings: ['language spoken', 'langue parlée', 'langue maternelle'],
      example: ['bamanankan', 'soninke'],
      help: {
        en: 'A language that the portal knows, in either language.',
        fr: 'Une langue connue du portail, en français ou en anglais.',
      },
    },
  }),
  maternal_status: field({
    label: { en: 'Maternal status', fr: 'Statut maternel' },
    rule: optionalOf(...codesOf(maternalStatuses)),
    answer: v.optional(v.nullable(v.picklist(codesOf(maternalStatuses)))),
    closed: maternalStatuses,
    sensitive: true,
    column: {
      headings: ['maternity', 'maternité'],
      example: ['none', 'mother'],
      help: { en: 'none, pregnant, mother or both.', fr: 'aucun, enceinte, mère ou les deux.' },
    },
  }),
  disability_vision: difficulty({ en: 'Vision', fr: 'Vision' }),
  disability_hearing: difficulty({ en: 'Hearing', fr: 'Audition' }),
  disability_mobility: difficulty({ en: 'Mobility', fr: 'Mobilité' }),
  disability_cognition: difficulty({ en: 'Cognition', fr: 'Cognition' }),
  disability_selfcare: difficulty({ en: 'Self-care', fr: 'Soins personnels' }),
  disability_communication: difficulty({ en: 'Communication', fr: 'Communication' }),
  disability_other: difficulty({ en: 'Other', fr: 'Autre' }),
}

/** Fields that are absent without `students.sensitive` (Access 5.1). */
export const sensitiveFields = namesOf(studentFields, ({ sensitive }) => sensitive === true)
