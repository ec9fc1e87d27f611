import { expect, test } from 'vitest'
import { say } from './sentences.ts'

test('a person who chose nothing reads what to choose', () => {
  expect(say('choose', 'en', 'transfer_agency_id')).toBe('Choose a transfer agency.')
  expect(say('choose', 'fr', 'transfer_agency_id')).toBe('Choisissez une agence de transfert.')
  expect(say('choose', 'en', 'another_field')).toBe('Choose one of the list.')
})

test('a person reads the numbers of a sentence as her language writes them', () => {
  expect(say('amount_max|2000000', 'en')).toBe('The amount is at most 2,000,000 francs.')
  expect(say('amount_max|2000000', 'fr')).toBe('Le montant est d’au plus 2\u202f000\u202f000 francs.')
})
