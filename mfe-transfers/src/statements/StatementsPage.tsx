import { Trans, useLingui } from '@lingui/react/macro'
import { queryOf } from '@portal/client/query'
import { transfers } from '@portal/contracts/transfers'
import { statementStateWords } from '@portal/contracts/transfers/statement-words'
import { type Statement, statementStates, statements } from '@portal/contracts/transfers/statements'
import { transferLists } from '@portal/contracts/transfers/transfer-lists'
import { currentLocale } from '@portal/i18n/locale'
import { type Column, DataTable } from '@portal/screens/DataTable'
import { ExportButton } from '@portal/screens/ExportButton'
import { pageLink } from '@portal/screens/ListPage'
import { lazy } from '@portal/screens/lazy'
import { useDialog } from '@portal/screens/useDialog'
import { useList } from '@portal/screens/useList'
import { useCan, useHost, useQuery } from '@portal/sdk'
import { Button } from '@portal/ui/Button'
import { Count, DateText, Money } from '@portal/ui/Money'
import { paths } from '../paths.ts'
import { TransferPage } from '../TransferPage.tsx'
import { openOf, theirsOf } from './figures.ts'
import { StatementPill } from './StatementPill.tsx'
import './words.ts'

const UploadStatementDialog = lazy(() => import('./UploadStatementDialog.tsx'), 'UploadStatementDialog')

/** The statements of agencies, and the upload of another one. */
export default function StatementsPage() {
  const { t } = useLingui()
  const { client } = useHost()
  const can = useCan()
  const uploading = useDialog<true>()
  const settings = useQuery({ ...queryOf(client, transfers.settings), staleTime: 300_000 })
  const list = useList(statements.list, 'statements', {
    every: 2000,
    until: (answer) => answer.statements.data.every(({ state }) => state !== 'queued' && state !== 'reading'),
  })
  return (
    <TransferPage
      title={t`Statements of agencies`}
      description={t`What each agency says that it paid, compared with the payments of the portal.`}
      back={{ to: paths.reconciliations, label: t`Reconciliations` }}
      actions={
        <>
          <ExportButton
            endpoint={transferLists.statements}
            permission="payrolls.export"
            body={{
              search: list.view.search,
              transfer_agency_id: list.view.filter('transfer_agency_id') || undefined,
              state: statementStates.find((state) => state === list.view.filter('state')),
              from: list.view.filter('from') || undefined,
              to: list.view.filter('to') || undefined,
            }}
          >
            <Trans>Export (Excel)</Trans>
          </ExportButton>
          {can('statements.import') && (
            <Button variant="primary" icon="upload" onClick={() => uploading.open(true)}>
              <Trans>Upload statement</Trans>
            </Button>
          )}
        </>
      }
    >
      <DataTable
        label={t`Statements of agencies`}
        list={list}
        columns={useColumns()}
        rowName={({ file_name }) => file_name}
        search={t`File or agency`}
        filters={[
          {
            name: 'transfer_agency_id',
            as: 'select',
            label: t`Transfer agency`,
            all: t`All agencies`,
            options: (settings.data?.agencies ?? []).map(({ id, name }) => ({
              value: String(id),
              label: name,
            })),
          },
          { name: 'from', as: 'day', label: t`From` },
          { name: 'to', as: 'day', label: t`To` },
          {
            name: 'state',
            label: t`State`,
            options: statementStates.map((value) => ({
              value,
              label: statementStateWords[value][currentLocale()],
            })),
          },
        ]}
        empty={t`No statement has been uploaded yet`}
      />
      {uploading.item && <UploadStatementDialog onClose={uploading.close} />}
    </TransferPage>
  )
}

function useColumns(): Column<Statement>[] {
  const { t } = useLingui()
  return [
    {
      key: 'agency',
      header: t`Transfer agency`,
      wrap: true,
      phone: 'title',
      cell: ({ id, transfer_agency, file_name }) => (
        <span>
          {pageLink({ href: paths.statement(id), className: 'strong', children: transfer_agency.name })}
          <span className="sub more">{file_name}</span>
        </span>
      ),
    },
    {
      key: 'from',
      header: t`Period`,
      sortable: true,
      phone: 'note',
      cell: ({ from, to }) => (
        <span className="nowrap">
          <DateText iso={from} /> – <DateText iso={to} />
        </span>
      ),
    },
    { key: 'state', header: t`State`, phone: 'main', cell: ({ state }) => <StatementPill state={state} /> },
    {
      key: 'lines',
      header: t`Lines`,
      align: 'right',
      cell: ({ lines_read }) => <Count value={lines_read} />,
    },
    {
      key: 'paid',
      header: t`Paid by the statement (XOF)`,
      align: 'right',
      cell: ({ totals }) => <Money amount={theirsOf(totals)} currency={false} />,
    },
    {
      key: 'open',
      header: t`Open differences`,
      align: 'right',
      cell: ({ totals }) => <Count value={openOf(totals)} />,
    },
  ]
}
