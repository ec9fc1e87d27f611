import { useLingui } from '@lingui/react/macro'
import { formatDate } from '@portal/i18n/format'
import { type InputHTMLAttributes, type Ref, useRef, useState } from 'react'
import { IconButton } from './Button.tsx'

/** A typed date as YYYY-MM-DD; `null` when empty, the text itself when it is no date of the calendar. */
export function readDate(typed: string): string | null {
  const text = typed.trim()
  if (text === '') return null
  const day = /^(\d{1,2})[/.\- ](\d{1,2})[/.\- ](\d{4})$/.exec(text)
  const iso = day ? `${day[3]}-${day[2]?.padStart(2, '0')}-${day[1]?.padStart(2, '0')}` : text
  const time = Date.parse(`${iso}T00:00Z`)
  const real = /^\d{4}-\d{2}-\d{2}$/.test(iso) && new Date(time || 0).toISOString().startsWith(iso)
  return real ? iso : text
}

/** A day to filter by; it counts once it is a date of the calendar. */
export function FilterDay({
  label,
  value,
  onChange,
}: {
  label: string
  value: string
  onChange: (day: string) => void
}) {
  const [typed, setTyped] = useState<string | null>(null)
  const write = (day: string | null) => {
    const isDay = day === null || /^\d{4}-\d{2}-\d{2}$/.test(day)
    setTyped(isDay ? null : day)
    if (isDay && (day ?? '') !== value) onChange(day ?? '')
  }
  return (
    <span className={value ? 'filter day is-on' : 'filter day'}>
      <span aria-hidden="true">{label}</span>
      <DateBox aria-label={label} value={typed ?? value} onChange={write} onBlur={() => setTyped(null)} />
    </span>
  )
}

type DateBoxProps = {
  value: string | null | undefined
  onChange: (day: string | null) => void
  onBlur: () => void
  min?: string
  max?: string
  disabled?: boolean
  ref?: Ref<HTMLInputElement>
} & Pick<
  InputHTMLAttributes<HTMLInputElement>,
  'id' | 'name' | `aria-${'label' | 'describedby' | 'invalid' | 'required'}`
>

/**
 * A date as YYYY-MM-DD, written dd/mm/yyyy in both languages. The browser's own field writes dates in the browser's language,
 * so it only lends its calendar; isolated frames get none.
 */
export function DateBox({ value, onChange, onBlur, min, max, ...input }: DateBoxProps) {
  const { t } = useLingui()
  const [typed, setTyped] = useState('')
  const picker = useRef<HTMLInputElement>(null)
  const stored = value ?? ''
  const day = stored.slice(0, 10)
  const isDate = /^\d{4}-\d{2}-\d{2}/.test(stored)
  const settled = isDate ? formatDate(day) : stored
  const pick = () => {
    try {
      picker.current?.showPicker()
    } catch {
      picker.current?.parentElement?.querySelector('input')?.focus()
    }
  }
  return (
    <span className="with-end">
      <input
        className="input"
        inputMode="numeric"
        autoComplete="off"
        placeholder={t`dd/mm/yyyy`}
        {...input}
        value={(readDate(typed) ?? '') === stored ? typed : settled}
        onChange={(event) => {
          setTyped(event.target.value)
          onChange(readDate(event.target.value))
        }}
        onBlur={() => {
          setTyped('')
          onBlur()
        }}
      />
      <input
        ref={picker}
        type="date"
        tabIndex={-1}
        aria-hidden="true"
        min={min}
        max={max}
        value={isDate ? day : ''}
        onChange={(event) => {
          setTyped('')
          onChange(event.target.value || null)
        }}
      />
      <IconButton icon="calendar" label={t`Choose a date`} disabled={input.disabled} onClick={pick} />
    </span>
  )
}
