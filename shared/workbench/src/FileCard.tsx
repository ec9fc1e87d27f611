import { Plural, Trans, useLingui } from '@lingui/react/macro'
import type { Sheet } from '@portal/contracts/sheet'
import { formatBytes, formatNumber } from '@portal/i18n/format'
import { Skeleton } from '@portal/ui/Blank'
import { Icon } from '@portal/ui/Icon'
import { useRef } from 'react'
import { labelOf, sameWords } from './columns.ts'
import type { Survey } from './reading/survey.ts'
import type { Surveying } from './reading/useSurvey.tsx'

type Props = {
  file: File
  sheet: Sheet
  read: Surveying
  onFile: (file: File) => void
  busy: boolean
}

/** The chosen file with its sheet, beside its headings and what each of them is taken for. */
export function FileCard({ file, sheet, read, onFile, busy }: Props) {
  const { t } = useLingui()
  const input = useRef<HTMLInputElement>(null)
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
            {reading ? <ReadSoFar rows={read.rows} /> : <Rows count={survey?.rows ?? 0} />}
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
          <Headings survey={survey} sheet={sheet} />
        ) : (
          reading && <Skeleton width="70%" height={72} />
        )}
      </div>
    </section>
  )
}

const Rows = ({ count }: { count: number }) => <Plural value={count} one="# row read" other="# rows read" />

function ReadSoFar({ rows }: { rows: number }) {
  const count = formatNumber(rows)
  return rows > 0 ? <Trans>Reading, {count} rows so far</Trans> : <Trans>Reading the file</Trans>
}

/** Each heading of the file with the column it was recognised as; what is missing of the list, and what is left out. */
function Headings({ survey, sheet }: { survey: Survey; sheet: Sheet }) {
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
