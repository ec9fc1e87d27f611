import * as v from 'valibot'
import { codesOf, field } from '../field.ts'
import { anyPhone, phoneHelp } from '../registers-phone.ts'
import { displaced } from './closed-lists.ts'
import { personFields } from './person.fields.ts'
import { code, optionalFlag, optionalOf, optionalText, optionalWhole, orEmpty } from './register-fields.ts'

const { first_name, last_name } = personFields

/** The fields of a guardian that a person may change, in the order of their sheet. */
export const parentFields = {
  parent_assigned_id: field({
    label: { en: 'Parent code', fr: 'Code du parent' },
    rule: code,
    answer: v.string(),
    kind: 'code',
    column: {
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
      example: ['P-KYG-00001', 'P-KYG-00002'],
      help: { en: 'The code by which the guardian is known.', fr: 'Le code par lequel le tuteur est connu.' },
    },
  }),
  first_name,
  last_name,
  contact_1: field({
    label: { en: 'Contact 1', fr: 'Contact 1' },
    rule: anyPhone,
    kind: 'phone',
    column: {
      headings: ['contact', 'phone', 'phone number', 'téléphone', 'numéro de téléphone', 'tél', 'mobile'],
      required: true,
      example: ['+223 76 12 34 56', '66123457'],
      help: phoneHelp,
    },
  }),
  contact_2: field({
    label: { en: 'Contact 2', fr: 'Contact 2' },
    rule: orEmpty(anyPhone, 'phone_none'),
    kind: 'phone',
    column: {
      headings: ['second phone', 'phone 2', 'téléphone 2', 'autre téléphone'],
      example: ['', '+223 70 12 34 59'],
      help: phoneHelp,
    },
  }),
  displaced_or_resident: field({
    label: { en: 'Displaced', fr: 'Déplacé' },
    rule: optionalOf(...codesOf(displaced)),
    answer: v.nullable(v.picklist(codesOf(displaced))),
    closed: displaced,
    column: {
      headings: ['displaced or resident', 'déplacé ou résident', 'statut de résidence'],
      example: ['resident', 'displaced'],
      help: { en: 'displaced or resident.', fr: 'déplacé ou résident.' },
    },
  }),
  is_handicap: field({
    label: { en: 'Handicap', fr: 'Handicap' },
    rule: optionalFlag,
    answer: v.nullable(v.boolean()),
    kind: 'flag',
    column: {
      headings: ['is handicap', 'disability', 'handicapé', 'en situation de handicap'],
      example: ['no', 'yes'],
      help: { en: 'yes or no.', fr: 'oui ou non.' },
    },
  }),
  profession: field({
    label: { en: 'Profession', fr: 'Profession' },
    rule: optionalText,
    column: {
      headings: ['occupation', 'job', 'métier'],
      example: ['Commerçante', 'Cultivateur'],
      help: { en: 'What the guardian does for a living.', fr: 'Activité du tuteur.' },
    },
  }),
  boys_in_f1: field({
    label: { en: 'Boys in F1', fr: 'Garçons en F1' },
    rule: optionalWhole(0, 50),
    answer: v.nullable(v.number()),
    kind: 'whole',
    column: {
      headings: ['boys', 'garçons'],
      example: [1, 0],
      help: { en: 'How many boys at school.', fr: 'Nombre de garçons à l’école.' },
    },
  }),
  girls_in_f1: field({
    label: { en: 'Girls in F1', fr: 'Filles en F1' },
    rule: optionalWhole(0, 50),
    answer: v.nullable(v.number()),
    kind: 'whole',
    column: {
      headings: ['girls', 'filles'],
      example: [2, 1],
      help: { en: 'How many girls at school.', fr: 'Nombre de filles à l’école.' },
    },
  }),
}
