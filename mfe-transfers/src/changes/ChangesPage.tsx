import { Trans, useLingui } from '@lingui/react/macro'
import {
  type CohortChange,
  type CohortComparison,
  cohortChanges,
} from '@portal/contracts/transfers/cohort-changes'
import { formatPhone } from '@portal/i18n/format'
import { type Column, DataTable } from '@portal/screens/DataTable'
import { ExportButton } from '@portal/screens/ExportButton'
import { useList } from '@portal/screens/useList'
import { DateText, Money, Nothing } from '@portal/ui/Money'
import { Link, useParams } from 'react-router-dom'
import { PageState } from '../PageState.tsx'
import { paths } from '../paths.ts'
import { TransferPage } from '../TransferPage.tsx'
import { fullName } from '../words.tsx'
import { ChangeTotals } from './ChangeTotals.tsx'
import { useChangeKinds } from './useChangeKinds.tsx'
import './words.ts'

/** What changed on a list since the earlier one of its parameter: counts, sums that add up, and every row. */
export default function ChangesPage() {
  const { t } = useLingui()
  const id = Number(useParams().id)
  const list = useList(cohortChanges.list, 'changes', { params: { id } })
  const kinds = useChangeKinds()
  const columns = useColumns()
  const back = { to: paths.summary(id), label: list.answer?.name ?? t`Cohort` }
  if (!list.answer) return <PageState title={t`What changed`} back={back} list={list} />
  const { name, comparison } = list.answer
  return (
    <TransferPage
      title={t`What changed on “${name}”`}
      description={<Compared comparison={comparison} />}
      back={back}
      actions={
        <ExportButton endpoint={cohortChanges.export} body={{ cohort_id: id }} permission="cohorts.export">
          <Trans>Export changes (Excel)</Trans>
        </ExportButton>
      }
    >
      <ChangeTotals comparison={comparison} />
      <DataTable
        label={t`Changes`}
        list={list}
        columns={columns}
        empty={t`Nothing changed since the earlier list.`}
        search={t`Name, student code or number`}
        filters={[
          {
            name: 'kind',
            as: 'select',
            label: t`Change`,
            all: t`Every change`,
            options: comparison.kinds.map(({ kind }) => ({ value: kind, label: kinds[kind] })),
          },
        ]}
        rowName={fullName}
      />
    </TransferPage>
  )
}

function Compared({ comparison: { compared_with: earlier } }: { comparison: CohortComparison }) {
  if (!earlier)
    return <Trans>No earlier approved list of this parameter has these girls, so all of them are new.</Trans>
  return (
    <Trans>
      Compared with <Link to={paths.summary(earlier.id)}>{earlier.name}</Link> (
      <DateText iso={earlier.from} /> – <DateText iso={earlier.to} />
      ), the last approved list of this parameter with these girls, with its approved corrections.
    </Trans>
  )
}

function useColumns(): Column<CohortChange>[] {
  const { t } = useLingui()
  const kinds = useChangeKinds()
  return [
    {
      key: 'last_name',
      header: t`Parent name`,
      sortable: true,
      wrap: true,
      phone: 'title',
      cell: fullName,
    },
    { key: 'student_code', header: t`Student code`, sortable: true },
    {
      key: 'kind',
      header: t`Change`,
      wrap: true,
      phone: 'main',
      cell: ({ kind }) => kinds[kind],
    },
    { key: 'before', header: t`Before`, wrap: true, cell: (row) => <Side of={row} at="before" /> },
    { key: 'after', header: t`On this list`, wrap: true, cell: (row) => <Side of={row} at="after" /> },
    {
      key: 'amount',
      header: t`Difference or amount (XOF)`,
      align: 'right',
      sortable: true,
      phone: 'note',
      cell: ({ amount }) => <Money amount={amount} currency={false} />,
    },
  ]
}

/** One side of a change: a number or name, or else the amount on that list. */
function Side({ of, at }: { of: CohortChange; at: 'before' | 'after' }) {
  const text = of[at]
  if (text !== null) return <>{of.kind === 'number' && text.startsWith('+') ? formatPhone(text) : text}</>
  const amount = of[`amount_${at}`]
  return amount === null ? <Nothing /> : <Money amount={amount} currency={false} />
}
