import * as v from 'valibot'
import { field } from '../field.ts'
import { required } from '../fields.ts'
import { properName } from '../one-line.ts'
import { academicYear, code, optionalId } from './register-fields.ts'

/** The fields of a school that a person may change, in the order of its sheet. */
export const schoolFields = {
  admin_code: field({
    label: { en: 'School ID', fr: 'Code de l’établissement' },
    rule: code,
    answer: v.string(),
    kind: 'code',
    column: {
      headings: ['admin code', 'school code', 'code école', 'code établissement', 'code administratif'],
      required: true,
      key: true,
      example: ['ML-KYG-0001', 'ML-SEG-0002'],
      help: {
        en: 'The code by which the school is known.',
        fr: 'Le code par lequel l’établissement est connu.',
      },
    },
  }),
  name: field({
    label: { en: 'School name', fr: 'Nom de l’établissement' },
    rule: properName,
    answer: v.string(),
    kind: 'name',
    column: {
      headings: ['name', 'school', 'nom', 'école', 'établissement', 'nom école', 'nom de l’école'],
      required: true,
      example: ['Second cycle de Kayes', 'École fondamentale de Ségou (1er cycle)'],
      help: { en: 'Its name as it is written.', fr: 'Son nom tel qu’il s’écrit.' },
    },
  }),
  type_of_school: field({
    label: { en: 'Type of school', fr: 'Type d’établissement' },
    rule: required,
    answer: v.string(),
    list: 'school_type',
    column: {
      headings: ['type', 'school type', 'type école', 'type d’école', 'statut'],
      required: true,
      example: ['public', 'community'],
      help: {
        en: 'One of the portal’s types, in either language.',
        fr: 'Un des types du portail, en français ou en anglais.',
      },
    },
  }),
  admin_district_as_cap: field({
    label: { en: 'CAP', fr: 'CAP' },
    rule: required,
    answer: v.string(),
    stored: 'other',
    column: {
      headings: ['cap or ief', 'cap ou ief', 'ief', 'district', 'administrative district'],
      required: true,
      example: ['CAP KAYES RIVES-GAUCHE', 'CAP SEGOU'],
      help: { en: 'A CAP or IEF that the portal knows.', fr: 'Un CAP ou une IEF que le portail connaît.' },
    },
  }),
  education_authority_as_ae: field({
    label: { en: 'AE', fr: 'AE' },
    rule: required,
    answer: v.string(),
    stored: 'other',
    column: {
      headings: ['ae or ia', 'ae ou ia', 'ia', 'academy', 'académie', 'education authority'],
      required: true,
      example: ['AE KAYES', 'AE SEGOU'],
      help: { en: 'The AE or IA of that CAP.', fr: 'L’AE ou l’IA dont relève ce CAP.' },
    },
  }),
  academic_year: field({
    label: { en: 'Academic year', fr: 'Année scolaire' },
    rule: academicYear,
    answer: v.string(),
    kind: 'year',
    column: {
      headings: ['school year', 'year', 'année', 'année académique'],
      required: true,
      example: ['2026-2027', '2026-2027'],
      help: { en: 'Two years: 2026-2027.', fr: 'Deux années : 2026-2027.' },
    },
  }),
  arrondissement_id: field({
    label: { en: 'Arrondissement', fr: 'Arrondissement' },
    rule: optionalId,
    answer: v.nullable(v.number()),
    kind: 'whole',
    // A sheet says it by its name, and where several have that name by cercle and commune.
    column: null,
  }),
}
