import { useLingui } from '@lingui/react/macro'
import { type Erasure, erasureStates, personData } from '@portal/contracts/access/person-data'
import { type Column, DataTable } from '@portal/screens/DataTable'
import { ListPage } from '@portal/screens/ListPage'
import { useList } from '@portal/screens/useList'
import { DateText } from '@portal/ui/Money'
import { Link } from 'react-router-dom'
import { paths } from '../paths.ts'
import { fullName } from '../words.ts'
import { ErasurePill, useRecordWords, useStateWords } from './erasure-words.tsx'
import './words.ts'

/** The requests to erase people: one person asks, another one decides. */
export default function ErasuresPage() {
  const { t } = useLingui()
  const list = useList(personData.erasures, 'erasures')
  const recordWords = useRecordWords()
  const stateWords = useStateWords()
  const columns: Column<Erasure>[] = [
    {
      key: 'name',
      header: t`Person`,
      wrap: true,
      cell: ({ kind, record_id, name }) => (
        <span>
          <Link to={paths.person(kind, record_id)}>{name ?? t`Erased person`}</Link>
          <span className="sub">{recordWords(kind, record_id)}</span>
        </span>
      ),
    },
    { key: 'state', header: t`State`, phone: 'main', cell: (erasure) => <ErasurePill {...erasure} /> },
    { key: 'asked_by', header: t`Asked by`, wrap: true, cell: ({ asked_by }) => fullName(asked_by) },
    {
      key: 'created_at',
      header: t`Asked`,
      sortable: true,
      cell: ({ created_at }) => <DateText iso={created_at} time />,
    },
    {
      key: 'decided_by',
      header: t`Decided by`,
      wrap: true,
      cell: ({ decided_by }) => (decided_by ? fullName(decided_by) : '–'),
    },
  ]
  return (
    <ListPage
      title={t`Erasures`}
      description={t`One person asks on the page of a person, and another one decides here.`}
    >
      <DataTable
        label={t`Erasures`}
        list={list}
        columns={columns}
        empty={t`Nobody has asked for an erasure.`}
        filters={[
          {
            name: 'state',
            label: t`State`,
            as: 'select',
            all: t`All states`,
            options: erasureStates.map((state) => ({ value: state, label: stateWords[state] })),
          },
        ]}
      />
    </ListPage>
  )
}
