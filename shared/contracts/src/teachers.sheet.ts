import { firstName, gender, lastName, schoolCode } from './person-columns.ts'
import { column, sheet } from './sheet.ts'

/** Teachers, known in their school by e-mail, or by phone where they have none. */
export const teachersSheet = sheet({
  name: 'teachers',
  field: 'school_teachers_file',
  title: { en: 'Teachers', fr: 'Enseignants' },
  columns: {
    admin_code: { ...schoolCode, key: true },
    first_name: firstName,
    last_name: lastName,
    gender,
    email: column({
      label: { en: 'E-mail', fr: 'E-mail' },
      headings: ['mail', 'email', 'adresse e-mail', 'courriel'],
      kind: 'email',
      example: ['aminata.diarra@example.org', ''],
      help: {
        en: 'The teacher is known by it; without one by the phone number.',
        fr: 'L’enseignant est reconnu par cette adresse ; à défaut, par le téléphone.',
      },
    }),
    phone_1: column({
      label: { en: 'Phone', fr: 'Téléphone' },
      headings: ['phone number', 'telephone', 'mobile', 'numéro de téléphone', 'tél', 'contact'],
      kind: 'phone',
      example: ['+223 76 12 34 56', '66123457'],
      help: {
        en: '8 digits in Mali, 9 in Senegal, with or without +223 or +221.',
        fr: '8 chiffres au Mali, 9 au Sénégal, avec ou sans +223 ou +221.',
      },
    }),
    classes: column({
      label: { en: 'Classes', fr: 'Classes' },
      headings: ['class', 'classe'],
      many: true,
      example: ['7; 8', '4 A'],
      help: {
        en: 'Names of classes of that school, semicolons between them: all that the teacher has.',
        fr: 'Noms de classes de cet établissement, séparés par des points-virgules : toutes celles de l’enseignant.',
      },
    }),
    start_date: column({
      label: { en: 'Employment date', fr: 'Date d’embauche' },
      headings: ['start date', 'date of employment', 'date de recrutement', 'date de début'],
      kind: 'date',
      past: true,
      example: ['01/10/2019', '15/10/2022'],
      help: { en: 'First day at work, dd/mm/yyyy.', fr: 'Premier jour de travail, jj/mm/aaaa.' },
    }),
    employment_type: column({
      list: 'employment_type',
      label: { en: 'Employment type', fr: 'Type d’emploi' },
      headings: ['type of employment', 'statut', 'contrat', 'type de contrat'],
      example: ['civil_servant', 'contract'],
      help: {
        en: 'One of the portal’s types, in either language.',
        fr: 'Un des types du portail, en français ou en anglais.',
      },
    }),
  },
})
