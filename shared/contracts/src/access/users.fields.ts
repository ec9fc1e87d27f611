import * as v from 'valibot'
import { codesOf, field } from '../field.ts'
import { oneOf, optionalEmail } from '../fields.ts'
import { properName } from '../one-line.ts'
import { accountTypes, genders, titles } from '../registers/closed-lists.ts'
import { personFields } from '../registers/person.fields.ts'

const { male, female } = genders

/** The fields of an account that an administrator may change; what is left out, or null as in old rows, stays as it is. */
export const accountFields = {
  first_name: field({ ...personFields.first_name, rule: properName, stored: 'own', column: null }),
  last_name: field({ ...personFields.last_name, rule: properName, stored: 'own', column: null }),
  email: field({
    label: { en: 'Email', fr: 'E-mail' },
    rule: v.optional(optionalEmail),
    kind: 'email',
    column: null,
  }),
  user_title: field({
    label: { en: 'Title', fr: 'Civilité' },
    rule: v.nullish(oneOf(...codesOf(titles))),
    answer: v.nullable(v.picklist(codesOf(titles))),
    closed: titles,
    column: null,
  }),
  gender: field({
    label: { en: 'Gender', fr: 'Sexe' },
    rule: v.nullish(oneOf(...codesOf({ male, female }))),
    answer: v.nullable(v.picklist(codesOf({ male, female }))),
    closed: { male, female },
    column: null,
  }),
  type: field({
    label: { en: 'User type', fr: 'Type d’utilisateur' },
    rule: v.nullish(oneOf(...codesOf(accountTypes))),
    answer: v.nullable(v.picklist(codesOf(accountTypes))),
    closed: accountTypes,
    column: null,
  }),
}
