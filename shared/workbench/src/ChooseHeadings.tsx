import { Trans, useLingui } from '@lingui/react/macro'
import { plainHeading, type Sheet } from '@portal/contracts/imports/sheet'
import { useId } from 'react'
import { labelOf } from './columns.ts'
import type { Survey } from './reading/survey.ts'
import type { NamedHeadings } from './useHeadings.tsx'

type Props = { survey: Survey; sheet: Sheet; headings: NamedHeadings }

/** The choice for a heading about which nobody has decided. To leave a heading out is another choice. */
const open = '?'

/** Each heading of the file with its first values, and the column that it is taken for. */
export function ChooseHeadings({ survey, sheet, headings }: Props) {
  const { t } = useLingui()
  const id = useId()
  const named = new Set(Object.keys(headings.chosen).map(plainHeading))
  return (
    <ul className="naming">
      {survey.headings.map(({ text, column, samples }, index) => {
        const value = column ?? (named.has(plainHeading(text)) ? '' : open)
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: two headings may read the same; their place tells them apart
          <li key={index}>
            <label htmlFor={`${id}${index}`}>
              <b>{text}</b>{' '}
              <span className="samples">
                {samples.length > 0 ? samples.join(' · ') : <Trans>The first rows are empty here.</Trans>}
              </span>
            </label>
            <span className="select">
              <select
                id={`${id}${index}`}
                className="input"
                value={value}
                onChange={(event) => headings.choose(text, event.target.value)}
              >
                {value === open && <option value={open}>{t`Choose…`}</option>}
                <option value="">{t`Not imported`}</option>
                {Object.keys(sheet.columns).map((key) => (
                  <option key={key} value={key}>
                    {labelOf(sheet, key)}
                  </option>
                ))}
              </select>
            </span>
          </li>
        )
      })}
    </ul>
  )
}
