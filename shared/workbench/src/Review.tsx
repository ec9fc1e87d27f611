import { Plural, Trans, useLingui } from '@lingui/react/macro'
import type { Rest } from '@portal/client/client'
import { asProblem, type Problem } from '@portal/client/problem'
import { type Import, imports } from '@portal/contracts/imports'
import type { Sheet } from '@portal/contracts/imports/sheet'
import { formatNumber } from '@portal/i18n/format'
import { lazy } from '@portal/screens/lazy'
import { problemText } from '@portal/screens/problemText'
import { useDialog } from '@portal/screens/useDialog'
import { useDirty, useHost } from '@portal/sdk'
import { Button } from '@portal/ui/Button'
import { Notice } from '@portal/ui/Notice'
import { useState } from 'react'
import { RowCategories } from './RowCategories.tsx'
import { type Corrections, useCorrections } from './useCorrections.tsx'

const CancelDialog = lazy(() => import('./CancelDialog.tsx'), 'CancelDialog')

type Props = {
  found: Import
  sheet: Sheet
  onAnswer: (found: Import) => void
  /** Somebody else decided meanwhile. */
  onStale: () => void
}

/** The rows in their categories, small errors corrected on the spot, and the decision in figures. */
export function Review({ found, sheet, onAnswer, onStale }: Props) {
  const { client, notify } = useHost()
  const corrections = useCorrections()
  const cancelling = useDialog()
  const [busy, setBusy] = useState(false)
  const [problem, setProblem] = useState<Problem | null>(null)
  const [notice, setNotice] = useState<string | null>(null)
  useDirty(corrections.count > 0)

  const act = async (endpoint: typeof imports.check | typeof imports.undo | typeof imports.confirm) => {
    setBusy(true)
    setProblem(null)
    setNotice(null)
    try {
      const params = { id: found.id }
      const args = [endpoint === imports.undo ? { params } : { params, body: corrections.body() }]
      const answer = await client.call(endpoint, ...(args as unknown as Rest<typeof endpoint>))
      corrections.clear()
      // Stands above the categories: a toast would cover the figures.
      if (endpoint === imports.confirm) notify.good(answer.message)
      else setNotice(answer.message)
      onAnswer(answer.import)
      window.scrollTo({ top: 0 })
    } catch (thrown) {
      const failed = asProblem(thrown)
      setProblem(failed)
      if (failed.status === 409) onStale()
    } finally {
      setBusy(false)
    }
  }
  return (
    <>
      {found.problem && (
        <Notice tone="waiting" alert title={<Trans>Look at it again.</Trans>}>
          {found.problem}
        </Notice>
      )}
      {problem && (
        <Notice tone="bad" alert>
          {problemText(problem)}
        </Notice>
      )}
      {notice && corrections.count === 0 && (
        <Notice
          tone="good"
          alert
          actions={
            <Button small busy={busy} onClick={() => void act(imports.undo)}>
              <Trans>Undo</Trans>
            </Button>
          }
        >
          {notice}
        </Notice>
      )}
      <RowCategories found={found} sheet={sheet} corrections={corrections} />
      <Decision
        found={found}
        corrections={corrections}
        busy={busy}
        onCheck={() => void act(imports.check)}
        onConfirm={() => void act(imports.confirm)}
        onCancel={() => cancelling.open(true)}
      />
      {cancelling.item && <CancelDialog found={found} onClose={cancelling.close} onCancelled={onStale} />}
    </>
  )
}

type DecisionProps = {
  found: Import
  corrections: Corrections
  busy: boolean
  onCheck: () => void
  onConfirm: () => void
  onCancel: () => void
}

/** What will be saved, in figures, beside the button that saves it. Corrected cells are checked first. */
function Decision({ found, corrections, busy, onCheck, onConfirm, onCancel }: DecisionProps) {
  const { t } = useLingui()
  const { rows_new, rows_changed, rows_unchanged, rows_rejected } = found
  const saved = rows_new + rows_changed
  const [created, changed] = [formatNumber(rows_new), formatNumber(rows_changed)]
  return (
    <div className="card decide">
      <p className="grow">
        <span className="strong">
          {saved > 0 ? (
            <Plural value={saved} one="# row will be saved:" other="# rows will be saved:" />
          ) : (
            <Trans>Nothing would be saved.</Trans>
          )}
        </span>{' '}
        {saved > 0 && t`${created} new, ${changed} changed.`}{' '}
        {rows_rejected > 0 && (
          <span className="muted">
            <Plural
              value={rows_rejected}
              one="# rejected row is left out; you can import it later."
              other="# rejected rows are left out; you can import them later."
            />
          </span>
        )}{' '}
        {saved === 0 && rows_unchanged > 0 && (
          <span className="muted">
            <Plural
              value={rows_unchanged}
              one="# row is in the register already."
              other="# rows are in the register already."
            />
          </span>
        )}
      </p>
      <Button onClick={onCancel} disabled={busy}>
        <Trans>Cancel</Trans>
      </Button>
      {corrections.count > 0 ? (
        <Button variant="primary" busy={busy} onClick={onCheck}>
          <Plural value={corrections.count} one="Check # correction" other="Check # corrections" />
        </Button>
      ) : (
        <Button variant="primary" busy={busy} disabled={saved + rows_unchanged === 0} onClick={onConfirm}>
          {saved > 0 ? (
            <Plural value={saved} one="Import # row" other="Import # rows" />
          ) : (
            <Trans>Finish</Trans>
          )}
        </Button>
      )}
    </div>
  )
}
