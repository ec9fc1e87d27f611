import { expect, test } from 'vitest'
import { readAccount, readBic } from '../access/account.ts'
import { readPhone } from '../registers/phone.ts'
import { targetListSheet } from '../transfers/target-list.sheet.ts'
import { matchHeadings, plainHeading } from './sheet.ts'

const mobile = targetListSheet('mobile_money')
const bank = targetListSheet('bank')

test.each([
  [
    'the fields’ own names',
    ['receiver_first_name', 'receiver_last_name', 'receiver_phone_number', 'student_code', 'amount'],
  ],
  [
    'English labels',
    ['Receiver first name', 'Receiver last name', 'Receiver phone number', 'Student code', 'Amount'],
  ],
  [
    'French labels',
    [
      'Prénom du destinataire',
      'Nom du destinataire',
      'Téléphone du destinataire',
      'Code de l’élève',
      'Montant',
    ],
  ],
  [
    'French without accents, in capitals',
    ['PRENOM', 'NOM', 'TELEPHONE', "CODE DE L'ELEVE", 'MONTANT (F CFA)'],
  ],
  [
    'decomposed accents and odd spaces',
    ['Pre\u0301nom', ' N o m ', 'Numéro\u00a0de téléphone *', 'Matricule', 'Montant_XOF'],
  ],
])('headings are found as %s', (_, headings) => {
  const match = matchHeadings(mobile, headings)
  expect(match).toMatchObject({ missing: [], doubled: [], extra: [] })
  expect(Object.values(match.columns)).toEqual([0, 1, 2, 3, 4])
})

test('headings may stand in any order, with others between them', () => {
  const match = matchHeadings(mobile, [
    'N°',
    'Student code',
    null,
    'Amount',
    'School',
    'phone',
    'Nom',
    'Prénom',
  ])
  expect(match.columns).toEqual({
    student_code: 1,
    amount: 3,
    receiver_phone_number: 5,
    receiver_last_name: 6,
    receiver_first_name: 7,
  })
  expect(match.extra).toEqual(['N°', 'School'])
})

test('a missing and a doubled heading are named', () => {
  const match = matchHeadings(mobile, ['Prénom', 'First name', 'Nom', 'phone'])
  expect(match.missing).toEqual(['student_code'])
  expect(match.doubled).toEqual(['receiver_first_name'])
})

test('a bank needs the account and can do without the phone', () => {
  const headings = ['Prénom', 'Nom', 'Code élève']
  expect(matchHeadings(bank, headings).missing).toEqual(['receiver_account'])
  expect(matchHeadings(mobile, [...headings, 'RIB']).missing).toEqual(['receiver_phone_number'])
})

test.each([mobile, bank])('no heading names two columns, and the examples are acceptable', ({ columns }) => {
  const seen = new Map<string, string>()
  for (const [key, { label, headings, example, kind }] of Object.entries(columns)) {
    for (const name of new Set([key, label.en, label.fr, ...headings].map(plainHeading))) {
      expect(seen.get(name) ?? key).toBe(key)
      seen.set(name, key)
    }
    for (const value of example.filter((value) => value !== '')) {
      if (kind === 'phone') expect(readPhone(value, 'ml')).toHaveProperty('e164')
      if (key === 'receiver_account') expect(readAccount(value, 'ml')).toHaveProperty('account')
      if (key === 'receiver_bank') expect(readBic(value)).toHaveProperty('bic')
    }
  }
})
