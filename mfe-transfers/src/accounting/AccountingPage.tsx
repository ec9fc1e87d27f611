import { Trans, useLingui } from '@lingui/react/macro'
import { queryOf } from '@portal/client/query'
import { transfers } from '@portal/contracts/transfers'
import {
  accounting,
  type CohortBalances,
  type MoneyAccount,
  moneyAccounts,
} from '@portal/contracts/transfers/accounting'
import { type Column, DataTable, type ListFilter } from '@portal/screens/DataTable'
import { ExportButton } from '@portal/screens/ExportButton'
import { pageLink } from '@portal/screens/ListPage'
import { useList } from '@portal/screens/useList'
import { useHost, useQuery } from '@portal/sdk'
import { Money } from '@portal/ui/Money'
import { paths } from '../paths.ts'
import { TransferPage } from '../TransferPage.tsx'
import { accountName } from './account-words.ts'
import { TrialBalanceCard } from './TrialBalanceCard.tsx'
import './words.ts'

/** The programme's money in double entry: the trial balance of a period, and the balances of each cohort. */
export default function AccountingPage() {
  const { t } = useLingui()
  const list = useList(accounting.list, 'cohorts')
  const { search, filter } = list.view
  const filters = useFilters()
  const columns = useColumns()
  const asked = {
    search,
    transfer_agency_id: filter('transfer_agency_id') || undefined,
    from: filter('from') || undefined,
    to: filter('to') || undefined,
  }
  return (
    <TransferPage
      title={t`Accounting`}
      description={t`The money of the programme in double entry, from every event of every payment. A payment is owed to its recipient, in arrears, written off, or paid from the float of an agency.`}
      back={{ to: paths.overview, label: t`Transfers` }}
      actions={
        <>
          <ExportButton
            endpoint={accounting.export}
            permission="payrolls.export"
            body={{ ...asked, part: 'balance' }}
          >
            <Trans>Export Trial Balance (Excel)</Trans>
          </ExportButton>
          <ExportButton
            endpoint={accounting.export}
            permission="payrolls.export"
            body={{ ...asked, part: 'journal' }}
          >
            <Trans>Export Journal (Excel)</Trans>
          </ExportButton>
        </>
      }
    >
      <TrialBalanceCard rows={list.page && list.answer?.accounts} />
      <DataTable
        label={t`Balances by cohort`}
        list={list}
        columns={columns}
        rowName={({ name }) => name}
        search={t`Cohort name or description`}
        filters={filters}
        empty={t`No data available`}
      />
    </TransferPage>
  )
}

function useFilters(): ListFilter<'transfer_agency_id' | 'from' | 'to'>[] {
  const { t } = useLingui()
  const { client } = useHost()
  const settings = useQuery({ ...queryOf(client, transfers.settings), staleTime: 300_000 })
  return [
    {
      name: 'transfer_agency_id',
      as: 'select',
      label: t`Transfer agency`,
      all: t`All agencies`,
      options: (settings.data?.agencies ?? []).map(({ id, name }) => ({ value: String(id), label: name })),
    },
    { name: 'from', as: 'day', label: t`From` },
    { name: 'to', as: 'day', label: t`To` },
  ]
}

function useColumns(): Column<CohortBalances>[] {
  const { t } = useLingui()
  const balance = (account: MoneyAccount): Column<CohortBalances> => ({
    key: account,
    header: accountName(account),
    align: 'right',
    phone: account === 'float' ? 'main' : undefined,
    cell: (cohort) => <Money amount={cohort[account]} currency={false} />,
  })
  return [
    {
      key: 'name',
      header: t`Cohort`,
      sortable: true,
      wrap: true,
      cell: ({ id, name }) => pageLink({ href: paths.summary(id), className: 'strong', children: name }),
    },
    ...moneyAccounts.map(balance),
  ]
}
