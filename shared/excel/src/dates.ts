/** Days of Excel's calendar that exist: 1900-01-01 to 9999-12-31. */
const lastDay = 2_958_465

/** Number formats of the standard that show a day; 45-47 and 18-21 show a time only. */
const builtIn = new Set([
  14, 15, 16, 17, 22, 27, 28, 29, 30, 31, 34, 35, 36, 50, 51, 52, 53, 54, 55, 56, 57, 58,
])

/** Whether a number in this format is a day. Quoted text, colours and locales in it say nothing. */
export function showsDay(id: number, code: string | undefined): boolean {
  if (code === undefined) return builtIn.has(id)
  // A span of time has its hours, minutes or seconds in brackets, as in `[h]:mm`.
  const timed = code.replace(/\[(?:h+|m+|s+)\]/gi, 'h')
  const bare = timed.replace(/"[^"]*"|\\.|_.|\*.|\[[^\]]*\]|General|E[+-]/gi, '').split(';')[0] ?? ''
  return /[dyj]/i.test(bare) || (/m/i.test(bare) && !/[hs]/i.test(bare))
}

/** `YYYY-MM-DD` of Excel's day number; null where the number is no day. */
export function excelDay(serial: number, since1904: boolean): string | null {
  // Excel counts a 29 February 1900, which did not exist, so earlier numbers are one too low.
  const number = Math.floor(serial + 1e-6)
  const day = since1904 ? number + 1462 : number < 60 ? number + 1 : number
  if (number < (since1904 ? 0 : 1) || day > lastDay || number === 60) return null
  return new Date((day - 25_569) * 86_400_000).toISOString().slice(0, 10)
}

/** An instant in ISO, or as PostgreSQL writes it: `2026-11-20 08:30:00.5+00`. */
const instant = /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d(?::?\d\d)?)$/

/** Excel's day number of a `YYYY-MM-DD` or an instant in UTC, with its fraction of a day; NaN for any other text. */
export function excelSerial(text: string): number {
  const day = text.slice(0, 10)
  // Excel counts a 29 February 1900, so days before March are numbered differently there.
  if (day < '1900-03-01' || !isDay(day)) return Number.NaN
  if (text.length > 10 && !instant.test(text)) return Number.NaN
  const iso =
    text.length === 10 ? `${text}T00:00:00Z` : text.replace(' ', 'T').replace(/([+-]\d\d)$/, '$1:00')
  return Date.parse(iso) / 86_400_000 + 25_569
}

/** Whether a text is a `YYYY-MM-DD` that exists, which 30 February does not. */
function isDay(text: string): boolean {
  const date = new Date(`${text}T00:00:00Z`)
  return (
    /^\d{4}-\d\d-\d\d$/.test(text) && !Number.isNaN(date.getTime()) && date.toISOString().startsWith(text)
  )
}
