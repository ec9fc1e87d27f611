import { FieldFrame } from '@portal/ui/FieldFrame'
import { chosenIn } from './useSelection.tsx'

export type Option = { value: string; label: string }

/** One condition, on or off. */
export function Condition({
  label,
  on,
  onChange,
}: {
  label: string
  on: boolean
  onChange: (on: boolean) => void
}) {
  return (
    <label className="check">
      <input type="checkbox" checked={on} onChange={(event) => onChange(event.target.checked)} />
      <span>{label}</span>
    </label>
  )
}

type ChecksProps = {
  label: string
  help: string
  options: readonly Option[]
  chosen: string
  onChange: (chosen: string) => void
}

/** Any of a list, which scrolls if it is long. */
export function Checks({ label, help, options: all, chosen, onChange }: ChecksProps) {
  const set = new Set(chosenIn(chosen))
  if (all.length === 0 && set.size === 0) return null
  const toggled = (value: string, on: boolean) => {
    const next = new Set(set)
    if (on) next.add(value)
    else next.delete(value)
    return [...next].sort().join()
  }
  return (
    <FieldFrame group label={label} help={help}>
      {() => (
        <div className="checks" style={{ maxHeight: 240, overflowY: 'auto' }}>
          {all.map((option) => (
            <Condition
              key={option.value}
              label={option.label}
              on={set.has(option.value)}
              onChange={(on) => onChange(toggled(option.value, on))}
            />
          ))}
        </div>
      )}
    </FieldFrame>
  )
}
