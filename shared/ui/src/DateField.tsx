import type { FieldValues } from 'react-hook-form'
import { DateBox } from './DateBox.tsx'
import { type FieldProps, useField } from './Field.tsx'
import { FieldFrame } from './FieldFrame.tsx'

type Props<Values extends FieldValues> = FieldProps<Values> & { min?: string; max?: string }

/** A date of a form; the form holds YYYY-MM-DD, or what was typed when that is no date. */
export function DateField<Values extends FieldValues>(props: Props<Values>) {
  const { error, ...field } = useField(props)
  return (
    <FieldFrame label={props.label} help={props.help} required={props.required} error={error}>
      {(worn) => <DateBox {...field} {...worn} min={props.min} max={props.max} />}
    </FieldFrame>
  )
}
