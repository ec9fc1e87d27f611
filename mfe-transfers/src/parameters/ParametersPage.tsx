import { Trans, useLingui } from '@lingui/react/macro'
import { transfers } from '@portal/contracts/transfers'
import type { Parameter } from '@portal/contracts/transfers/agencies'
import { formatRate } from '@portal/i18n/format'
import { type Column, DataTable } from '@portal/screens/DataTable'
import { lazy } from '@portal/screens/lazy'
import { useDialog } from '@portal/screens/useDialog'
import { useList } from '@portal/screens/useList'
import { useRowDialog } from '@portal/screens/useRowDialog'
import { useCan } from '@portal/sdk'
import { Button } from '@portal/ui/Button'
import { DateText, Money } from '@portal/ui/Money'
import { paths } from '../paths.ts'
import { TransferPage } from '../TransferPage.tsx'
import { ActivePill, fullName } from '../words.tsx'
import './words.ts'

const BudgetsCard = lazy(() => import('../dialogs/BudgetsCard.tsx'), 'BudgetsCard')
const CreateParameterDialog = lazy(
  () => import('../dialogs/CreateParameterDialog.tsx'),
  'CreateParameterDialog',
)
const ViewParameterDialog = lazy(() => import('../dialogs/ViewParameterDialog.tsx'), 'ViewParameterDialog')

/** Transfer parameters, newest first. */
export default function ParametersPage() {
  const { t } = useLingui()
  const can = useCan()
  const list = useList(transfers.parameters, 'parameters')
  const creating = useDialog()
  const viewing = useRowDialog(list.items)
  const columns: Column<Parameter>[] = [
    {
      key: 'name',
      header: t`Name`,
      sortable: true,
      wrap: true,
      cell: ({ name, description }) => (
        <span>
          <span>{name}</span>
          <span className="sub more">{description}</span>
        </span>
      ),
    },
    {
      key: 'created_at',
      header: t`Date`,
      sortable: true,
      phone: 'note',
      cell: ({ created_at }) => <DateText iso={created_at} />,
    },
    {
      key: 'amount',
      header: t`Amount`,
      align: 'right',
      phone: 'main',
      cell: ({ amount }) => <Money amount={amount} />,
    },
    {
      key: 'commission',
      header: t`Commission`,
      align: 'right',
      cell: ({ commission }) => formatRate(commission),
    },
    { key: 'user', header: t`Creator`, cell: ({ user }) => fullName(user) },
    {
      key: 'status',
      header: t`Status`,
      phone: 'note',
      sortable: true,
      cell: ({ status }) => <ActivePill status={status} />,
    },
  ]
  const create = can('parameters.create') && (
    <Button variant="primary" icon="plus" onClick={() => creating.open(true)}>
      <Trans>Create parameter</Trans>
    </Button>
  )
  return (
    <TransferPage
      title={t`Transfer parameters`}
      description={t`How much a recipient gets, how often, and what the programme pays for it.`}
      back={{ to: paths.overview, label: t`Transfers` }}
      actions={create}
    >
      <DataTable
        label={t`Transfer parameters`}
        list={list}
        columns={columns}
        empty={{ title: t`No data available`, action: create || undefined }}
        search={t`Search by name`}
        filters={[
          {
            name: 'status',
            label: t`Status`,
            options: [
              { value: 'active', label: t`Active` },
              { value: 'inactive', label: t`Inactive` },
            ],
          },
        ]}
        rowName={({ name }) => name}
        rowActions={(parameter) => [
          { label: t`See Details`, icon: 'eye', permission: null, onSelect: () => viewing.open(parameter) },
        ]}
      />
      <BudgetsCard />
      {creating.item && <CreateParameterDialog onClose={creating.close} />}
      {viewing.item && <ViewParameterDialog parameter={viewing.item} onClose={viewing.close} />}
    </TransferPage>
  )
}
