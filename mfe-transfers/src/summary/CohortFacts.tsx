import { Trans, useLingui } from '@lingui/react/macro'
import type { CohortSummary } from '@portal/contracts/transfers/cohorts'
import { formatDate, formatRate } from '@portal/i18n/format'
import { Facts } from '@portal/ui/Figures'
import { Count, DateText } from '@portal/ui/Money'
import { fullName } from '../words.tsx'

/** What a cohort is: agency, parameters, who made it, its period, whom it pays and how often. */
export function CohortFacts({ cohort }: { cohort: CohortSummary }) {
  const { t } = useLingui()
  const { transfer_parameter: parameter, rounds, rounds_total: of } = cohort
  const rate = formatRate(parameter.commission)
  const made = rounds.filter(({ state }) => state === 'made').length
  const next = formatDate(rounds.find(({ state }) => state === 'scheduled')?.due_on)
  const scheduled = rounds.some(({ state }) => state === 'scheduled')
  return (
    <Facts
      facts={[
        { key: 'agency', label: t`Transfer agency`, value: cohort.transfer_agency.name },
        { key: 'parameter', label: t`Parameters`, value: parameter.name, note: t`${rate} commission` },
        {
          key: 'user',
          label: t`Created by`,
          value: fullName(cohort.user),
          note: <DateText iso={cohort.created_at} />,
        },
        {
          key: 'period',
          label: t`Start and end dates`,
          value: (
            <>
              <DateText iso={cohort.from} /> – <DateText iso={cohort.to} />
            </>
          ),
        },
        { key: 'count', label: t`Total recipients`, value: <Count value={cohort.master_list_count} /> },
        {
          key: 'rounds',
          label: t`Disbursement rounds`,
          value:
            rounds.length > 0 ? (
              <Trans>
                {made} of {of}
              </Trans>
            ) : (
              <Count value={of} />
            ),
          note: scheduled && <Trans>next {next}</Trans>,
        },
      ]}
    />
  )
}
