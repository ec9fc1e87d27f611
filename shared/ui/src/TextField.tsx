import { useLingui } from '@lingui/react/macro'
import { type InputHTMLAttributes, useState } from 'react'
import type { FieldValues } from 'react-hook-form'
import { IconButton } from './Button.tsx'
import { type FieldProps, useField } from './Field.tsx'
import { FieldFrame } from './FieldFrame.tsx'

type InputExtras = Pick<
  InputHTMLAttributes<HTMLInputElement>,
  'type' | 'placeholder' | 'autoComplete' | 'inputMode' | 'maxLength' | 'readOnly' | 'spellCheck'
>

/** One line of text. An empty stored value shows as empty; what is typed is a string. */
export function TextField<Values extends FieldValues>(props: FieldProps<Values> & InputExtras) {
  const { control, name, label, help, required, disabled, ...input } = props
  const { error, value, ...field } = useField(props)
  return (
    <FieldFrame label={label} help={help} required={required} error={error}>
      {(worn) => <input className="input" type="text" {...input} {...field} {...worn} value={value ?? ''} />}
    </FieldFrame>
  )
}

/** Several lines of text. */
export function TextAreaField<Values extends FieldValues>(
  props: FieldProps<Values> & { rows?: number; maxLength?: number; placeholder?: string },
) {
  const { control, name, label, help, required, disabled, ...input } = props
  const { error, value, ...field } = useField(props)
  return (
    <FieldFrame label={label} help={help} required={required} error={error}>
      {(worn) => <textarea className="input" rows={3} {...input} {...field} {...worn} value={value ?? ''} />}
    </FieldFrame>
  )
}

/** A password that can be looked at while it is typed. */
export function PasswordField<Values extends FieldValues>(
  props: FieldProps<Values> & { autoComplete: 'current-password' | 'new-password' },
) {
  const { t } = useLingui()
  const [shown, setShown] = useState(false)
  const { error, value, ...field } = useField(props)
  return (
    <FieldFrame label={props.label} help={props.help} required={props.required} error={error}>
      {(worn) => (
        <span className="with-end">
          <input
            className="input"
            type={shown ? 'text' : 'password'}
            autoComplete={props.autoComplete}
            spellCheck={false}
            autoCapitalize="none"
            {...field}
            {...worn}
            value={value ?? ''}
          />
          <IconButton
            icon={shown ? 'eye-off' : 'eye'}
            label={shown ? t`Hide password` : t`Show password`}
            onClick={() => setShown(!shown)}
          />
        </span>
      )}
    </FieldFrame>
  )
}
