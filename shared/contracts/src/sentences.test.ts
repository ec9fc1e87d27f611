import { expect, test } from 'vitest'
import { external } from './cases/external.ts'
import { say, sayOfField, sentences } from './sentences.ts'

test('a person who chose nothing reads what to choose', () => {
  expect(say('choose', 'en', 'transfer_agency_id')).toBe('Choose a transfer agency.')
  expect(say('choose', 'fr', 'transfer_agency_id')).toBe('Choisissez une agence de transfert.')
  expect(say('choose', 'en', 'another_field')).toBe('Choose one of the list.')
})

test('a person reads the numbers of a sentence as her language writes them', () => {
  expect(say('amount_max|2000000', 'en')).toBe('The amount is at most 2,000,000 francs.')
  expect(say('amount_max|2000000', 'fr')).toBe('Le montant est d’au plus 2\u202f000\u202f000 francs.')
})

test('a consultant reads a sentence for each fault of her forms, without the sentences about workbooks', () => {
  const document = new File(['text'], 'notes.txt')
  const faults = [
    external.answer.body?.['~standard'].validate({ comment: '', file: document }),
    external.answer.body?.['~standard'].validate({ comment: 'a'.repeat(5001), reject: 'perhaps' }),
    external.addFile.body?.['~standard'].validate({ description: 'a'.repeat(300), file: null }),
    external.addFile.body?.['~standard'].validate({ description: ' ', file: document }),
  ].flatMap((read) => (read && 'issues' in read && read.issues) || [])
  expect(faults.length).toBeGreaterThan(5)
  for (const { message } of faults) {
    expect(Object.keys(sentences)).toContain(message.split('|')[0])
    for (const locale of ['en', 'fr'] as const) {
      expect(sayOfField(message, locale)).not.toBe(message)
      expect(sayOfField(message, locale)).toBe(say(message, locale))
    }
  }
})
