import { columnsOf } from '../field.ts'
import { column } from '../imports/sheet.ts'
import { personFields } from './person.fields.ts'

/** Columns that every sheet of people has. */
export const { first_name: firstName, last_name: lastName, gender } = columnsOf(personFields)
/** The school a person belongs to. */
export const schoolCode = column({
  label: { en: 'School ID', fr: 'Code de l’établissement' },
  headings: [
    'school',
    'admin code',
    'school code',
    'école',
    'établissement',
    'code école',
    'code établissement',
  ],
  required: true,
  kind: 'code',
  example: ['ML-KYG-0001', 'ML-SEG-0002'],
  help: { en: 'Code of a school that the portal knows.', fr: 'Code d’un établissement connu du portail.' },
})
