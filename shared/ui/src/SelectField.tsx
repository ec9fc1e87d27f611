import { useLingui } from '@lingui/react/macro'
import { type ReactNode, useId } from 'react'
import type { FieldValues } from 'react-hook-form'
import { type FieldProps, useField } from './Field.tsx'
import { FieldFrame } from './FieldFrame.tsx'
import { Icon } from './Icon.tsx'

/** A choice: what is stored, and its words. */
export type Option = { value: string | number; label: string; disabled?: boolean }

type Props<Values extends FieldValues> = FieldProps<Values> & {
  options: readonly Option[]
  /** Words of the empty choice; `false` when there is none to make. */
  placeholder?: string | false
}

/** One of a list, with the device's own picker; the form holds the option's value, or null. */
export function SelectField<Values extends FieldValues>(props: Props<Values>) {
  const { t } = useLingui()
  const { label, help, required, options, placeholder } = props
  const { error, value, onChange, ...field } = useField(props)
  return (
    <FieldFrame label={label} help={help} required={required} error={error}>
      {(worn) => (
        <span className="select">
          <select
            className="input"
            {...field}
            {...worn}
            value={value ?? ''}
            onChange={(event) => {
              const chosen = options.find((option) => String(option.value) === event.target.value)
              onChange(chosen ? chosen.value : null)
            }}
          >
            {placeholder !== false && <option value="">{placeholder ?? t`Choose…`}</option>}
            {options.map((option) => (
              <option key={option.value} value={option.value} disabled={option.disabled}>
                {option.label}
              </option>
            ))}
          </select>
          <Icon name="down" size={16} />
        </span>
      )}
    </FieldFrame>
  )
}

/** Yes or no, with its label at the right. */
export function CheckboxField<Values extends FieldValues>(props: FieldProps<Values>) {
  const { error, value, onChange, ...field } = useField(props)
  const { label, help } = props
  const id = useId()
  return (
    <div className={error ? 'field has-error' : 'field'}>
      <label className="check">
        <input
          type="checkbox"
          {...field}
          checked={Boolean(value)}
          aria-invalid={error ? true : undefined}
          aria-describedby={error ? id : undefined}
          onChange={(event) => onChange(event.target.checked)}
        />
        <span>{label}</span>
        {help && <small>{help}</small>}
      </label>
      {error && (
        <span id={id} className="error-text" role="alert">
          <Icon name="bad" size={14} />
          {error}
        </span>
      )}
    </div>
  )
}

type ChecksProps<Values extends FieldValues> = FieldProps<Values> & {
  options: readonly (Option & { help?: ReactNode })[]
}

/** Any of a list, as check boxes; the form holds the chosen values in the list's order. */
export function ChecksField<Values extends FieldValues>(props: ChecksProps<Values>) {
  const { label, help, required, options } = props
  const { error, value, onChange, ref, disabled, ...field } = useField(props)
  const chosen: (string | number)[] = value ?? []
  return (
    <FieldFrame group label={label} help={help} required={required} error={error}>
      {() => (
        <div className="checks">
          {options.map((option, place) => (
            <label key={option.value} className="check">
              <input
                type="checkbox"
                name={field.name}
                onBlur={field.onBlur}
                ref={place === 0 ? ref : undefined}
                disabled={disabled || option.disabled}
                checked={chosen.includes(option.value)}
                onChange={(event) => {
                  const wanted = new Set(chosen)
                  if (event.target.checked) wanted.add(option.value)
                  else wanted.delete(option.value)
                  onChange(options.map((each) => each.value).filter((each) => wanted.has(each)))
                }}
              />
              <span>{option.label}</span>
              {option.help && <small>{option.help}</small>}
            </label>
          ))}
        </div>
      )}
    </FieldFrame>
  )
}
