import { Plural, Trans, useLingui } from '@lingui/react/macro'
import type { Sheet } from '@portal/contracts/imports/sheet'
import { formatBytes, formatNumber } from '@portal/i18n/format'
import { Skeleton } from '@portal/ui/Blank'
import { Icon } from '@portal/ui/Icon'
import { useEffect, useRef } from 'react'
import { Headings } from './Headings.tsx'
import type { Survey } from './reading/survey.ts'
import type { Surveying } from './reading/useSurvey.tsx'
import type { NamedHeadings } from './useHeadings.tsx'

type Props = {
  file: File
  sheet: Sheet
  read: Surveying
  headings: NamedHeadings
  onFile: (file: File) => void
  busy: boolean
}

/** The chosen file with its sheet, beside its headings and what each of them is taken for. */
export function FileCard({ file, sheet, read, headings, onFile, busy }: Props) {
  const { t } = useLingui()
  const input = useRef<HTMLInputElement>(null)
  const button = useRef<HTMLButtonElement>(null)
  // The button that chose the file has gone, and the focus with it.
  useEffect(() => {
    if (document.activeElement === document.body) button.current?.focus()
  }, [])
  const { survey, problem } = read
  const reading = !survey && !problem
  return (
    <section className="card pairing" aria-label={t`File and headings`}>
      <div className="filebox">
        <span className="thumb">
          <Icon name="sheet" />
        </span>
        <div>
          <span className="strong name">{file.name}</span>
          <p className="small muted" role="status">
            {formatBytes(file.size)}
            {survey && <> · {t`sheet “${survey.sheet_name}”`}</>}
            <br />
            {reading ? <ReadSoFar rows={read.rows} /> : survey && <Rows survey={survey} />}
          </p>
        </div>
        <div className="more small">
          <input
            ref={input}
            type="file"
            accept=".xlsx,.xls"
            className="hidden-visually"
            tabIndex={-1}
            aria-label={t`Choose another file`}
            onChange={(event) => {
              const chosen = event.target.files?.[0]
              if (chosen) onFile(chosen)
              event.target.value = ''
            }}
          />
          <button
            ref={button}
            type="button"
            className="link-button"
            disabled={busy}
            onClick={() => input.current?.click()}
          >
            <Trans>Choose another file</Trans>
          </button>
        </div>
      </div>
      <div className="maps">
        {survey ? (
          <Headings survey={survey} sheet={sheet} headings={headings} />
        ) : (
          reading && <Skeleton width="70%" height={72} />
        )}
      </div>
    </section>
  )
}

function Rows({ survey: { rows, problem } }: { survey: Survey }) {
  if (problem) return <Plural value={rows} one="# row in the file" other="# rows in the file" />
  return <Plural value={rows} one="# row read" other="# rows read" />
}

function ReadSoFar({ rows }: { rows: number }) {
  const count = formatNumber(rows)
  return rows > 0 ? <Trans>Reading, {count} rows so far</Trans> : <Trans>Reading the file</Trans>
}
