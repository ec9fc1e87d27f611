import { columnsOf } from '../field.ts'
import { column, sheet } from '../imports/sheet.ts'
import { partnerFields } from './partners.fields.ts'
import { firstName, lastName } from './person-columns.ts'

const { name, ...rest } = columnsOf(partnerFields)

/** Partner organisations, known by the e-mail of their person. */
export const partnersSheet = sheet({
  name: 'partners',
  field: 'school_partners_file',
  title: { en: 'Partners', fr: 'Partenaires' },
  columns: {
    email: column({
      label: { en: 'E-mail', fr: 'E-mail' },
      headings: ['mail', 'email', 'adresse e-mail', 'courriel', 'e-mail address'],
      required: true,
      key: true,
      kind: 'email',
      example: ['contact@example.org', 'bureau@example.net'],
      help: { en: 'By it the partner is known.', fr: 'Le partenaire est reconnu par cette adresse.' },
    }),
    name,
    first_name: {
      ...firstName,
      headings: ['prénoms', 'contact first name', 'prénom du contact'],
      help: { en: 'First name of its person.', fr: 'Prénom de la personne de contact.' },
    },
    last_name: {
      ...lastName,
      headings: ['surname', 'family name', 'nom de famille', 'contact last name', 'nom du contact'],
      help: { en: 'Family name of its person.', fr: 'Nom de famille de la personne de contact.' },
    },
    ...rest,
    schools: column({
      label: { en: 'Schools supported', fr: 'Établissements soutenus' },
      headings: [
        'schools',
        'school ids',
        'school codes',
        'écoles',
        'établissements',
        'codes des établissements',
      ],
      kind: 'code',
      many: true,
      example: ['ML-KYG-0001; ML-SEG-0002', ''],
      help: {
        en: 'School IDs, semicolons between them: all the schools it supports.',
        fr: 'Codes des établissements, séparés par des points-virgules : tous ceux qu’il soutient.',
      },
    }),
  },
})
