import * as v from 'valibot'
import { field } from '../field.ts'
import { required } from '../fields.ts'
import { pastDay } from '../imports/past-day.ts'
import { optionalName } from '../one-line.ts'

/** The fields of a partner organisation that a person may change, in the order of its sheet. */
export const partnerFields = {
  name: field({
    label: { en: 'Organisation name', fr: 'Nom de l’organisation' },
    rule: optionalName,
    answer: v.string(),
    kind: 'name',
    column: {
      headings: ['name', 'organisation', 'organization', 'partner', 'partenaire', 'nom du partenaire'],
      required: true,
      example: ['Association Exemple', 'Fondation Exemple'],
      help: { en: 'Name of the organisation.', fr: 'Nom de l’organisation.' },
    },
  }),
  partner_type: field({
    label: { en: 'Type', fr: 'Type' },
    rule: required,
    answer: v.string(),
    list: 'partner_type',
    column: {
      headings: ['partner type', 'type of partner', 'type de partenaire'],
      required: true,
      example: ['ngo', 'foundation'],
      help: {
        en: 'One of the portal’s types, in either language.',
        fr: 'Un des types du portail, en français ou en anglais.',
      },
    },
  }),
  partner_since: field({
    label: { en: 'Partner since', fr: 'Partenaire depuis' },
    rule: pastDay,
    answer: v.string(),
    kind: 'date',
    column: {
      headings: ['since', 'start date', 'depuis', 'date de début'],
      required: true,
      past: true,
      example: ['15/01/2021', '01/10/2023'],
      help: { en: 'Day on which the work began.', fr: 'Jour où la collaboration a commencé.' },
    },
  }),
}
