import * as v from 'valibot'
import { genders, maternalStatuses, severities } from './closed-lists.ts'
import { codesOf, field, namesOf } from './field.ts'
import { day, id, required } from './fields.ts'
import { academicYear, code, optionalDay, optionalName, optionalOf, optionalText } from './register-fields.ts'
import type { Text } from './sentences.ts'

const text = v.nullable(v.string())

/** How hard she finds something; for `students.sensitive` only (Access 5.1). */
const difficulty = (label: Text, headings: readonly string[]) =>
  field({
    label,
    rule: optionalOf(...codesOf(severities)),
    answer: v.optional(v.nullable(v.picklist(codesOf(severities)))),
    kind: 'text',
    stored: 'own',
    closed: severities,
    sensitive: true,
    column: {
      label: { en: `Difficulty: ${label.en.toLowerCase()}`, fr: `Difficulté : ${label.fr.toLowerCase()}` },
      headings,
      example: ['no_difficulty', 'some_difficulty'],
      help: {
        en: 'no difficulty, some difficulty, lot of difficulty or cannot do.',
        fr: 'aucune difficulté, quelques difficultés, beaucoup de difficultés ou incapable.',
      },
    },
  })

/** The fields of a student that a person may change, in the order of her sheet. */
export const studentFields = {
  student_code: field({
    label: { en: 'Student code', fr: 'Code de l’élève' },
    rule: code,
    answer: v.string(),
    kind: 'code',
    stored: 'own',
    column: {
      headings: ['code élève', 'student id', 'code étudiant', 'matricule élève', 'identifiant élève'],
      required: true,
      key: true,
      example: ['KYG-1001', 'KYG-1002'],
      help: {
        en: 'The code by which she is known everywhere.',
        fr: 'Le code par lequel elle est connue partout.',
      },
    },
  }),
  first_name: field({
    label: { en: 'First name', fr: 'Prénom' },
    rule: optionalName,
    answer: v.string(),
    kind: 'name',
    stored: 'person',
    column: {
      headings: ['prénoms', 'given name'],
      required: true,
      example: ['Aminata', 'Boubacar'],
      help: { en: 'First name or names.', fr: 'Prénom ou prénoms.' },
    },
  }),
  last_name: field({
    label: { en: 'Last name', fr: 'Nom' },
    rule: optionalName,
    answer: v.string(),
    kind: 'name',
    stored: 'person',
    column: {
      headings: ['surname', 'family name', 'nom de famille'],
      required: true,
      example: ['Diarra', 'Coulibaly'],
      help: { en: 'Family name.', fr: 'Nom de famille.' },
    },
  }),
  gender: field({
    label: { en: 'Gender', fr: 'Sexe' },
    rule: v.optional(v.nullable(v.picklist(codesOf(genders), 'choose'))),
    answer: v.nullable(v.picklist(codesOf(genders))),
    kind: 'text',
    stored: 'person',
    closed: genders,
    column: {
      headings: ['sex', 'genre'],
      example: ['female', 'male'],
      help: { en: 'female or male; F or M will do.', fr: 'female ou male ; F ou M suffit.' },
    },
  }),
  date_of_birth: field({
    label: { en: 'Date of birth', fr: 'Date de naissance' },
    rule: v.pipe(
      day,
      v.check((date) => date <= new Date().toISOString().slice(0, 10), 'date_future'),
    ),
    answer: text,
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
    rule: v.optional(
      v.nullable(
        v.pipe(
          v.union([v.literal(''), id], 'choose'),
          v.transform((place) => place || null),
        ),
      ),
    ),
    answer: v.nullable(v.number()),
    kind: 'whole',
    stored: 'own',
    // A sheet says it by the name that the class has in its school.
    column: null,
  }),
  current_class_level: field({
    label: { en: 'Class level', fr: 'Niveau' },
    rule: required,
    answer: text,
    kind: 'text',
    stored: 'own',
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
    answer: text,
    kind: 'code',
    stored: 'own',
    column: {
      headings: ['student assigned id', 'identifiant', 'matricule'],
      example: ['ML-KYG-0001/1001', 'ML-KYG-0001/1002'],
      help: { en: 'Number that the school gave her.', fr: 'Numéro que l’établissement lui a donné.' },
    },
  }),
  admission_number: field({
    label: { en: 'Admission number', fr: 'Numéro d’admission' },
    rule: optionalText,
    answer: text,
    kind: 'code',
    stored: 'own',
    column: {
      headings: ['admission', 'numéro d’inscription', 'n° d’inscription'],
      example: ['2026-01001', ''],
      help: { en: 'Number of her admission.', fr: 'Numéro de son admission.' },
    },
  }),
  academic_year: field({
    label: { en: 'Academic year', fr: 'Année scolaire' },
    rule: v.optional(
      v.nullable(
        v.pipe(
          v.union([v.literal(''), academicYear], 'academic_year'),
          v.transform((year) => year || null),
        ),
      ),
    ),
    answer: text,
    kind: 'year',
    stored: 'own',
    column: {
      headings: ['school year', 'année'],
      example: ['2026-2027', '2026-2027'],
      help: { en: 'Two years: 2026-2027.', fr: 'Deux années : 2026-2027.' },
    },
  }),
  start_date: field({
    label: { en: 'Enrolment', fr: 'Inscription' },
    rule: optionalDay,
    answer: text,
    kind: 'date',
    stored: 'own',
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
    answer: text,
    kind: 'text',
    stored: 'own',
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
    kind: 'text',
    stored: 'own',
    closed: maternalStatuses,
    sensitive: true,
    column: {
      headings: ['maternity', 'maternité'],
      example: ['none', 'mother'],
      help: { en: 'none, pregnant, mother or both.', fr: 'aucun, enceinte, mère ou les deux.' },
    },
  }),
  disability_vision: difficulty({ en: 'Vision', fr: 'Vision' }, [
    'vision',
    'disability vision',
    'handicap vision',
  ]),
  disability_hearing: difficulty({ en: 'Hearing', fr: 'Audition' }, [
    'hearing',
    'audition',
    'disability hearing',
    'handicap audition',
  ]),
  disability_mobility: difficulty({ en: 'Mobility', fr: 'Mobilité' }, [
    'mobility',
    'mobilité',
    'disability mobility',
    'handicap mobilité',
  ]),
  disability_cognition: difficulty({ en: 'Cognition', fr: 'Cognition' }, [
    'cognition',
    'disability cognition',
    'handicap cognition',
  ]),
  disability_selfcare: difficulty({ en: 'Self-care', fr: 'Soins personnels' }, [
    'self-care',
    'soins personnels',
    'disability self-care',
    'handicap soins personnels',
  ]),
  disability_communication: difficulty({ en: 'Communication', fr: 'Communication' }, [
    'communication',
    'disability communication',
    'handicap communication',
  ]),
  disability_other: difficulty({ en: 'Other', fr: 'Autre' }, [
    'other',
    'autre',
    'disability other',
    'handicap autre',
  ]),
}

/** Fields that are absent without `students.sensitive` (Access 5.1). */
export const sensitiveFields = namesOf(studentFields, ({ sensitive }) => sensitive === true)
