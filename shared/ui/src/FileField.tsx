import type { FieldValues } from 'react-hook-form'
import { type FieldProps, useField } from './Field.tsx'
import { FieldFrame } from './FieldFrame.tsx'
import { FileDrop } from './FileDrop.tsx'
import type { IconName } from './Icon.tsx'

/** A file of a form; the form holds the `File`, or null. */
export function FileField<Values extends FieldValues>(
  props: FieldProps<Values> & { accept?: string; icon?: IconName },
) {
  const { label, help, required, accept, icon } = props
  const { error, value, onChange, onBlur, name, disabled, ref } = useField(props)
  return (
    <FieldFrame label={label} help={help} required={required} error={error}>
      {(worn) => (
        <FileDrop
          id={worn.id}
          file={value ?? null}
          onFile={onChange}
          accept={accept}
          icon={icon}
          disabled={disabled}
          name={name}
          onBlur={onBlur}
          buttonRef={ref}
          describedBy={worn['aria-describedby']}
          invalid={worn['aria-invalid']}
        />
      )}
    </FieldFrame>
  )
}
