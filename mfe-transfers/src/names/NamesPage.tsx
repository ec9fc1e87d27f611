import { Trans, useLingui } from '@lingui/react/macro'
import { type ListedName, nameChecks } from '@portal/contracts/transfers/name-checks'
import { nameStates } from '@portal/contracts/transfers/name-outcomes'
import { nameStateWords } from '@portal/contracts/transfers/name-words'
import { formatPhone } from '@portal/i18n/format'
import { currentLocale } from '@portal/i18n/locale'
import { type Column, DataTable } from '@portal/screens/DataTable'
import { ExportButton } from '@portal/screens/ExportButton'
import { useList } from '@portal/screens/useList'
import { usePoll } from '@portal/screens/usePoll'
import { DateText, Nothing } from '@portal/ui/Money'
import { useParams } from 'react-router-dom'
import { NamePill } from '../NamePill.tsx'
import { PageState } from '../PageState.tsx'
import { paths } from '../paths.ts'
import { TransferPage } from '../TransferPage.tsx'
import { fullName } from '../words.tsx'
import { CheckCard } from './CheckCard.tsx'
import './words.ts'

/** The names of a list beside those of the agency: counts, the check, and every row. What to look at comes first. */
export default function NamesPage() {
  const { t } = useLingui()
  const id = Number(useParams().id)
  const read = usePoll(
    nameChecks.read,
    { every: 1500, until: ({ check }) => check?.state !== 'running' },
    { params: { id } },
  )
  const running = read.data?.check?.state === 'running'
  const list = useList(nameChecks.list, 'names', { params: { id }, ...(running && { every: 3000 }) })
  const columns = useColumns()
  const back = { to: paths.summary(id), label: read.data?.name ?? t`Cohort` }
  if (!read.data)
    return (
      <PageState
        title={t`Names at the agency`}
        back={back}
        list={{ problem: read.error, retry: () => void read.refetch() }}
      />
    )
  const { name } = read.data
  return (
    <TransferPage
      title={t`Names at the agency`}
      description={name}
      back={back}
      actions={
        <ExportButton endpoint={nameChecks.export} body={{ cohort_id: id }} permission="cohorts.export">
          <Trans>Export names (Excel)</Trans>
        </ExportButton>
      }
    >
      <CheckCard id={id} names={read.data} />
      <DataTable
        label={t`Names`}
        list={list}
        columns={columns}
        empty={t`No row has these names.`}
        search={t`Name, student code or number`}
        filters={[
          {
            name: 'state',
            as: 'select',
            label: t`The agency says`,
            all: t`Every answer`,
            options: nameStates.map((state) => ({
              value: state,
              label: nameStateWords[state][currentLocale()],
            })),
          },
        ]}
        rowName={fullName}
      />
    </TransferPage>
  )
}

function useColumns(): Column<ListedName>[] {
  const { t } = useLingui()
  return [
    {
      key: 'last_name',
      header: t`Name on the list`,
      sortable: true,
      wrap: true,
      phone: 'title',
      cell: fullName,
    },
    {
      key: 'holder',
      header: t`Name at the agency`,
      wrap: true,
      cell: ({ holder }) => holder ?? <Nothing />,
    },
    {
      key: 'state',
      header: t`The agency says`,
      phone: 'main',
      cell: ({ state }) => <NamePill state={state} />,
    },
    {
      key: 'phone',
      header: t`Number`,
      cell: ({ phone }) => (phone ? formatPhone(phone) : <Nothing />),
    },
    { key: 'student_code', header: t`Student code`, sortable: true },
    {
      key: 'answered_at',
      header: t`Checked on`,
      sortable: true,
      phone: 'note',
      cell: ({ answered_at }) => (answered_at ? <DateText iso={answered_at} /> : <Nothing />),
    },
  ]
}
