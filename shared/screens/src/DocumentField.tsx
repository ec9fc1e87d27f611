import { type FieldProps, useField } from '@portal/ui/Field'
import type { ReactNode } from 'react'
import type { FieldValues } from 'react-hook-form'
import { DocumentDrop } from './DocumentDrop.tsx'

/** A document of a case in a form; the form holds the `File`, or null. */
export function DocumentField<Values extends FieldValues>(props: FieldProps<Values> & { help: ReactNode }) {
  const { label, help, required } = props
  const { error, value, onChange, onBlur, name, disabled, ref } = useField(props)
  return (
    <DocumentDrop
      label={label}
      help={help}
      required={required}
      name={name}
      file={value ?? null}
      onFile={onChange}
      onBlur={onBlur}
      buttonRef={ref}
      disabled={disabled}
      error={error}
    />
  )
}
