import { Trans, useLingui } from '@lingui/react/macro'
import type { Locale } from '@portal/i18n/locale'
import { Button } from '@portal/ui/Button'
import { allows } from '../words.ts'

type Option = { id: number; name: string; label?: Record<Locale, string> | null | undefined }
type Props = {
  /** What they are about. */
  name: string
  options: readonly Option[]
  chosen: readonly number[]
  mayChange: (option: Option) => boolean
  onChoose: (ids: number[], wanted: boolean) => void
}

/** The boxes of one resource. What one does not hold oneself can be neither given nor taken away (Access 3.3). */
export function PermissionGroup({ name, options, chosen, mayChange, onChoose }: Props) {
  const { t } = useLingui()
  const open = options.filter(mayChange).map(({ id }) => id)
  const isFull = open.every((id) => chosen.includes(id))
  return (
    <fieldset className="field">
      <legend>{name}</legend>
      <div className="checks">
        {options.map((option) => {
          const isOpen = mayChange(option)
          return (
            <label key={option.id} className="check">
              <input
                type="checkbox"
                disabled={!isOpen}
                checked={chosen.includes(option.id)}
                onChange={(event) => onChoose([option.id], event.target.checked)}
              />
              <span>{allows(option)}</span>
              {!isOpen && (
                <small>
                  <Trans>You do not hold this permission yourself.</Trans>
                </small>
              )}
            </label>
          )
        })}
        {open.length > 1 && (
          <span>
            <Button
              small
              variant="plain"
              aria-label={isFull ? t`Choose none of ${name}` : t`Choose all of ${name}`}
              onClick={() => onChoose(open, !isFull)}
            >
              {isFull ? t`Choose none` : t`Choose all`}
            </Button>
          </span>
        )}
      </div>
    </fieldset>
  )
}
