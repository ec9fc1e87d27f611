import { displaced } from './closed-lists.ts'
import { codesOf, wordsOf } from './field.ts'
import { firstName, gender, lastName } from './person-columns.ts'
import { column, sheet } from './sheet.ts'

const phoneHelp = {
  en: '8 digits in Mali, 9 in Senegal, with or without +223 or +221.',
  fr: '8 chiffres au Mali, 9 au Sénégal, avec ou sans +223 ou +221.',
}

/** Guardians, known by their code. */
export const parentsSheet = sheet({
  name: 'parents',
  field: 'school_parents_file',
  title: { en: 'Parents', fr: 'Parents' },
  columns: {
    parent_assigned_id: column({
      label: { en: 'Parent code', fr: 'Code du parent' },
      headings: [
        'guardian code',
        'parent id',
        'parent',
        'code parent',
        'code du tuteur',
        'identifiant du parent',
      ],
      required: true,
      key: true,
      kind: 'code',
      example: ['P-KYG-00001', 'P-KYG-00002'],
      help: { en: 'The code by which the guardian is known.', fr: 'Le code par lequel le tuteur est connu.' },
    }),
    first_name: firstName,
    last_name: lastName,
    gender,
    contact_1: column({
      label: { en: 'Contact 1', fr: 'Contact 1' },
      headings: ['contact', 'phone', 'phone number', 'téléphone', 'numéro de téléphone', 'tél', 'mobile'],
      required: true,
      kind: 'phone',
      example: ['+223 76 12 34 56', '66123457'],
      help: phoneHelp,
    }),
    contact_2: column({
      label: { en: 'Contact 2', fr: 'Contact 2' },
      headings: ['second phone', 'phone 2', 'téléphone 2', 'autre téléphone'],
      kind: 'phone',
      example: ['', '+223 70 12 34 59'],
      help: phoneHelp,
    }),
    students: column({
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
    }),
    displaced_or_resident: column({
      label: { en: 'Displaced', fr: 'Déplacé' },
      headings: ['displaced or resident', 'déplacé ou résident', 'statut de résidence'],
      options: codesOf(displaced),
      words: wordsOf(displaced),
      example: ['resident', 'displaced'],
      help: { en: 'displaced or resident.', fr: 'déplacé ou résident.' },
    }),
    is_handicap: column({
      label: { en: 'Handicap', fr: 'Handicap' },
      headings: ['is handicap', 'disability', 'handicapé', 'en situation de handicap'],
      kind: 'flag',
      example: ['no', 'yes'],
      help: { en: 'yes or no.', fr: 'oui ou non.' },
    }),
    profession: column({
      label: { en: 'Profession', fr: 'Profession' },
      headings: ['occupation', 'job', 'métier'],
      example: ['Commerçante', 'Cultivateur'],
      help: { en: 'What the guardian does for a living.', fr: 'Activité du tuteur.' },
    }),
    boys_in_f1: column({
      label: { en: 'Boys in F1', fr: 'Garçons en F1' },
      headings: ['boys', 'garçons'],
      kind: 'whole',
      example: [1, 0],
      help: { en: 'How many boys at school.', fr: 'Nombre de garçons à l’école.' },
    }),
    girls_in_f1: column({
      label: { en: 'Girls in F1', fr: 'Filles en F1' },
      headings: ['girls', 'filles'],
      kind: 'whole',
      example: [2, 1],
      help: { en: 'How many girls at school.', fr: 'Nombre de filles à l’école.' },
    }),
  },
})
