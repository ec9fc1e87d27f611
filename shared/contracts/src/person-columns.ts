import { genders } from './closed-lists.ts'
import { codesOf, wordsOf } from './field.ts'
import { column } from './sheet.ts'

/** Columns that every sheet of people has. */
export const firstName = column({
  label: { en: 'First name', fr: 'Prénom' },
  headings: ['prénoms', 'given name'],
  required: true,
  kind: 'name',
  example: ['Aminata', 'Boubacar'],
  help: { en: 'First name or names.', fr: 'Prénom ou prénoms.' },
})
export const lastName = column({
  label: { en: 'Last name', fr: 'Nom' },
  headings: ['surname', 'family name', 'nom de famille'],
  required: true,
  kind: 'name',
  example: ['Diarra', 'Coulibaly'],
  help: { en: 'Family name.', fr: 'Nom de famille.' },
})
export const gender = column({
  label: { en: 'Gender', fr: 'Sexe' },
  headings: ['sex', 'genre'],
  options: codesOf(genders),
  words: wordsOf(genders),
  example: ['female', 'male'],
  help: { en: 'female or male; F or M will do.', fr: 'female ou male ; F ou M suffit.' },
})
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
