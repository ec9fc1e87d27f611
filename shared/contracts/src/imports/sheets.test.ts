import { expect, test } from 'vitest'
import { sheetKinds } from '../imports.ts'
import { nearest } from './nearest.ts'
import { readCell } from './read-cell.ts'
import { cellText, column, matchHeadings, plainHeading } from './sheet.ts'
import { sheetOf } from './sheets.ts'

test.each(sheetKinds)('the sheet of %s names no column twice, and reads its own examples', (kind) => {
  const seen = new Map<string, string>()
  for (const [key, of] of Object.entries(sheetOf(kind, { sensitive: true }).columns)) {
    const names = [key, of.label.en, of.label.fr, ...of.headings, ...(of.otherwise ?? [])]
    for (const name of new Set(names.map(plainHeading))) {
      expect([name, seen.get(name) ?? key]).toEqual([name, key])
      seen.set(name, key)
    }
    if (kind !== 'target-list')
      for (const example of of.example) expect(readCell(of, example)).toHaveProperty('value')
  }
})

const anything = { label: { en: '', fr: '' }, help: { en: '', fr: '' }, example: ['', ''] as const }

test.each([
  ['date', '03/02/2012', '2012-02-03'],
  ['date', '3.2.2012', '2012-02-03'],
  ['date', '2012-02-03', '2012-02-03'],
  ['date', '2012-02-03 00:00:00', '2012-02-03'],
  ['code', ' ml-001 ', 'ML-001'],
  ['code', 'Ml - 001', 'ML-001'],
  ['code', 1001, '1001'],
  ['flag', 'Oui', 'true'],
  ['flag', 'FALSE', 'false'],
  ['year', '2026/2027', '2026-2027'],
  ['year', '2026-27', '2026-2027'],
  ['whole', '3.0', '3'],
  ['whole', '3,00', '3'],
  ['whole', '0 042', '42'],
  ['phone', 22376123456, '+22376123456'],
  ['phone', '77 123 45 67', '+221771234567'],
  ['number', '1 250,5', '1250.5'],
  ['whole', 42, '42'],
  ['email', ' A@Example.org', 'a@example.org'],
  ['name', 'Awa\u200b  Ba', 'Awa Ba'],
] as const)('a %s written as %s is read as %s', (kind, cell, value) => {
  expect(readCell(column({ ...anything, kind }), cell)).toEqual({ value })
})

test.each([
  ['date', '31/02/2012', 'date'],
  ['date', '02/13/2012', 'date'],
  ['date', '3/2/12', 'date'],
  ['date', 40543, 'date'],
  ['date', '31/12/1899', 'date'],
  ['code', 1.2e17, 'cell_number_eaten'],
  ['code', cellText(1.2e17), 'cell_number_eaten'],
  ['code', 2 ** 53, 'cell_number_eaten'],
  ['phone', '2.2376E+10', 'cell_number_eaten'],
  ['phone', cellText(1.2e17), 'cell_number_eaten'],
  ['text', '#SPILL!', 'cell_error|#SPILL!'],
  ['text', '#N/D', 'cell_error|#N/D'],
  ['text', '#valeur!', 'cell_error|#valeur!'],
  ['text', '#NOM ?', 'cell_error|#NOM ?'],
  ['text', '=', 'cell_formula'],
  ['flag', 'perhaps', 'flag_form'],
  ['year', '2026-2028', 'academic_year'],
  ['whole', 1.5, 'whole'],
  ['whole', 1.125, 'whole'],
  ['whole', '1.000', 'whole_form|1.000'],
  ['whole', '1,000', 'whole_form|1,000'],
  ['whole', '1.000.000', 'whole'],
  ['whole', -1, 'between|0|50'],
  ['email', 'awa', 'email'],
  ['name', '123', 'name_letters'],
] as const)('a %s written as %s is refused with %s', (kind, cell, problem) => {
  expect(readCell(column({ ...anything, kind }), cell)).toEqual({ problem })
})

test('a birth date cannot lie ahead, and several values are put in one order', () => {
  const past = column({ ...anything, kind: 'date', past: true })
  expect(readCell(past, '01/01/2999')).toEqual({ problem: 'date_future' })
  const today = new Date().toISOString().slice(0, 10)
  expect(readCell(past, today)).toEqual({ value: today })
  expect(readCell(column({ ...anything, kind: 'code', many: true }), 'b-10; a-2,B-2\nb-10')).toEqual({
    value: 'A-2; B-2; B-10',
  })
})

test('a word of a closed list is understood in either language, a mistyped one gets the nearest', () => {
  const { gender } = sheetOf('students', { sensitive: false }).columns
  if (!gender) throw new Error('There is no gender')
  expect(readCell(gender, 'Féminin')).toEqual({ value: 'female' })
  expect(readCell(gender, 'femal')).toEqual({ problem: 'not_listed_near|femal|female' })
  expect(nearest('CAP KAIES', ['CAP KITA', 'CAP KAYES', 'CAP KATI'])).toBe('CAP KAYES')
  expect(nearest('Wxyz', ['CAP KITA'])).toBeUndefined()
})

test('sensitive columns are in the sheet only for who may fill them', () => {
  expect(sheetOf('students', { sensitive: true }).columns).toHaveProperty('maternal_status')
  expect(sheetOf('students', { sensitive: false }).columns).not.toHaveProperty('maternal_status')
})

test('a heading that a person named is what she says, and no other heading is that column', () => {
  const students = sheetOf('students', { sensitive: false })
  const chosen = { 'N° DREN': 'student_code', Prénom: '', 'In another file': 'last_name' }
  const match = matchHeadings({ ...students, chosen }, ['N° dren', 'Code élève', 'Prénom', 'Nom'])
  expect(match.columns).toEqual({ student_code: 0, last_name: 3 })
  expect(match.extra).toEqual(['Code élève', 'Prénom'])
  expect(match.missing).toContain('first_name')
})

test('“Matricule” is the student code in every list, and left out beside a heading of that code', () => {
  for (const kind of ['students', 'target-list'] as const)
    expect(matchHeadings(sheetOf(kind, { sensitive: false }), ['Matricule']).columns).toEqual({
      student_code: 0,
    })
  const students = sheetOf('students', { sensitive: false })
  expect(matchHeadings(students, ['Matricule', 'Code élève'])).toMatchObject({
    columns: { student_code: 1 },
    doubled: [],
    extra: ['Matricule'],
  })
  expect(matchHeadings(students, ['Matricule', 'MATRICULE']).doubled).toEqual(['student_code'])
})

test('a heading that was left out because of another one is recognised in the next file, where that one is missing', () => {
  const remembered = { 'N° dren': 'student_code', 'Code élève': '' }
  const of = { ...sheetOf('students', { sensitive: true }), remembered }
  const names = ['Prénom', 'Nom']
  expect(matchHeadings(of, ['N° dren', 'Code élève', ...names])).toMatchObject({
    columns: { student_code: 0 },
    doubled: [],
    extra: ['Code élève'],
  })
  expect(matchHeadings(of, ['Code élève', ...names]).columns.student_code).toBe(0)
  // She leaves it out herself.
  const chosen = { 'Code élève': '' }
  expect(matchHeadings({ ...of, chosen }, ['Code élève', ...names]).columns.student_code).toBeUndefined()
})
