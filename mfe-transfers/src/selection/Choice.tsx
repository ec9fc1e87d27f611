import { FieldFrame } from '@portal/ui/FieldFrame'
import { Icon } from '@portal/ui/Icon'

type Props = {
  label: string
  /** Words of the choice that chooses nothing. */
  all: string
  options: readonly { value: string; label: string }[]
  value: string
  onChange: (value: string) => void
}

/** A select whose value is in the address and in no form. */
export function Choice({ label, all, options, value, onChange }: Props) {
  const known = value === '' || options.some((option) => option.value === value)
  return (
    <FieldFrame label={label}>
      {(worn) => (
        <span className="select">
          <select
            className="input"
            {...worn}
            value={value}
            onChange={(event) => onChange(event.target.value)}
          >
            <option value="">{all}</option>
            {!known && <option value={value}>{value}</option>}
            {options.map((option) => (
              <option key={option.value} value={option.value}>
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
