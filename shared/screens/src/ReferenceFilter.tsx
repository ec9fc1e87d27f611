import { Combobox } from '@portal/ui/Combobox'
import { type Options, useReferences } from './reference/useReferences.ts'

type FilterProps = Pick<Options, 'endpoint' | 'field'> & {
  label: string
  /** The id that the list is filtered by, as its address has it: `list.view.filter('school')`. */
  value: string
  onChange: (value: string) => void
}

// A file of its own: a list that is narrowed needs no library of forms.
/** A list that is narrowed to one school, student or case; beside its search: `search={<><SearchBox … /><ReferenceFilter … /></>}`. */
export function ReferenceFilter({ label, value, onChange, ...of }: FilterProps) {
  const { pick, ...found } = useReferences({ ...of, value: Number(value) || null })
  return (
    <span className={value ? 'filter chooser is-on' : 'filter chooser'}>
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
