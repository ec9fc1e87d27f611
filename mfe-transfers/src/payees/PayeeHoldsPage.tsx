import { Trans, useLingui } from '@lingui/react/macro'
import { queryOf } from '@portal/client/query'
import { geography } from '@portal/contracts/registers/geography'
import { type PayeeHold, payeeHolds } from '@portal/contracts/transfers/payee-holds'
import { payeeHoldSteps } from '@portal/contracts/transfers/steps/hold'
import { transferLists } from '@portal/contracts/transfers/transfer-lists'
import { type Column, DataTable } from '@portal/screens/DataTable'
import { ExportButton } from '@portal/screens/ExportButton'
import { lazy } from '@portal/screens/lazy'
import { useDialog } from '@portal/screens/useDialog'
import { useList } from '@portal/screens/useList'
import { useHost, useQuery } from '@portal/sdk'
import { DateText, Money } from '@portal/ui/Money'
import { StatusPill } from '@portal/ui/StatusPill'
import { useSearchParams } from 'react-router-dom'
import { paths } from '../paths.ts'
import { TransferPage } from '../TransferPage.tsx'
import { fullName } from '../words.tsx'
import './words.ts'

const HoldPayeeDialog = lazy(() => import('../dialogs/HoldPayeeDialog.tsx'), 'HoldPayeeDialog')
const NextStep = lazy(() => import('../dialogs/NextStep.tsx'), 'NextStep')
const ReleasePayeeDialog = lazy(() => import('./ReleasePayeeDialog.tsx'), 'ReleasePayeeDialog')

/** The girls who are not paid for the time being, and why. */
export default function PayeeHoldsPage() {
  const { t } = useLingui()
  const { client } = useHost()
  const [params, setParams] = useSearchParams()
  const list = useList(payeeHolds.list, 'holds')
  const places = useQuery({ ...queryOf(client, geography.options), staleTime: 300_000 })
  // The page of a student leads here with her number.
  const holding = Number(params.get('hold'))
  const endHolding = () =>
    setParams(
      (latest) => {
        latest.delete('hold')
        return latest
      },
      { replace: true, preventScrollReset: true },
    )
  const releasing = useDialog<PayeeHold>()
  const columns = useColumns()
  return (
    <TransferPage
      title={t`Girls on hold`}
      description={<NextStep of={payeeHoldSteps} state="open" />}
      back={{ to: paths.overview, label: t`Transfers` }}
      actions={
        <ExportButton
          endpoint={transferLists.holds}
          permission="payrolls.export"
          body={{
            search: list.view.search,
            state: (['open', 'ended'] as const).find((state) => state === list.view.filter('state')),
            cap: list.view.filter('cap') || undefined,
            school: list.view.filter('school') || undefined,
            student_id: list.view.filter('student_id') || undefined,
            since: list.view.filter('since') || undefined,
          }}
        >
          <Trans>Export (Excel)</Trans>
        </ExportButton>
      }
    >
      <DataTable
        label={t`Girls on hold`}
        list={list}
        columns={columns}
        empty={t`No girl is on hold. A girl is put on hold from the list of students or from a round.`}
        search={t`Girl, student code or school`}
        filters={[
          {
            name: 'state',
            label: t`Status`,
            options: [
              { value: 'open', label: t`On hold` },
              { value: 'ended', label: t`Released` },
            ],
          },
          {
            name: 'cap',
            as: 'select',
            label: t`CAP`,
            all: t`All CAPs`,
            options: (places.data?.caps ?? []).map(({ id, name }) => ({ value: String(id), label: name })),
          },
          { name: 'since', as: 'day', label: t`Since` },
        ]}
        rowName={fullName}
        rowActions={(hold) =>
          hold.released_at
            ? []
            : [
                {
                  label: t`Release`,
                  icon: 'play',
                  permission: 'cohorts.approve',
                  onSelect: () => releasing.open(hold),
                },
              ]
        }
      />
      {holding > 0 && <HoldPayeeDialog studentId={holding} onClose={endHolding} />}
      {releasing.item && <ReleasePayeeDialog hold={releasing.item} onClose={releasing.close} />}
    </TransferPage>
  )
}

function useColumns(): Column<PayeeHold>[] {
  const { t } = useLingui()
  return [
    { key: 'last_name', header: t`Name`, sortable: true, wrap: true, phone: 'title', cell: fullName },
    {
      key: 'school',
      header: t`School`,
      wrap: true,
      cell: ({ student_code, school_name }) => (
        <span>
          {student_code}
          <span className="sub">{school_name}</span>
        </span>
      ),
    },
    {
      key: 'reason',
      header: t`Reason`,
      wrap: true,
      phone: 'note',
      cell: ({ reason, case_number }) => (
        <span>
          {reason}
          {case_number && <span className="sub">{t`Case ${case_number}`}</span>}
        </span>
      ),
    },
    {
      key: 'created_at',
      header: t`Since`,
      sortable: true,
      wrap: true,
      cell: ({ created_at, user }) => (
        <span>
          <DateText iso={created_at} />
          <span className="sub">{fullName(user)}</span>
        </span>
      ),
    },
    {
      key: 'withheld',
      header: t`Withheld (XOF)`,
      align: 'right',
      phone: 'note',
      cell: ({ withheld_amount }) => <Money amount={withheld_amount} currency={false} />,
    },
    {
      key: 'state',
      header: t`Status`,
      gap: true,
      wrap: true,
      phone: 'main',
      cell: (hold) => <HoldState of={hold} />,
    },
  ]
}

function HoldState({ of: { released_at, released_by, ends_on } }: { of: PayeeHold }) {
  const { t } = useLingui()
  if (!released_at)
    return (
      <div>
        <StatusPill tone="waiting" icon="stop">{t`On hold`}</StatusPill>
        {ends_on && (
          <div className="small muted">
            <Trans>
              until <DateText iso={ends_on} />
            </Trans>
          </div>
        )}
      </div>
    )
  return (
    <div>
      <StatusPill tone="neutral">{t`Released`}</StatusPill>
      <div className="small muted">
        <DateText iso={released_at} />
        {released_by && <> · {fullName(released_by)}</>}
      </div>
    </div>
  )
}
