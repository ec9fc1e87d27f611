import { Plural, Trans, useLingui } from '@lingui/react/macro'
import type { Sheet } from '@portal/contracts/imports/sheet'
import { say } from '@portal/contracts/sentences'
import { formatPercent } from '@portal/i18n/format'
import { currentLocale } from '@portal/i18n/locale'
import { problemText } from '@portal/screens/problemText'
import { Button } from '@portal/ui/Button'
import { Notice } from '@portal/ui/Notice'
import { Bar } from '@portal/ui/Progress'
import { FileCard } from './FileCard.tsx'
import { HiddenRows } from './HiddenRows.tsx'
import type { Surveying } from './reading/useSurvey.tsx'
import { SurveyCard } from './SurveyCard.tsx'
import { headingsBody, type NamedHeadings } from './useHeadings.tsx'
import type { Upload } from './useUpload.tsx'

type ChosenProps = {
  file: File
  sheet: Sheet
  read: Surveying
  headings: NamedHeadings
  upload: Upload
  onFile: (file: File | null) => void
  /** Called if this component cannot be fetched, so that no file is chosen any more. */
  onClose: () => void
}

/** What is in the chosen file, and the way on: send it, or take another. */
export function Chosen({ file, sheet, read, headings, upload, onFile }: ChosenProps) {
  const { survey } = read
  const fault = read.problem ?? survey?.problem ?? null
  const refused = upload.problem?.errors[sheet.field]?.[0]
  return (
    <>
      <FileCard
        file={file}
        sheet={sheet}
        read={read}
        headings={headings}
        onFile={onFile}
        busy={upload.sent !== null}
      />
      {fault && (
        <Notice tone={fault === unreadable ? 'waiting' : 'bad'} alert>
          {say(fault, currentLocale())}
        </Notice>
      )}
      {upload.problem && (
        <Notice tone="bad" alert title={<Trans>The file was not uploaded.</Trans>}>
          {refused ?? problemText(upload.problem)}
        </Notice>
      )}
      {survey && !survey.problem && (
        <>
          <HiddenRows count={survey.hidden} />
          <SurveyCard survey={survey} sheet={sheet} />
        </>
      )}
      <Send
        read={read}
        upload={upload}
        pending={headings.pending}
        onSend={() => upload.start(file, headingsBody(survey, headings.sheet))}
        onCancel={() => onFile(null)}
      />
    </>
  )
}

/** The problem of a file that the browser failed to read. The server may still be able to read it. */
const unreadable = 'workbook_unreadable'

type SendProps = {
  read: Surveying
  upload: Upload
  pending: boolean
  onSend: () => void
  onCancel: () => void
}

function Send({ read: { survey, problem }, upload, pending, onSend, onCancel }: SendProps) {
  const { t } = useLingui()
  if (upload.sent !== null) return <Sending sent={upload.sent} onStop={upload.stop} />
  const rows = survey?.rows ?? 0
  const possible = survey ? !survey.problem && rows > 0 : problem === unreadable
  return (
    <div className="card decide">
      <p className="grow">
        {survey && possible ? (
          <>
            <span className="strong">
              <Plural value={rows} one="# row read." other="# rows read." />
            </span>{' '}
            {survey.faulty > 0 ? (
              <Plural
                value={survey.faulty}
                one="# has a fault; you can correct it in the next step."
                other="# have a fault; you can correct them in the next step."
              />
            ) : (
              <Trans>No fault was found in this file.</Trans>
            )}{' '}
          </>
        ) : null}
        <span className="muted">
          <Trans>Nothing has been sent yet.</Trans>
        </span>
      </p>
      <Button vanishes onClick={onCancel}>
        <Trans>Cancel</Trans>
      </Button>
      <Button
        variant="primary"
        icon="upload"
        disabled={!possible}
        busy={possible && pending}
        vanishes
        onClick={onSend}
        title={possible ? undefined : t`This file cannot be imported.`}
      >
        {survey && possible ? (
          <Plural value={rows} one="Upload and compare # row" other="Upload and compare # rows" />
        ) : (
          <Trans>Upload the file</Trans>
        )}
      </Button>
    </div>
  )
}

function Sending({ sent, onStop }: { sent: number; onStop: () => void }) {
  const { t } = useLingui()
  return (
    <div className="card decide">
      <div className="grow">
        <p role="status">
          <span className="strong">{t`Uploading file...`}</span> {formatPercent(sent)}
        </p>
        <Bar
          thin
          label={t`Uploading file...`}
          total={100}
          parts={[{ key: 'sent', label: '', count: sent * 100, tone: 'accent' }]}
        />
      </div>
      <Button vanishes onClick={onStop}>
        <Trans>Stop the upload</Trans>
      </Button>
    </div>
  )
}
