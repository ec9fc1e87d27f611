import { expect, test } from 'vitest'
import { say } from '../sentences.ts'
import { readAccount, readBic } from './account.ts'

const read = (cell: string | number, country: 'ml' | 'sn' = 'ml') => {
  const account = readAccount(cell, country)
  return 'account' in account ? account.account : say(account.problem, 'en')
}

// Published examples of the region's banks: their last 24 characters are RIBs whose keys must hold.
test.each([
  ['SN08SN0100152000048500003035', 'sn'],
  ['SN12K00100152000025690007542', 'sn'],
  ['ML13ML0160120102600100668497', 'ml'],
  ['ML03D00890170001002120000447', 'ml'],
] as const)('the published IBAN %s and the RIB inside it are accepted', (iban, country) => {
  expect(read(iban, country)).toBe(iban)
  expect(read(iban.slice(4), country)).toBe(iban.slice(4))
  expect(read(iban.toLowerCase().replace(/(.{4})/g, '$1 '), country)).toBe(iban)
})

test('any single mistyped digit of a RIB is found', () => {
  const rib = 'ML0160120102600100668497'
  for (let at = 2; at < rib.length; at++) {
    for (const digit of '0123456789') {
      if (digit === rib[at]) continue
      expect(read(rib.slice(0, at) + digit + rib.slice(at + 1))).toBe(
        'This RIB is mistyped: its key does not fit.',
      )
    }
  }
})

test('any two neighbouring digits of an IBAN that change places are found', () => {
  const iban = 'ML13ML0160120102600100668497'
  for (let at = 6; at < iban.length - 1; at++) {
    const [one, two] = [iban[at]!, iban[at + 1]!]
    if (one === two) continue
    expect(read(iban.slice(0, at) + two + one + iban.slice(at + 2))).toMatch(/mistyped/)
  }
})

test.each([
  ['0'.repeat(24), 'This RIB is mistyped: its key does not fit.'],
  ['ML016012010260010066849A', 'This RIB is mistyped: its key does not fit.'],
  ['12345', 'Write an IBAN of 28 characters or a RIB of 24; this has 5.'],
  ['SN08SN0100152000048500003035', 'An IBAN of this country starts with ML.'],
  ['ML0160120102600100668*97', 'An account is written with letters and digits only, not *.'],
  [4.1e23, 'Excel has shortened this number. Format the column as text and write it in full.'],
  ['4,1E+23', 'Excel has shortened this number. Format the column as text and write it in full.'],
])('%s is refused with a sentence', (cell, sentence) => {
  expect(read(cell)).toBe(sentence)
})

test('a BIC has 8 or 11 characters', () => {
  expect(readBic(' bmsm mlba ')).toEqual({ bic: 'BMSMMLBA' })
  expect(readBic('BMSMMLBAXXX')).toEqual({ bic: 'BMSMMLBAXXX' })
  expect(readBic('BMSMMLB')).toEqual({ problem: 'bic_form' })
})
