import { Trans, useLingui } from '@lingui/react/macro'
import { type Column, DataTable } from '@portal/screens/DataTable'
import { ListPage } from '@portal/screens/ListPage'
import { lazy } from '@portal/screens/lazy'
import { useDialog } from '@portal/screens/useDialog'
import { useList } from '@portal/screens/useList'
import { useCan } from '@portal/sdk'
import { Button } from '@portal/ui/Button'
import { DateText } from '@portal/ui/Money'
import { OutcomePill } from '../OutcomePill.tsx'
import { type VisitRecord, visits } from '../visits.ts'
import { outcomeOptions, reasonName } from '../words.ts'
import { useTotals } from './useTotals.tsx'

// Dialogs are lazy: they are loaded when somebody opens them.
const VisitDialog = lazy(() => import('./VisitDialog.tsx'), 'VisitDialog')
const RemoveVisitDialog = lazy(() => import('./RemoveVisitDialog.tsx'), 'RemoveVisitDialog')

/** The list of visits, newest first. */
export default function VisitsPage() {
  const { t } = useLingui()
  const can = useCan()
  const list = useList(visits.list, 'records') // page, search, sort and filters are in the URL
  const totals = useTotals(list.view)
  const recording = useDialog()
  const changing = useDialog<VisitRecord>()
  const removing = useDialog<VisitRecord>()
  const columns: Column<VisitRecord>[] = [
    {
      key: 'student',
      header: t`Student`,
      sortable: true,
      cell: ({ data }) => <strong>{data.student}</strong>,
    },
    { key: 'school', header: t`School`, sortable: true, cell: ({ data }) => data.school },
    { key: 'date', header: t`Date`, sortable: true, cell: ({ data }) => <DateText iso={data.date} /> },
    { key: 'reason', header: t`Reason`, cell: ({ data }) => reasonName(data.reason) },
    {
      key: 'outcome',
      header: t`Outcome`,
      phone: 'status',
      cell: ({ data }) => <OutcomePill outcome={data.outcome} />,
    },
    {
      key: 'created_at',
      header: t`Recorded`,
      sortable: true,
      phone: 'hide',
      cell: ({ created_at }) => <DateText iso={created_at} time />,
    },
  ]
  const record = can('health.record') && (
    <Button variant="primary" icon="plus" onClick={() => recording.open(true)}>
      <Trans>Record a visit</Trans>
    </Button>
  )
  return (
    <ListPage
      title={t`School health`}
      description={t`Visits of students to the school nurse, and how they ended.`}
      actions={record}
    >
      <DataTable
        label={t`Visits`}
        list={list}
        columns={columns}
        empty={{ title: t`No visit recorded yet`, action: record || undefined }}
        search={t`Student or school`}
        filters={[
          {
            name: 'school',
            label: t`School`,
            as: 'select',
            all: t`All schools`,
            options: totals.schools.map((value) => ({ value, label: value })),
          },
          { name: 'date_from', label: t`From`, as: 'day' },
          { name: 'date_to', label: t`To`, as: 'day' },
          {
            name: 'outcome',
            label: t`Outcome`,
            total: totals.all,
            options: outcomeOptions().map((option) => ({ ...option, count: totals.count(option.value) })),
          },
        ]}
        rowName={({ data }) => data.student}
        rowActions={(visit) => [
          {
            label: t`Change`,
            icon: 'pencil',
            permission: 'health.record',
            onSelect: () => changing.open(visit),
          },
          {
            label: t`Remove`,
            icon: 'trash',
            apart: true,
            permission: 'health.record',
            onSelect: () => removing.open(visit),
          },
        ]}
      />
      {recording.item && <VisitDialog onClose={recording.close} />}
      {changing.item && <VisitDialog visit={changing.item} onClose={changing.close} />}
      {removing.item && <RemoveVisitDialog visit={removing.item} onClose={removing.close} />}
    </ListPage>
  )
}
