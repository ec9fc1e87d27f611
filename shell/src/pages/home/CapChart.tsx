import { Trans, useLingui } from '@lingui/react/macro'
import type { HomeStatistics } from '@portal/contracts/home'
import { formatPercent } from '@portal/i18n/format'
import { BarChart } from '@portal/ui/BarChart'
import { Money } from '@portal/ui/Money'
import '@portal/ui/chart.css'

type Row = HomeStatistics['disbursementByCap'][number]

/** The table's money by CAP, drawn against what a CAP has received on average. */
export function CapChart({ rows }: { rows: readonly Row[] }) {
  const { t } = useLingui()
  const total = rows.reduce((sum, row) => sum + row.total_disbursed, 0)
  const mean = Math.round(total / rows.length)
  const bars = [...rows]
    .sort((a, b) => b.total_disbursed - a.total_disbursed)
    .map((row) => ({
      key: String(row.id),
      label: row.admin_district_as_cap,
      value: row.total_disbursed,
      shown: <Money amount={row.total_disbursed} currency={false} />,
      note: formatPercent(total > 0 ? row.total_disbursed / total : 0, 1),
    }))
  return (
    <BarChart
      label={t`Total amount transferred by CAP, in CFA`}
      bars={bars}
      fold={15}
      more={(count) => <Trans>Show all {count} CAPs</Trans>}
      fewer={<Trans>Show fewer</Trans>}
      mark={
        mean > 0
          ? {
              value: mean,
              label: (
                <Trans>
                  Average of a CAP: <Money amount={mean} />
                </Trans>
              ),
            }
          : undefined
      }
    />
  )
}
