import { useLingui } from '@lingui/react/macro'
import { Icon } from '@portal/ui/Icon'

/** The four steps of an import; 5 is past the last. */
export type Step = 1 | 2 | 3 | 4 | 5

/** Where in the four steps one is. */
export function Steps({ at }: { at: Step }) {
  const { t } = useLingui()
  const names = [t`File`, t`Headings`, t`Rows`, t`Import`]
  return (
    <ol className="steps" aria-label={t`Steps of the import`}>
      {names.map((name, index) => {
        const done = index + 1 < at
        return (
          <li
            key={name}
            className={done ? 'done' : undefined}
            aria-current={index + 1 === at ? 'step' : undefined}
          >
            <span className="no">{done ? <Icon name="check" size={14} /> : index + 1}</span>
            <span className="what">{name}</span>
          </li>
        )
      })}
    </ol>
  )
}
