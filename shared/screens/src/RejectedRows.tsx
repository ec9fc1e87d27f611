import { Plural, Trans, useLingui } from '@lingui/react/macro'
import { asProblem } from '@portal/client/problem'
import { type Import, type ImportError, imports } from '@portal/contracts/imports'
import { formatNumber } from '@portal/i18n/format'
import { useHost } from '@portal/sdk'
import { Button } from '@portal/ui/Button'
import { Nothing } from '@portal/ui/Money'
import { useState } from 'react'
import { saveFile } from './ExportButton.tsx'
import { problemText } from './problemText.tsx'

type Group = { key: string; column: string; message: string; errors: ImportError[] }

function grouped(errors: readonly ImportError[]): Group[] {
  const groups = new Map<string, Group>()
  for (const error of errors) {
    const key = `${error.column}\n${error.message}`
    const group = groups.get(key) ?? { key, column: error.column, message: error.message, errors: [] }
    group.errors.push(error)
    groups.set(key, group)
  }
  return [...groups.values()].sort((a, b) => b.errors.length - a.errors.length)
}

/** What was rejected, by column and reason, with the rows as an Excel file to correct and upload again. */
export function RejectedRows({ found }: { found: Import }) {
  const { t } = useLingui()
  const { client, notify } = useHost()
  const [busy, setBusy] = useState(false)
  const download = async () => {
    setBusy(true)
    try {
      const file = await client.file(imports.rejected, { params: { id: found.id } })
      if (file.ready) saveFile(file.blob, file.name === 'file' ? 'rejected.xlsx' : file.name)
    } catch (thrown) {
      notify.bad(problemText(asProblem(thrown), 'export'))
    } finally {
      setBusy(false)
    }
  }
  return (
    <section className="rejected" aria-label={t`Rejected rows`}>
      <div className="card-head">
        <div className="grow">
          <h3>
            <Plural value={found.rows_rejected} one="# row was rejected" other="# rows were rejected" />
          </h3>
          <p>
            <Trans>Correct them in the Excel file and upload it again.</Trans>
          </p>
        </div>
        <Button small icon="download" busy={busy} onClick={() => void download()}>
          <Trans>Rejected rows (Excel)</Trans>
        </Button>
      </div>
      {grouped(found.errors).map(({ key, column, message, errors }) => (
        <details key={key} open={found.errors.length <= 10}>
          <summary>
            <span className="strong">{column}</span> {message}{' '}
            <span className="muted">({formatNumber(errors.length)})</span>
          </summary>
          <ul>
            {errors.map((error) => (
              <li key={`${error.row} ${error.value}`}>
                <Trans>Row {error.row}</Trans>: {error.value || <Nothing />}
              </li>
            ))}
          </ul>
        </details>
      ))}
      {found.rows_rejected > found.errors.length && (
        <p className="muted small">
          <Trans>
            The first {formatNumber(found.errors.length)} are shown; the Excel file holds them all.
          </Trans>
        </p>
      )}
    </section>
  )
}
