import { Trans, useLingui } from '@lingui/react/macro'
import { queryOf } from '@portal/client/query'
import type { AnswerOf } from '@portal/contracts/endpoint'
import { donorReport } from '@portal/contracts/transfers/donor-report'
import { ExportButton } from '@portal/screens/ExportButton'
import { failureOf } from '@portal/screens/problemText'
import { useInterval } from '@portal/screens/usePoll'
import { useHost, useQuery } from '@portal/sdk'
import { Skeleton } from '@portal/ui/Blank'
import { Button } from '@portal/ui/Button'
import { Card } from '@portal/ui/Card'
import { DateText } from '@portal/ui/Money'
import { Failed } from '@portal/ui/Table'
import { paths } from '../paths.ts'
import { TransferPage } from '../TransferPage.tsx'
import { CountingCard, isCounting } from './CountingCard.tsx'
import { GirlsCard } from './GirlsCard.tsx'
import { ReachedCard } from './ReachedCard.tsx'
import { ReportFigures } from './ReportFigures.tsx'
import { useReportFilters } from './useReportFilters.tsx'
import './words.ts'

/** What donors are told about a period: on screen, as a workbook and on paper. */
export default function ReportPage() {
  const { t } = useLingui()
  const { client } = useHost()
  const { filters, line, of } = useReportFilters()
  const interval = useInterval<AnswerOf<typeof donorReport.read>>(
    1500,
    ({ counted }) => !counted || !isCounting(counted),
  )
  const { data, error, refetch } = useQuery({
    ...queryOf(client, donorReport.read, { query: filters, poll: true }),
    refetchInterval: interval,
  })
  const failure = failureOf(error, refetch)
  const report = data?.report
  return (
    <TransferPage
      title={t`Report for donors`}
      description={
        <>
          <DateText iso={filters.from} /> – <DateText iso={filters.to} /> · {of.join(' · ')}
        </>
      }
      back={{ to: paths.overview, label: t`Transfers` }}
      actions={
        <>
          <ExportButton endpoint={donorReport.export} permission="payrolls.export" body={filters}>
            <Trans>Export report (Excel)</Trans>
          </ExportButton>
          <Button icon="print" disabled={!report} onClick={() => window.print()}>
            <Trans>Print</Trans>
          </Button>
        </>
      }
    >
      {line}
      {failure && !data && (
        <Card>
          <Failed {...failure} />
        </Card>
      )}
      {data?.counted && <CountingCard counted={data.counted} filters={filters} />}
      {!data && !failure && (
        <Card padded>
          <div aria-busy="true">
            <Skeleton width="60%" height={72} />
          </div>
        </Card>
      )}
      {report && (
        <>
          <ReportFigures report={report} to={filters.to} />
          <ReachedCard
            title={report.place === 'cap' ? t`By CAP` : t`By school`}
            heading={report.place === 'cap' ? t`CAP` : t`School`}
            parts={report.places}
            report={report}
          />
          <ReachedCard
            title={t`By class level`}
            heading={t`Class level`}
            parts={report.levels}
            report={report}
          />
          <GirlsCard report={report} />
        </>
      )}
    </TransferPage>
  )
}
