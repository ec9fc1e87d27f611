import { Trans, useLingui } from '@lingui/react/macro'
import { asProblem } from '@portal/client/problem'
import { home, type Trends as Read } from '@portal/contracts/home'
import { formatPercent } from '@portal/i18n/format'
import { currentLocale } from '@portal/i18n/locale'
import { failureOf } from '@portal/screens/problemText'
import { usePoll } from '@portal/screens/usePoll'
import { BarChart } from '@portal/ui/BarChart'
import { Blank, Skeleton } from '@portal/ui/Blank'
import { Card } from '@portal/ui/Card'
import { Money, Nothing } from '@portal/ui/Money'
import { Failed } from '@portal/ui/Table'
import type { ReactNode } from 'react'
import '@portal/ui/chart.css'

type Month = Read['months'][number]

/** Money and attendance of the last twelve months, refreshed with the figures. */
export function Trends({ every }: { every: number }) {
  const { t } = useLingui()
  const { data, error, refetch } = usePoll(home.trends, { every })
  const failure = error && !data ? failureOf(asProblem(error), refetch) : null
  if (failure)
    return (
      <Card title={t`Month by month`}>
        <Failed {...failure} />
      </Card>
    )
  return (
    <div className="two even">
      <MonthCard
        title={t`Transferred by month`}
        text={<Trans>What recipients got, by the month in which the agency confirmed it.</Trans>}
        heading={t`Amount (CFA)`}
        months={data?.months}
        value={(month) => month.disbursed}
        show={(month) => <Money amount={month.disbursed} currency={false} />}
        empty={t`Nothing was transferred in the last 12 months.`}
      />
      <MonthCard
        title={t`Attendance by month`}
        text={<Trans>Learners present, of those enrolled, as their schools reported.</Trans>}
        heading={t`Learners attendance`}
        months={data?.months}
        // A part of 1, so that a full bar is everybody.
        value={(month) => (month.student_attendance ?? 0) / 100}
        show={({ student_attendance: percent }) =>
          percent === null ? <Nothing /> : formatPercent(percent / 100, 1)
        }
        empty={t`No school has reported in the last 12 months.`}
      />
    </div>
  )
}

type MonthCardProps = {
  title: string
  text: ReactNode
  /** What the figures of the months are. */
  heading: string
  /** Undefined while they are read for the first time. */
  months: readonly Month[] | undefined
  value: (month: Month) => number
  show: (month: Month) => ReactNode
  empty: string
}

/** One figure of each month, drawn; readers get it as a table instead. */
function MonthCard({ title, text, heading, months, value, show, empty }: MonthCardProps) {
  const { t } = useLingui()
  const rows = months?.map((month) => ({
    key: month.month,
    label: nameOf(month.month),
    value: value(month),
    shown: show(month),
  }))
  return (
    <Card title={title} text={text}>
      {!rows && (
        <div className="card-body" aria-busy="true">
          <Skeleton width="60%" />
        </div>
      )}
      {rows?.every((row) => row.value === 0) && <Blank title={empty} />}
      {rows?.some((row) => row.value > 0) && (
        <>
          <div aria-hidden="true">
            <BarChart label={title} bars={rows} />
          </div>
          <div className="hidden-visually">
            <table>
              <caption>{title}</caption>
              <thead>
                <tr>
                  <th scope="col">{t`Month`}</th>
                  <th scope="col">{heading}</th>
                </tr>
              </thead>
              <tbody>
                {rows.map((row) => (
                  <tr key={row.key}>
                    <th scope="row">{row.label}</th>
                    <td>{row.shown}</td>
                  </tr>
                ))}
              </tbody>
            </table>
          </div>
        </>
      )}
    </Card>
  )
}

/** `November 2026`, `novembre 2026`. */
const nameOf = (month: string) =>
  new Intl.DateTimeFormat(currentLocale(), { month: 'long', year: 'numeric', timeZone: 'UTC' }).format(
    new Date(`${month}T00:00:00Z`),
  )
