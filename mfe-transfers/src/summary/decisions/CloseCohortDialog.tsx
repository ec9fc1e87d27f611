import { Plural, Trans, useLingui } from '@lingui/react/macro'
import { asProblem } from '@portal/client/problem'
import { queryOf } from '@portal/client/query'
import { transfers } from '@portal/contracts/transfers'
import {
  type CohortClosing,
  cohortClosing,
  type OpenPointKind,
} from '@portal/contracts/transfers/cohort-closing'
import type { CohortSummary } from '@portal/contracts/transfers/cohorts'
import { reconciliations } from '@portal/contracts/transfers/reconciliations'
import { ConfirmDialog } from '@portal/screens/ConfirmDialog'
import { problemText } from '@portal/screens/problemText'
import { useEndpointForm } from '@portal/screens/useEndpointForm'
import { useHost, useQuery } from '@portal/sdk'
import { Notice } from '@portal/ui/Notice'
import { TextAreaField } from '@portal/ui/TextField'
import { Link } from 'react-router-dom'
import { OneEyeNotice } from '../../OneEyeNotice.tsx'
import { paths } from '../../paths.ts'
import './words.ts'

/** Closes a cohort for good, or lists what keeps it open and how each of it ends (Money 5.14). */
export function CloseCohortDialog({ cohort, onClose }: { cohort: CohortSummary; onClose: () => void }) {
  const { t } = useLingui()
  const { client } = useHost()
  const read = useQuery({
    ...queryOf(client, cohortClosing.read, { params: { id: cohort.id } }),
    staleTime: 0,
  })
  const form = useEndpointForm(cohortClosing.close, {
    params: { id: cohort.id },
    defaults: { reason: '' },
    refetches: [
      cohortClosing.read,
      transfers.summary,
      transfers.progress,
      transfers.cohorts,
      reconciliations.list,
    ],
    problems: 'approval',
    onDone: onClose,
  })
  const { open = [], rounds_left = 0, barred = null } = read.data ?? {}
  const waits = read.error
    ? problemText(asProblem(read.error), 'request')
    : t`What is open is being looked up.`
  return (
    <ConfirmDialog
      title={t`Close cohort for good`}
      description={cohort.name}
      form={form}
      onClose={onClose}
      danger
      barred={
        !read.data ? waits : (barred ?? (open.length > 0 ? t`This cohort cannot be closed yet.` : null))
      }
      confirmLabel={t`Close for good`}
    >
      <OneEyeNotice />
      {open.length > 0 && <OpenPoints cohort={cohort} open={open} />}
      {rounds_left > 0 && (
        <Notice tone="waiting">
          <Plural
            value={rounds_left}
            one="# planned round is not made any more."
            other="# planned rounds are not made any more."
          />
        </Notice>
      )}
      <p>
        <Trans>
          In a closed cohort nothing is paid, tried again or corrected any more. It can still be read and
          exported. This cannot be undone.
        </Trans>
      </p>
      <TextAreaField
        control={form.control}
        name="reason"
        label={t`Reason`}
        help={t`It stays on this page and in the audit log for good: write no names.`}
        maxLength={500}
        required
      />
    </ConfirmDialog>
  )
}

/** Each open point leads to the page on which it ends. */
function OpenPoints({ cohort, open }: { cohort: CohortSummary } & Pick<CohortClosing, 'open'>) {
  const { t } = useLingui()
  const places: Partial<Record<OpenPointKind, string>> = {
    failed: paths.payrolls(cohort.id),
    withheld: paths.payeeHolds,
    exceptions: paths.exceptions,
    corrections: paths.payrolls(cohort.id),
    statements: paths.statements,
  }
  return (
    <Notice tone="bad" title={t`Still open`}>
      <ul>
        {open.map(({ kind, what, way }) => {
          const place = places[kind]
          return (
            <li key={kind}>
              {what}. {place ? <Link to={place}>{way}</Link> : way}
            </li>
          )
        })}
      </ul>
    </Notice>
  )
}
