import type { ReactNode } from 'react'
import {
  type Control,
  type ControllerRenderProps,
  type FieldPath,
  type FieldValues,
  useController,
} from 'react-hook-form'

/** What every field of a form takes. Errors come from the form's state, already in words. */
export type FieldProps<Values extends FieldValues> = {
  control: Control<Values>
  name: FieldPath<Values>
  label: ReactNode
  help?: ReactNode
  required?: boolean
  disabled?: boolean
}

type BoundField<Values extends FieldValues> = Omit<
  ControllerRenderProps<Values, FieldPath<Values>>,
  'disabled'
> & { disabled: boolean | undefined; error: string | undefined }

/** Binds a field to its form: value, handlers and the error sentence. */
export function useField<Values extends FieldValues>({
  control,
  name,
  disabled,
}: FieldProps<Values>): BoundField<Values> {
  const { field, fieldState } = useController({ control, name })
  return { ...field, disabled: disabled || field.disabled, error: fieldState.error?.message }
}
