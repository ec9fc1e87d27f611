import { auditWords } from '@portal/contracts/audit/fields'
import { activate, loadCatalog } from '@portal/i18n/locale'
import { afterEach, expect, test } from 'vitest'
import { fieldName, pairText, valueText } from './values.ts'

afterEach(() => activate('en'))

test('an auditor reads what changed of a student in the words of the student’s form, in either language', () => {
  const words = auditWords.student
  for (const [locale, label, value] of [
    ['en', 'Student code', 'Female'],
    ['fr', 'Code de l’élève', 'Féminin'],
  ] as const) {
    loadCatalog(locale, {})
    activate(locale)
    expect(fieldName('student_code', words)).toBe(label)
    expect(valueText('female', 'gender', words)).toBe(value)
  }
  expect(fieldName('class_of_before', words)).toBe('class of before')
})

test('an auditor reads in French how large the demo is, and a French colon between a type and a name', () => {
  loadCatalog('fr', {})
  activate('fr')
  expect(valueText('small', 'size')).toBe('petite')
  expect(valueText('full', 'size')).toBe('complète')
  expect(pairText('Utilisateur', 'Awa Diarra')).toMatch(/^Utilisateur\s: Awa Diarra$/)
})
