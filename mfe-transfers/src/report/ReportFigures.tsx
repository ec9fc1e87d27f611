import { Plural, Trans, useLingui } from '@lingui/react/macro'
import { type DonorReport, smallCount } from '@portal/contracts/transfers/donor-report'
import { formatDate, formatPercent } from '@portal/i18n/format'
import { Facts, Figures } from '@portal/ui/Figures'
import { Count, Money, Nothing } from '@portal/ui/Money'
import { Notice } from '@portal/ui/Notice'

/** The figures of the period, and how they are counted (Money 3.9). */
export function ReportFigures({ report, to }: { report: DonorReport; to: string }) {
  const { t } = useLingui()
  const { arrears, stated_fees: stated, tariff_fees: tariff } = report
  const day = formatDate(to)
  return (
    <>
      <Figures
        figures={[
          {
            key: 'disbursed',
            label: t`Disbursed`,
            amount: report.disbursed,
            note: <Plural value={report.payments} one="# payment" other="# payments" />,
          },
          {
            key: 'arrears',
            label: t`Arrears on ${day}`,
            amount: arrears.amount,
            note: <Plural value={arrears.payments} one="# payment" other="# payments" />,
          },
          {
            key: 'fees',
            label: t`Fees of agencies`,
            amount: stated.amount + tariff.amount,
            note: (
              <Trans>
                <Money amount={stated.amount} /> by signed statements, <Money amount={tariff.amount} /> by
                tariff
              </Trans>
            ),
          },
          {
            key: 'commission',
            label: t`Commission of the programme`,
            amount: report.commission,
            note: t`on what was disbursed`,
          },
        ]}
      />
      <Facts
        facts={[
          { key: 'girls', label: t`Girls reached`, value: <Few count={report.girls} /> },
          { key: 'recipients', label: t`Recipients`, value: <Few count={report.recipients} /> },
          {
            key: 'rate',
            label: t`Success rate`,
            value: report.success_rate === null ? <Nothing /> : formatPercent(report.success_rate, 1),
          },
          { key: 'refused', label: t`Payments refused`, value: <Count value={report.refused} /> },
          { key: 'owed', label: t`Girls in arrears`, value: <Few count={arrears.girls} /> },
        ]}
      />
      <Notice>
        <Trans>
          A girl counts once, at the school and class level that she has now, and a recipient once by number
          or account. The success rate is what was disbursed of what agencies decided on in the period. Counts
          below {smallCount} girls are hidden, with as many others that nobody can work them out.
        </Trans>
      </Notice>
    </>
  )
}

/** A count of people; below five it is not told. */
function Few({ count }: { count: number | null }) {
  return count === null ? <Trans>fewer than {smallCount}</Trans> : <Count value={count} />
}
