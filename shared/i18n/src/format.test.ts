import { i18n } from '@lingui/core'
import { afterEach, expect, test } from 'vitest'
import {
  formatBytes,
  formatDate,
  formatDateTime,
  formatMoney,
  formatNumber,
  formatPercent,
  formatPhone,
  formatRate,
  formatRelative,
  moneyText,
} from './format.ts'
import { initials } from './initials.ts'
import { activate, detectLocale, loadCatalog, locales } from './locale.ts'

const plain = (text: string) => text.replace(/[\u00a0\u202f]/g, ' ')

loadCatalog('en', {})
loadCatalog('fr', {})

afterEach(() => activate('en'))

test('francs read as English writes them in English, with two decimals', () => {
  expect(formatMoney(10500)).toEqual({ whole: '10,500', decimals: '.00', currency: 'XOF' })
  expect(plain(moneyText(160_778_520n))).toBe('160,778,520.00 XOF')
  expect(formatNumber(15012)).toBe('15,012')
  expect([formatRate(2), formatRate(2.5), formatRate(0), formatRate(0.29)]).toEqual([
    '2%',
    '2.5%',
    '0%',
    '0.29%',
  ])
})

test('francs read as French writes them in French, with narrow spaces that do not break', () => {
  activate('fr')
  expect(moneyText(424_000)).toBe('424\u202f000\u00a0F\u00a0CFA')
  expect(formatMoney(10500).decimals).toBe('')
  expect(plain(formatNumber(15012))).toBe('15 012')
  expect(plain(formatPercent(0.126, 1))).toBe('12,6 %')
  expect([formatRate(2), formatRate(2.5), formatRate(0)].map(plain)).toEqual(['2 %', '2,5 %', '0 %'])
})

test('whole parts joined again are the amount, however large', () => {
  for (const amount of [0, 1, 999, 1000, 2_000_000, 1_241_142_000, Number.MAX_SAFE_INTEGER]) {
    for (const locale of locales) {
      activate(locale)
      expect(Number(formatMoney(amount).whole.replace(/\D/g, ''))).toBe(amount)
    }
  }
})

test('dates are the same in every time zone of the reader', () => {
  expect(formatDate('2026-11-20')).toBe('20/11/2026')
  expect(formatDateTime('2026-11-20T23:59:59.999Z')).toBe('20/11/2026 23:59')
  expect(formatDateTime('2026-11-21T01:30:00+02:00')).toBe('20/11/2026 23:30')
  expect(formatDateTime('2026-11-20 15:42:00')).toBe('20/11/2026 15:42')
})

test('what is missing or no date is a dash, never a crash', () => {
  for (const value of [null, undefined, '', 'N/A']) expect(formatDate(value)).toBe('–')
  expect(formatPhone(null)).toBe('–')
})

test('the distance to now is said in the current language', () => {
  const now = Date.parse('2026-11-20T12:00:00Z')
  expect(formatRelative('2026-11-20T09:00:00Z', now)).toBe('3 hours ago')
  activate('fr')
  expect(plain(formatRelative('2026-11-22T12:00:00Z', now))).toBe('après-demain')
  expect(plain(formatRelative('2026-11-20T11:58:00Z', now))).toBe('il y a 2 minutes')
})

test('phones are grouped as they are read aloud in Mali and Senegal', () => {
  expect(formatPhone('+22376412087')).toBe('76 41 20 87')
  expect(formatPhone('+221771234567')).toBe('77 123 45 67')
  expect(formatPhone('+22312')).toBe('+22312')
  expect(formatPhone('+33612345678')).toBe('+33612345678')
})

test('sizes and initials', () => {
  expect(plain(formatBytes(421_888))).toBe('412 KB')
  expect(plain(formatBytes(1_468_006))).toBe('1.4 MB')
  expect(initials('Aminata Traoré')).toBe('AT')
  expect(initials(' Niélé ')).toBe('N')
})

test('the first browser language the product speaks is taken', () => {
  expect(detectLocale(['bm-ML', 'fr-ML', 'en'])).toBe('fr')
  expect(detectLocale(['de', 'en-GB'])).toBe('en')
  expect(detectLocale([])).toBe('en')
})

test('numbers inside French sentences are French, zero is singular', () => {
  loadCatalog('fr', {
    rows: [['n', 'plural', { 0: ['#', ' ligne'], one: ['#', ' ligne'], other: ['#', ' lignes'] }]],
  })
  activate('fr')
  expect(plain(i18n._('rows', { n: 15012 }))).toBe('15 012 lignes')
  expect(i18n._('rows', { n: 0 })).toBe('0 ligne')
})
