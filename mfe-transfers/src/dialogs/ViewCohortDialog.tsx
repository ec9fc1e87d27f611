import { Plural, Trans, useLingui } from '@lingui/react/macro'
import type { Cohort } from '@portal/contracts/transfers/cohorts'
import { formatRate } from '@portal/i18n/format'
import { DetailsDialog } from '@portal/screens/DetailsDialog'
import { pageLink } from '@portal/screens/ListPage'
import { ButtonLink } from '@portal/ui/Button'
import { Count, DateText, Money } from '@portal/ui/Money'
import { paths } from '../paths.ts'
import { CohortPill, fullName, waitsForApproval } from '../words.tsx'
import './words.ts'

/** What a cohort is, before going to its summary. */
export function ViewCohortDialog({ cohort, onClose }: { cohort: Cohort; onClose: () => void }) {
  const { t } = useLingui()
  const stats = cohort.transfer_cohort_stats
  const rate = formatRate(cohort.transfer_parameter.commission)
  return (
    <DetailsDialog
      title={t`Preview Cohort Summary`}
      onClose={onClose}
      facts={[
        { key: 'name', label: t`Cohort name`, value: cohort.name },
        { key: 'description', label: t`Description`, value: cohort.description },
        {
          key: 'status',
          label: t`Status`,
          value: <CohortPill status={cohort.status} stopped={cohort.stopped} closed={cohort.closed} />,
        },
        {
          key: 'period',
          label: t`Period`,
          value: (
            <>
              <DateText iso={cohort.from} /> – <DateText iso={cohort.to} />
            </>
          ),
          note: (
            <Plural value={cohort.rounds_total} one="# disbursement round" other="# disbursement rounds" />
          ),
        },
        { key: 'agency', label: t`Transfer agency`, value: cohort.transfer_agency.name },
        {
          key: 'parameter',
          label: t`Transfer parameter`,
          value: cohort.transfer_parameter.name,
          note: t`${rate} commission`,
        },
        { key: 'recipients', label: t`Total recipients`, value: <Count value={cohort.master_list_count} /> },
        {
          key: 'amount',
          label: t`Expected amount per round`,
          value: <Money amount={cohort.list_amount} />,
          note: (
            <Trans>
              fees <Money amount={cohort.list_fees} />
            </Trans>
          ),
        },
        {
          key: 'disbursed',
          label: t`Disbursed so far`,
          value: <Money amount={stats.total_amount_disbursed} />,
        },
        { key: 'arrears', label: t`Arrears`, value: <Money amount={stats.total_amount_arrears} /> },
        { key: 'user', label: t`Created by`, value: fullName(cohort.user) },
        { key: 'created', label: t`Created on`, value: <DateText iso={cohort.created_at} time /> },
      ]}
      actions={
        <ButtonLink href={paths.summary(cohort.id)} renderLink={pageLink} variant="primary">
          {waitsForApproval(cohort) ? <Trans>Go to Cohort Approval</Trans> : <Trans>See cohort</Trans>}
        </ButtonLink>
      }
    />
  )
}
