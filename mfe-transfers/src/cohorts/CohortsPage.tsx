import { Trans, useLingui } from '@lingui/react/macro'
import { transfers } from '@portal/contracts/transfers'
import type { Cohort } from '@portal/contracts/transfers/cohorts'
import { type Column, DataTable, type ListFilter } from '@portal/screens/DataTable'
import { pageLink } from '@portal/screens/ListPage'
import { lazy } from '@portal/screens/lazy'
import { useDialog } from '@portal/screens/useDialog'
import { useList } from '@portal/screens/useList'
import { useRowDialog } from '@portal/screens/useRowDialog'
import { useCan } from '@portal/sdk'
import { Button, ButtonLink } from '@portal/ui/Button'
import { Count, DateText } from '@portal/ui/Money'
import { Link } from 'react-router-dom'
import { paths } from '../paths.ts'
import { TransferPage } from '../TransferPage.tsx'
import { CohortPill, cohortChips, fullName, waitsForApproval } from '../words.tsx'
import { RunningImports } from './RunningImports.tsx'
import './words.ts'

const UploadCohortDialog = lazy(() => import('../dialogs/UploadCohortDialog.tsx'), 'UploadCohortDialog')
const ViewCohortDialog = lazy(() => import('../dialogs/ViewCohortDialog.tsx'), 'ViewCohortDialog')

/** Cohorts, newest first, under the imports that are still under way. */
export default function CohortsPage() {
  const { t } = useLingui()
  const can = useCan()
  const list = useList(transfers.cohorts, 'cohorts')
  const uploading = useDialog()
  const viewing = useRowDialog(list.items)
  const approveWords = (cohort: Cohort) => (waitsForApproval(cohort) ? t`Approve Payroll` : t`See cohort`)
  const columns: Column<Cohort>[] = [
    {
      key: 'name',
      header: t`Title`,
      sortable: true,
      wrap: true,
      cell: (cohort) => <Link to={paths.summary(cohort.id)}>{cohort.name}</Link>,
    },
    {
      key: 'created_at',
      header: t`Date`,
      sortable: true,
      cell: (cohort) => <DateText iso={cohort.created_at} />,
    },
    { key: 'user', header: t`Creator`, cell: (cohort) => fullName(cohort.user) },
    {
      key: 'master_list_count',
      header: t`Recipients`,
      align: 'right',
      cell: (cohort) => <Count value={cohort.master_list_count} />,
    },
    {
      key: 'status',
      header: t`Status`,
      // Wide enough for its longest label and what is still to be done beside each other.
      width: '220px',
      phone: 'note',
      sortable: true,
      cell: (cohort) => <CohortPill status={cohort.status} stopped={cohort.stopped} closed={cohort.closed} />,
    },
    {
      key: 'approve',
      header: t`Approval`,
      cell: (cohort) => <Link to={paths.summary(cohort.id)}>{approveWords(cohort)}</Link>,
    },
  ]
  const waiting: ListFilter<'waits'> = {
    name: 'waits',
    label: t`Cohorts that wait`,
    as: 'select',
    all: t`All cohorts`,
    options: [
      { value: 'rejected', label: t`Mine, rejected` },
      { value: 'error', label: t`Mine, in payment error` },
    ],
  }
  const upload = can('cohorts.create') && (
    <Button variant="primary" icon="upload" onClick={() => uploading.open(true)}>
      <Trans>Upload Target List File</Trans>
    </Button>
  )
  return (
    <TransferPage
      title={t`Cohorts`}
      description={t`A cohort is a target list with its period, agency and parameter. It is paid once somebody has approved it.`}
      back={{ to: paths.overview, label: t`Transfers` }}
      actions={
        upload && (
          <>
            <ButtonLink icon="filter" href={paths.newSelection} renderLink={pageLink}>
              <Trans>From the register</Trans>
            </ButtonLink>
            {upload}
          </>
        )
      }
    >
      <RunningImports />
      <DataTable
        label={t`Cohorts`}
        list={list}
        columns={columns}
        empty={{ title: t`No data available`, action: upload || undefined }}
        search={t`Search by title`}
        filters={[
          { name: 'status', label: t`Status`, options: cohortChips() },
          ...(can('cohorts.create') ? [waiting] : []),
        ]}
        rowName={(cohort) => cohort.name}
        rowActions={(cohort) => [
          {
            label: t`Preview Cohort Summary`,
            icon: 'eye',
            permission: null,
            onSelect: () => viewing.open(cohort),
          },
          {
            label: approveWords(cohort),
            icon: waitsForApproval(cohort) ? 'check' : 'eye',
            permission: null,
            to: paths.summary(cohort.id),
          },
          { label: t`Disbursement rounds`, icon: 'rows', permission: null, to: paths.payrolls(cohort.id) },
        ]}
      />
      {uploading.item && <UploadCohortDialog onClose={uploading.close} />}
      {viewing.item && <ViewCohortDialog cohort={viewing.item} onClose={viewing.close} />}
    </TransferPage>
  )
}
