import { Plural, Trans } from '@lingui/react/macro'
import type { Country } from '@portal/contracts/fields'
import type { ChosenHeadings, Sheet } from '@portal/contracts/imports/sheet'
import { say } from '@portal/contracts/sentences'
import { formatNumber } from '@portal/i18n/format'
import { currentLocale } from '@portal/i18n/locale'
import { Notice } from '@portal/ui/Notice'
import { useEffect } from 'react'
import { labelOf } from './columns.ts'
import { Headings } from './Headings.tsx'
import { HiddenRows } from './HiddenRows.tsx'
import type { Fault } from './reading/survey.ts'
import { useSurvey } from './reading/useSurvey.tsx'
import { headingsBody, useHeadings } from './useHeadings.tsx'
import './words.ts'

type Props = {
  file: File
  sheet: Sheet
  /** Whose telephone numbers they are, where that is known. */
  country?: Country
  /** Headings that were named in earlier files. */
  remembered: ChosenHeadings | undefined
  /** They are still being read. */
  pending?: boolean
  /** Hears the headings that the person named, as the upload takes them; null until they and the file are read. */
  onHeadings: (headings: string | null) => void
  /** Called instead where the preview itself cannot be fetched. */
  onClose?: () => void
}

/** What is in a chosen file, in a form that asks for more than the file: read here, before a byte is sent. */
export function FilePreview({ file, sheet, country, remembered, pending, onHeadings }: Props) {
  const named = useHeadings(sheet, remembered, pending)
  const read = useSurvey(file, named.sheet, country)
  const isRead = !pending && Boolean(read?.survey ?? read?.problem)
  const body = isRead ? headingsBody(read?.survey, named.sheet) : null
  // biome-ignore lint/correctness/useExhaustiveDependencies: only other headings are worth telling
  useEffect(() => onHeadings(body), [body])
  if (!read) return null
  const { survey, rows } = read
  const problem = read.problem ?? survey?.problem
  const headings = survey && (
    <div className="maps">
      <Headings survey={survey} sheet={sheet} headings={named} />
    </div>
  )
  if (problem)
    return (
      <>
        <Notice tone="bad" alert>
          {say(problem, currentLocale())}
        </Notice>
        {headings}
      </>
    )
  if (!survey) {
    const count = formatNumber(rows)
    return (
      <p className="small muted" role="status">
        {rows > 0 ? <Trans>Reading, {count} rows so far</Trans> : <Trans>Reading the file</Trans>}
      </p>
    )
  }
  const { faults, faulty } = survey
  return (
    <>
      <Notice
        tone={faulty > 0 ? 'waiting' : 'good'}
        title={<Plural value={survey.rows} one="# row read." other="# rows read." />}
      >
        {faulty > 0 ? (
          <>
            <Plural value={faulty} one="# row has a fault" other="# rows have a fault" />
            <ul>
              {faults.slice(0, 5).map((fault) => (
                <FaultLine
                  key={`${fault.column} ${fault.problem}`}
                  fault={fault}
                  label={labelOf(sheet, fault.column)}
                />
              ))}
            </ul>
          </>
        ) : (
          <Trans>No fault was found in this file.</Trans>
        )}
      </Notice>
      <HiddenRows count={survey.hidden} />
      {headings}
    </>
  )
}

function FaultLine({ fault, label }: { fault: Fault; label: string }) {
  const { problem, samples, count } = fault
  return (
    <li>
      <span className="strong">{label}</span> {say(problem, currentLocale())}{' '}
      <span className="muted">
        {samples.map(({ row }) => (
          <span key={row}>
            <Trans>Row {row}</Trans>{' '}
          </span>
        ))}
        {count > samples.length && '…'}
      </span>
    </li>
  )
}
