import { type ReactNode, useState } from 'react'
import type { FieldValues } from 'react-hook-form'
import { type FieldProps, useField } from './Field.tsx'
import { FieldFrame } from './FieldFrame.tsx'

/** A typed number: `10,500`, `10 500` and `2,5` are understood; `null` when empty, the text itself when it is none. */
export function readNumber(typed: string): number | string | null {
  const plain = typed.replace(/\s/g, '')
  if (plain === '') return null
  const grouped = /^-?[1-9]\d{0,2}(,\d{3})+(\.\d+)?$/.test(plain)
  const value = Number(grouped ? plain.replaceAll(',', '') : plain.replace(',', '.'))
  return Number.isFinite(value) ? value : typed
}

/** A number as people type it; the form holds a number, null, or the text that is not one. */
export function NumberField<Values extends FieldValues>(
  props: FieldProps<Values> & { suffix?: ReactNode; placeholder?: string; whole?: boolean },
) {
  const { label, help, required, suffix, placeholder, whole } = props
  const { error, value, onChange, ...field } = useField(props)
  const [typed, setTyped] = useState<string>()
  // The typed text stays as it is while it still means the form's value.
  const shown = typed !== undefined && readNumber(typed) === (value ?? null) ? typed : String(value ?? '')
  return (
    <FieldFrame label={label} help={help} required={required} error={error}>
      {(worn) => (
        <span className="with-end">
          <input
            className="input"
            inputMode={whole ? 'numeric' : 'decimal'}
            autoComplete="off"
            placeholder={placeholder}
            {...field}
            {...worn}
            value={shown}
            onChange={(event) => {
              setTyped(event.target.value)
              onChange(readNumber(event.target.value))
            }}
          />
          {suffix && <span className="suffix">{suffix}</span>}
        </span>
      )}
    </FieldFrame>
  )
}
