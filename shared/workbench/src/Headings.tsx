import { Plural, Trans } from '@lingui/react/macro'
import type { Sheet } from '@portal/contracts/imports/sheet'
import { lazy } from '@portal/screens/lazy'
import { Button } from '@portal/ui/Button'
import { Icon } from '@portal/ui/Icon'
import { useState } from 'react'
import { labelOf, sameWords } from './columns.ts'
import type { Survey } from './reading/survey.ts'
import type { NamedHeadings } from './useHeadings.tsx'
import './headings.css'

const ChooseHeadings = lazy(() => import('./ChooseHeadings.tsx'), 'ChooseHeadings')

type Props = { survey: Survey; sheet: Sheet; headings: NamedHeadings }

/** Each heading of the file with the column it was recognised as; what is missing of the list, and what is left out. */
export function Headings({ survey, sheet, headings }: Props) {
  const [choosing, setChoosing] = useState(survey.problem?.startsWith('headings_') ?? false)
  const matched = survey.headings.filter(({ column }) => column !== null)
  const extra = survey.headings.length - matched.length
  const found = new Set(matched.map(({ column }) => column))
  const missing = Object.entries(sheet.columns).filter(([key, { required }]) => required && !found.has(key))
  return (
    <>
      <h2>
        <Plural value={matched.length} one="Headings: # matched" other="Headings: # matched" />
        {missing.length > 0 && (
          <>
            , <Plural value={missing.length} one="# missing" other="# missing" />
          </>
        )}
        {extra > 0 && (
          <>
            , <Plural value={extra} one="# left out" other="# left out" />
          </>
        )}
      </h2>
      <ul>
        {missing.map(([key]) => (
          <li key={key} className="absent">
            <Icon name="bad" size={14} />
            <b>{labelOf(sheet, key)}</b>
            <Trans>is missing</Trans>
          </li>
        ))}
        {survey.headings.map(({ text, column }, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: two headings may read the same; their place tells them apart
          <li key={index} className={column ? undefined : 'off'}>
            <Icon name={column ? 'check' : 'x'} size={14} />
            {column ? (
              <Match heading={text} label={labelOf(sheet, column)} />
            ) : (
              <Trans>{text}, not imported</Trans>
            )}
          </li>
        ))}
      </ul>
      <Button small aria-expanded={choosing} onClick={() => setChoosing(!choosing)}>
        <Trans>Say what each column is</Trans>
      </Button>
      {choosing && <ChooseHeadings survey={survey} sheet={sheet} headings={headings} />}
    </>
  )
}

function Match({ heading, label }: { heading: string; label: string }) {
  if (sameWords(heading, label)) return <b>{label}</b>
  return (
    <>
      {heading}
      <Icon name="arrow" size={14} />
      <b>{label}</b>
    </>
  )
}
