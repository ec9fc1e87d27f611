import { Plural, Trans, useLingui } from '@lingui/react/macro'
import type { CohortSummary, ListFlag } from '@portal/contracts/transfers/cohorts'
import { formatNumber } from '@portal/i18n/format'
import { Skeleton } from '@portal/ui/Blank'
import { type Flag, Flags } from '@portal/ui/Notice'
import { useFlagsToCheck } from './useListFlags.tsx'

type Props = {
  cohort: CohortSummary
  confirmed: readonly number[]
  onConfirm: (cohorts: number[]) => void
  onRejectedRows: () => void
  onShared: () => void
  onFlag: (flag: ListFlag) => void
}

/** What an approver looks at before approving; each overlap is confirmed by itself (Money 5.7). */
export function ApprovalFlags({ cohort, confirmed, onConfirm, onRejectedRows, onShared, onFlag }: Props) {
  const { t } = useLingui()
  const unusual = useFlagsToCheck(cohort, onFlag)
  const { overlaps, shared_numbers, shared_rows } = cohort.check
  const rejected = cohort.import.rows_rejected
  const rows = formatNumber(shared_rows)
  const flags: Flag[] = overlaps.map(({ cohort_id, cohort_name, students }) => ({
    key: `overlap ${cohort_id}`,
    tone: 'waiting',
    title: (
      <Plural
        value={students}
        one={`# student is also in “${cohort_name}”`}
        other={`# students are also in “${cohort_name}”`}
      />
    ),
    text: (
      <label className="check">
        <input
          type="checkbox"
          checked={confirmed.includes(cohort_id)}
          onChange={(event) =>
            onConfirm(
              event.target.checked
                ? [...confirmed, cohort_id]
                : confirmed.filter((each) => each !== cohort_id),
            )
          }
        />
        <span>
          <Trans>Its period overlaps. They are to be paid by both.</Trans>
        </span>
      </label>
    ),
  }))
  if (shared_numbers > 0) {
    flags.push({
      key: 'shared',
      tone: 'waiting',
      title: <Plural value={shared_numbers} one="# shared number" other="# shared numbers" />,
      text: t`${rows} recipients have the number of somebody else on the list. Paid as listed unless you reject.`,
      action: (
        <button type="button" className="link-button" onClick={onShared}>
          <Trans>Review {rows}</Trans>
        </button>
      ),
    })
  }
  flags.push(...unusual.flags)
  if (rejected > 0) {
    flags.push({
      key: 'rejected',
      tone: 'bad',
      title: <Plural value={rejected} one="# row will not be paid" other="# rows will not be paid" />,
      text: t`Rejected rows can be corrected and uploaded in another cohort.`,
      action: (
        <button type="button" className="link-button" onClick={onRejectedRows}>
          <Trans>See rows</Trans>
        </button>
      ),
    })
  }
  if (flags.length === 0 && !unusual.loading) return null
  return (
    <section className="stack close" aria-label={t`Flags`}>
      <h3>
        <Trans>Flags</Trans>
      </h3>
      {flags.length > 0 && <Flags framed flags={flags} />}
      {unusual.loading && (
        <div aria-busy="true">
          <Skeleton width="72%" />
        </div>
      )}
    </section>
  )
}
