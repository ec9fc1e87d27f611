import { Trans, useLingui } from '@lingui/react/macro'
import { asProblem } from '@portal/client/problem'
import { queryOf } from '@portal/client/query'
import { type StatementReport, statementReport } from '@portal/contracts/transfers/statement-report'
import { statements } from '@portal/contracts/transfers/statements'
import { ExportButton } from '@portal/screens/ExportButton'
import { useHost, useQuery } from '@portal/sdk'
import { Button } from '@portal/ui/Button'
import { Card } from '@portal/ui/Card'
import { DateText } from '@portal/ui/Money'
import { Notice } from '@portal/ui/Notice'
import { Table } from '@portal/ui/Table'
import { useParams } from 'react-router-dom'
import { PageState } from '../../PageState.tsx'
import { paths } from '../../paths.ts'
import { TransferPage } from '../../TransferPage.tsx'
import { StatementPill } from '../StatementPill.tsx'
import { useFindingColumns } from '../useFindingColumns.tsx'
import { ReportFacts } from './ReportFacts.tsx'
import '../words.ts'
import './words.ts'

/** A statement as a document for the files of the programme. */
export default function StatementReportPage() {
  const { t } = useLingui()
  const id = Number(useParams().id)
  const { client } = useHost()
  const { data, error, refetch } = useQuery(queryOf(client, statementReport.read, { params: { id } }))
  const back = { to: paths.statement(id), label: t`Statement` }
  if (!data)
    return (
      <PageState
        title={t`Report of a statement`}
        back={back}
        list={{ problem: error ? asProblem(error) : null, retry: () => void refetch() }}
      />
    )
  return <Shown report={data.report} back={back} />
}

function Shown({ report, back }: { report: StatementReport; back: { to: string; label: string } }) {
  const { t } = useLingui()
  const columns = useFindingColumns().map(({ sortable: _, ...column }) => column)
  const { differences, differences_total } = report
  const rest = differences_total - differences.length
  const isDraft = report.state !== 'closed'
  const name = report.transfer_agency.name
  return (
    <TransferPage
      title={t`Report of a statement: ${name}`}
      status={<StatementPill state={report.state} />}
      description={
        <>
          <DateText iso={report.from} /> – <DateText iso={report.to} /> · {report.file_name}
        </>
      }
      back={back}
      actions={
        <>
          <ExportButton
            endpoint={statements.export}
            body={{ statement_id: report.id }}
            permission="payrolls.export"
          >
            <Trans>Export report (Excel)</Trans>
          </ExportButton>
          <Button variant="primary" icon="print" onClick={() => window.print()}>
            <Trans>Print</Trans>
          </Button>
        </>
      }
    >
      {isDraft && (
        <>
          <div hidden aria-hidden="true" className="watermark">
            <Trans>Draft, not signed</Trans>
          </div>
          <Notice tone="waiting" title={t`Draft, not signed.`}>
            <Trans>
              Until a second person has signed it, this statement counts for nothing. Every printed page says
              so.
            </Trans>
          </Notice>
        </>
      )}
      <ReportFacts report={report} />
      <Card title={t`Differences and what was decided`}>
        <Table
          compact
          label={t`Differences and what was decided`}
          columns={columns}
          rows={differences}
          rowKey={({ id }) => String(id)}
          empty={t`Statement and portal agree in every line.`}
        />
      </Card>
      {rest > 0 && (
        <Notice>
          <Trans>{rest} more differences are in the Excel file.</Trans>
        </Notice>
      )}
    </TransferPage>
  )
}
