import { field } from '../field.ts'
import { phoneHelp } from '../registers-phone.ts'
import { personFields } from './person.fields.ts'

/** The fields of a teacher, in the order of their sheet. */
export const teacherFields = {
  ...personFields,
  email: field({
    label: { en: 'E-mail', fr: 'E-mail' },
    rule: null,
    kind: 'email',
    stored: 'person',
    column: {
      headings: ['mail', 'email', 'adresse e-mail', 'courriel'],
      example: ['aminata.diarra@example.org', ''],
      help: {
        en: 'The teacher is known by it; without one by the phone number.',
        fr: 'L’enseignant est reconnu par cette adresse ; à défaut, par le téléphone.',
      },
    },
  }),
  phone_1: field({
    label: { en: 'Phone', fr: 'Téléphone' },
    rule: null,
    kind: 'phone',
    column: {
      headings: ['phone number', 'telephone', 'mobile', 'numéro de téléphone', 'tél', 'contact'],
      example: ['+223 76 12 34 56', '66123457'],
      help: phoneHelp,
    },
  }),
  start_date: field({
    label: { en: 'Employment date', fr: 'Date d’embauche' },
    rule: null,
    kind: 'date',
    column: {
      headings: ['start date', 'date of employment', 'date de recrutement', 'date de début'],
      past: true,
      example: ['01/10/2019', '15/10/2022'],
      help: { en: 'First day at work, dd/mm/yyyy.', fr: 'Premier jour de travail, jj/mm/aaaa.' },
    },
  }),
  employment_type: field({
    label: { en: 'Employment type', fr: 'Type d’emploi' },
    rule: null,
    list: 'employment_type',
    column: {
      headings: ['type of employment', 'statut', 'contrat', 'type de contrat'],
      example: ['civil_servant', 'contract'],
      help: {
        en: 'One of the portal’s types, in either language.',
        fr: 'Un des types du portail, en français ou en anglais.',
      },
    },
  }),
}
