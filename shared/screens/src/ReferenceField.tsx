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

type FilterProps = Pick<Options, 'endpoint' | 'field'> & {
  label: string
  /** The id that the list is filtered by, as its address has it: `list.view.filter('school')`. */
  value: string
  onChange: (value: string) => void
}

/** A list that is narrowed to one school, student or case; beside its search: `search={<><SearchBox … /><ReferenceFilter … /></>}`. */
export function ReferenceFilter({ label, value, onChange, ...of }: FilterProps) {
  const { pick, ...found } = useReferences({ ...of, value: Number(value) || null })
  return (
    <span className={value ? 'filter is-on' : 'filter'}>
      <Combobox
        {...found}
        found={label}
        input={{ 'aria-label': label, placeholder: label }}
        onChoose={(thing) => {
          pick(thing)
          onChange(String(thing.id))
        }}
        onEmpty={() => value && onChange('')}
      />
    </span>
  )
}
