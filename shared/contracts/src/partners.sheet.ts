import { column, sheet } from './sheet.ts'

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
    name: column({
      label: { en: 'Organisation name', fr: 'Nom de l’organisation' },
      headings: ['name', 'organisation', 'organization', 'partner', 'partenaire', 'nom du partenaire'],
      required: true,
      kind: 'name',
      example: ['Association Exemple', 'Fondation Exemple'],
      help: { en: 'Name of the organisation.', fr: 'Nom de l’organisation.' },
    }),
    first_name: column({
      label: { en: 'First name', fr: 'Prénom' },
      headings: ['prénoms', 'contact first name', 'prénom du contact'],
      required: true,
      kind: 'name',
      example: ['Aminata', 'Boubacar'],
      help: { en: 'First name of its person.', fr: 'Prénom de la personne de contact.' },
    }),
    last_name: column({
      label: { en: 'Last name', fr: 'Nom' },
      headings: ['surname', 'family name', 'nom de famille', 'contact last name', 'nom du contact'],
      required: true,
      kind: 'name',
      example: ['Diarra', 'Coulibaly'],
      help: { en: 'Family name of its person.', fr: 'Nom de famille de la personne de contact.' },
    }),
    partner_type: column({
      list: 'partner_type',
      label: { en: 'Type', fr: 'Type' },
      headings: ['partner type', 'type of partner', 'type de partenaire'],
      required: true,
      example: ['ngo', 'foundation'],
      help: {
        en: 'One of the portal’s types, in either language.',
        fr: 'Un des types du portail, en français ou en anglais.',
      },
    }),
    partner_since: column({
      label: { en: 'Partner since', fr: 'Partenaire depuis' },
      headings: ['since', 'start date', 'depuis', 'date de début'],
      required: true,
      kind: 'date',
      past: true,
      example: ['15/01/2021', '01/10/2023'],
      help: { en: 'Day on which the work began.', fr: 'Jour où la collaboration a commencé.' },
    }),
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
