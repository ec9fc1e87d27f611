import { useLingui } from '@lingui/react/macro'
import { formatDate } from '@portal/i18n/format'
import { useRef, useState } from 'react'
import type { FieldValues } from 'react-hook-form'
import { IconButton } from './Button.tsx'
import { FieldFrame, type FieldProps, useField } from './Field.tsx'

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

type Props<Values extends FieldValues> = FieldProps<Values> & { min?: string; max?: string }

/**
 * A date written dd/mm/yyyy in both languages, or picked from the device's calendar; the form holds YYYY-MM-DD.
 * The browser's own date field writes dates in the browser's language, so it only lends its calendar.
 */
export function DateField<Values extends FieldValues>(props: Props<Values>) {
  const { t } = useLingui()
  const { error, value, onChange, ...field } = useField(props)
  const [typed, setTyped] = useState<string>()
  const picker = useRef<HTMLInputElement>(null)
  const stored: string = value ?? ''
  const day = stored.slice(0, 10)
  const isDate = /^\d{4}-\d{2}-\d{2}/.test(stored) && readDate(day) === day
  const settled = isDate ? formatDate(day) : stored
  return (
    <FieldFrame label={props.label} help={props.help} required={props.required} error={error}>
      {(worn) => (
        <span className="with-end">
          <input
            className="input"
            inputMode="numeric"
            autoComplete="off"
            placeholder={t`dd/mm/yyyy`}
            {...field}
            {...worn}
            value={typed !== undefined && (readDate(typed) ?? '') === stored ? typed : settled}
            onChange={(event) => {
              setTyped(event.target.value)
              onChange(readDate(event.target.value))
            }}
            onBlur={() => {
              setTyped(undefined)
              field.onBlur()
            }}
          />
          <input
            ref={picker}
            type="date"
            tabIndex={-1}
            aria-hidden="true"
            min={props.min}
            max={props.max}
            value={isDate ? day : ''}
            onChange={(event) => {
              setTyped(undefined)
              onChange(event.target.value || null)
            }}
          />
          <IconButton
            icon="calendar"
            label={t`Choose a date`}
            disabled={field.disabled}
            onClick={() => picker.current?.showPicker()}
          />
        </span>
      )}
    </FieldFrame>
  )
}
