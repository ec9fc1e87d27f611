import { i18n } from '@lingui/core'
import { currentLocale, type Locale } from './locale.ts'

/** The franc's name as each language writes it; catalogs and exports say the same. */
const currencies: Record<Locale, string> = { en: 'XOF', fr: 'F\u00a0CFA' }
/** The franc's name in the current language. */
export const currencyName = (): string => currencies[currentLocale()]

/** An amount cut where the design changes weight: francs strong, decimals and currency muted. */
export type MoneyParts = { whole: string; decimals: string; currency: string }

/** What stands where there is no value. */
export const nothing = '–'

const made = new Map<string, Intl.NumberFormat>()

function numbers(decimals: number, percent = false, least = decimals): Intl.NumberFormat {
  const key = `${currentLocale()} ${decimals} ${percent} ${least}`
  let format = made.get(key)
  if (!format) {
    format = new Intl.NumberFormat(currentLocale(), {
      style: percent ? 'percent' : 'decimal',
      minimumFractionDigits: least,
      maximumFractionDigits: decimals,
    })
    made.set(key, format)
  }
  return format
}

type Numeric = number | bigint

/** A count or figure, without decimals unless asked: `15,012`. */
export const formatNumber = (value: Numeric, decimals = 0): string => numbers(decimals).format(value)

/** A share of one as a percentage: `0.126` is `12.6%`, `12,6 %` in French. */
export const formatPercent = (share: number, decimals = 0): string => numbers(decimals, true).format(share)

/** A rate with the decimals it needs: `2` is `2%` or `2 %`, `2.5` is `2.5%` or `2,5 %`. */
export const formatRate = (percent: number): string => numbers(2, true, 0).format(percent / 100)

/** Whole francs in parts; joined they read `10,500.00 XOF` in English, `10 500 F CFA` in French. */
export function formatMoney(amount: Numeric): MoneyParts {
  const shown = numbers(currentLocale() === 'fr' ? 0 : 2).formatToParts(amount)
  const cut = shown.findIndex((part) => part.type === 'decimal')
  const join = (parts: Intl.NumberFormatPart[]) => parts.map((part) => part.value).join('')
  return {
    whole: join(cut < 0 ? shown : shown.slice(0, cut)),
    decimals: cut < 0 ? '' : join(shown.slice(cut)),
    currency: currencyName(),
  }
}

/** An amount as one string, for sentences, titles and labels. */
export function moneyText(amount: Numeric): string {
  const { whole, decimals, currency } = formatMoney(amount)
  return `${whole}${decimals}\u00a0${currency}`
}

/** Bytes as people read them: `412 KB`, `412 Ko` in French. */
export function formatBytes(bytes: number): string {
  const units = i18n.locale === 'fr' ? ['o', 'Ko', 'Mo', 'Go'] : ['B', 'KB', 'MB', 'GB']
  let size = bytes
  let step = 0
  while (size >= 1000 && step < 3) {
    size /= 1024
    step += 1
  }
  return `${formatNumber(size, step > 1 && size < 10 ? 1 : 0)}\u00a0${units[step]}`
}

type When = string | null | undefined

/** ISO date and time in UTC, the countries' own time zone; undefined when it is not a date. */
function utc(iso: When): string | undefined {
  if (!iso) return undefined
  if (/^\d{4}-\d{2}-\d{2}$/.test(iso)) return `${iso}T00:00`
  const at = new Date(/(Z|[+-]\d{2}:?\d{2})$/i.test(iso) ? iso : `${iso.replace(' ', 'T')}Z`)
  return Number.isNaN(at.getTime()) ? undefined : at.toISOString()
}

const day = (at: string) => `${at.slice(8, 10)}/${at.slice(5, 7)}/${at.slice(0, 4)}`

/** `dd/mm/yyyy` from a date or a moment. */
export function formatDate(iso: When): string {
  const at = utc(iso)
  return at ? day(at) : nothing
}

/** Today as `YYYY-MM-DD` in UTC, the countries' own time zone. */
export const today = (): string => new Date().toISOString().slice(0, 10)

/** `HH:mm` of a moment. */
export const formatTime = (iso: When): string => utc(iso)?.slice(11, 16) ?? nothing

/** `dd/mm/yyyy HH:mm` of a moment. */
export function formatDateTime(iso: When): string {
  const at = utc(iso)
  return at ? `${day(at)} ${at.slice(11, 16)}` : nothing
}

const spans: [Intl.RelativeTimeFormatUnit, number][] = [
  ['year', 31_536_000],
  ['month', 2_592_000],
  ['week', 604_800],
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
]

/** How far a moment is from `now` in the current language: `3 hours ago`, `dans 2 jours`. */
export function formatRelative(iso: When, now: number | Date = Date.now()): string {
  const at = utc(iso)
  if (!at) return nothing
  const seconds = (Date.parse(at.length > 16 ? at : `${at}Z`) - Number(now)) / 1000
  const words = new Intl.RelativeTimeFormat(i18n.locale || 'en', { numeric: 'auto' })
  for (const [unit, length] of spans) {
    if (Math.abs(seconds) >= length) return words.format(Math.trunc(seconds / length), unit)
  }
  return words.format(Math.trunc(seconds), 'second')
}

const groups: Record<string, [RegExp, string]> = {
  '+223': [/^(\d{2})(\d{2})(\d{2})(\d{2})$/, '$1 $2 $3 $4'],
  '+221': [/^(\d{2})(\d{3})(\d{2})(\d{2})$/, '$1 $2 $3 $4'],
}

/** A number of Mali or Senegal as it is read aloud, without its country code; others as they are. */
export function formatPhone(e164: string | null | undefined): string {
  if (!e164) return nothing
  const [form, pattern] = groups[e164.slice(0, 4)] ?? []
  const rest = e164.slice(4)
  return form && pattern && form.test(rest) ? rest.replace(form, pattern) : e164
}
