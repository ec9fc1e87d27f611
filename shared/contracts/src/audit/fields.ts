import { accountFields } from '../access/users.fields.ts'
import { auditFieldName, type FieldWords } from '../audit.ts'
import type { Fields } from '../field.ts'
import type { ReferenceList } from '../imports/sheet.ts'
import { parentFields } from '../registers/parents.fields.ts'
import { partnerFields } from '../registers/partners.fields.ts'
import { schoolFields } from '../registers/schools.fields.ts'
import { studentFields } from '../registers/students.fields.ts'
import { teacherFields } from '../registers/teachers.fields.ts'
import type { Text } from '../text.ts'
import { auditedLists } from './values.ts'

/** The fields of what is audited, by its type. Read by the server, which gives their words to the page. */
export const auditedFields: Record<string, Fields> = {
  parent: parentFields,
  partner: partnerFields,
  school: schoolFields,
  student: studentFields,
  teacher: teacherFields,
  user: accountFields,
}

type Words = Record<string, FieldWords>

const plain = (list: Record<string, Text>): FieldWords['values'] =>
  Object.fromEntries(Object.entries(list).map(([code, { en, fr }]) => [code, { en, fr }]))

/** Labels and closed lists of all audited fields, by type and field; `lists` are those that the portal keeps as data. */
export function auditWordsWith(
  lists: Partial<Record<ReferenceList, Record<string, Text>>> = {},
): Record<string, Words> {
  const words: Record<string, Words> = {}
  for (const [type, fields] of Object.entries(auditedFields)) {
    words[type] = Object.fromEntries(
      Object.entries(fields).map(([name, { label, closed, list }]) => [
        name,
        { label, values: plain(closed ?? (list && lists[list]) ?? {}) },
      ]),
    )
  }
  for (const [type, fields] of Object.entries(auditedLists)) {
    const own = Object.entries(fields).map(([name, list]) => [
      name,
      { label: labelOf(name), values: plain(list) },
    ])
    words[type] = { ...words[type], ...Object.fromEntries(own) }
  }
  return words
}

const labelOf = (name: string): Text => ({ en: auditFieldName(name, 'en'), fr: auditFieldName(name, 'fr') })

/** What the contracts themselves say of all audited fields. */
export const auditWords = auditWordsWith()
