import type { Picture } from '@portal/contracts/record-pictures'
import type { PictureCalls } from '@portal/contracts/records'
import type { FieldProps } from '@portal/ui/Field'
import { FieldFrame } from '@portal/ui/FieldFrame'
import { type FieldError, type FieldValues, useController } from 'react-hook-form'
import { PictureBox } from './picture/PictureBox.tsx'

/**
 * A picture in a form, for a field of type picture. It is made smaller in the browser and sent when it is chosen; the form holds
 * its number and what is to be seen on it, or null. `calls` are those of the collection: `meals`.
 */
export function PictureField<Values extends FieldValues>(
  props: FieldProps<Values> & { calls: PictureCalls },
) {
  const { label, help, required, calls, control, name, disabled } = props
  const { field, fieldState } = useController({ control, name })
  return (
    <FieldFrame group label={label} help={help} required={required} error={errorIn(fieldState.error)}>
      {(worn) => (
        <PictureBox
          {...{ calls, worn }}
          value={(field.value as Picture | null | undefined) ?? null}
          onChange={field.onChange}
          onBlur={field.onBlur}
          name={name}
          disabled={disabled || field.disabled}
        />
      )}
    </FieldFrame>
  )
}

/** The sentence about the picture, or about its number: one that is still being sent has none. */
const errorIn = (error: (FieldError & { id?: FieldError; alt?: FieldError }) | undefined) =>
  error?.message ?? error?.id?.message ?? error?.alt?.message
