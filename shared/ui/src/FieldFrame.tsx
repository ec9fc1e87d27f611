import { type ReactNode, useId } from 'react'
import { Icon } from './Icon.tsx'

/** What the control inside a field wears so that label, help and error belong to it. */
export type Worn = {
  id: string
  'aria-invalid': true | undefined
  'aria-describedby': string | undefined
  'aria-required': true | undefined
}

type FrameProps = {
  label: ReactNode
  help?: ReactNode
  required?: boolean
  error?: ReactNode
  /** A group of controls: drawn as fieldset and legend. */
  group?: boolean
  children: (worn: Worn) => ReactNode
}

/** Label above, help under it, the control, the error as a sentence below. */
export function FieldFrame({ label, help, required, error, group, children }: FrameProps) {
  const id = useId()
  const described = [help && `${id}help`, error && `${id}error`].filter(Boolean).join(' ') || undefined
  const Frame = group ? 'fieldset' : 'div'
  const mark = required && (
    <span className="req" aria-hidden="true">
      {' '}
      *
    </span>
  )
  return (
    <Frame className={error ? 'field has-error' : 'field'} aria-describedby={group ? described : undefined}>
      {group ? (
        <legend>
          {label}
          {mark}
        </legend>
      ) : (
        <label htmlFor={id}>
          {label}
          {mark}
        </label>
      )}
      {help && (
        <span className="help" id={`${id}help`}>
          {help}
        </span>
      )}
      {children({
        id,
        'aria-invalid': error ? true : undefined,
        'aria-describedby': described,
        'aria-required': required || undefined,
      })}
      {error && (
        <span className="error-text" id={`${id}error`}>
          <Icon name="bad" size={14} />
          {error}
        </span>
      )}
    </Frame>
  )
}
