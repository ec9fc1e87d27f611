import { useLingui } from '@lingui/react'
import {
  formatDate,
  formatDateTime,
  formatMoney,
  formatNumber,
  formatRelative,
  formatTime,
  nothing,
} from '@portal/i18n/format'

type MoneyProps = { amount: number | bigint | null | undefined; currency?: false }

/** An amount with its decimals and currency muted; `currency={false}` where a heading says it once. */
export function Money({ amount, currency }: MoneyProps) {
  useLingui()
  if (amount === null || amount === undefined) return <Nothing />
  const parts = formatMoney(amount)
  return (
    <span className="money">
      {parts.whole}
      {parts.decimals && <span className="dec">{parts.decimals}</span>}
      {currency !== false && <span className="cur">{`\u00a0${parts.currency}`}</span>}
    </span>
  )
}

/** A count as the language writes it. */
export function Count({ value }: { value: number | bigint | null | undefined }) {
  useLingui()
  return value === null || value === undefined ? <Nothing /> : formatNumber(value)
}

/** What stands where there is no value. */
export const Nothing = () => <span className="muted">{nothing}</span>

type DateTextProps = { iso: string | null | undefined; time?: boolean | 'below' }

/** A date as dd/mm/yyyy, with the hour muted behind it or below it; the relative form is its tooltip. */
export function DateText({ iso, time }: DateTextProps) {
  useLingui()
  if (!iso || formatDate(iso) === nothing) return <Nothing />
  const title = time ? `${formatDateTime(iso)} UTC, ${formatRelative(iso)}` : formatRelative(iso)
  return (
    <time className="nowrap" dateTime={iso} title={title}>
      {formatDate(iso)}
      {time && (
        <>
          {' '}
          <span className={time === 'below' ? 'sub' : 'muted'}>{formatTime(iso)}</span>
        </>
      )}
    </time>
  )
}
