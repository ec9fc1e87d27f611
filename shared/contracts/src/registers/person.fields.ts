import * as v from 'valibot'
import { codesOf, field } from '../field.ts'
import { optionalName } from '../one-line.ts'
import { genders } from './closed-lists.ts'

/** The fields that students, guardians and teachers have in common, kept with the person. */
export const personFields = {
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
    stored: 'person',
    closed: genders,
    column: {
      headings: ['sex', 'genre'],
      example: ['female', 'male'],
      help: { en: 'female or male; F or M will do.', fr: 'female ou male ; F ou M suffit.' },
    },
  }),
}
