import { Combobox } from '@portal/ui/Combobox'
import { type FieldProps, useField } from '@portal/ui/Field'
import { FieldFrame } from '@portal/ui/FieldFrame'
import type { FieldValues } from 'react-hook-form'
import { type Options, useReferences } from './reference/useReferences.ts'

/**
 * A school, a student or a case in a form, for a field of type reference: found by words of its name and its code, among those that
 * the person may see. The form holds its id, or null.
 */
export function ReferenceField<Values extends FieldValues>(
  props: FieldProps<Values> & Pick<Options, 'endpoint' | 'known'>,
) {
  const { label, help, required, endpoint, known, name } = props
  const { error, value, onChange, ...field } = useField(props)
  const { pick, ...found } = useReferences({
    endpoint,
    known,
    // The field of the collection: `school` of `data.school`.
    field: name.slice(name.lastIndexOf('.') + 1),
    value: value ?? null,
  })
  return (
    <FieldFrame label={label} help={help} required={required} error={error}>
      {(worn) => (
        <Combobox
          {...found}
          found={String(label)}
          input={{ ...field, ...worn }}
          onChoose={(thing) => {
            pick(thing)
            onChange(thing.id)
          }}
          onEmpty={() => onChange(null)}
        />
      )}
    </FieldFrame>
  )
}
