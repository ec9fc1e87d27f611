import { Plural, Trans, useLingui } from '@lingui/react/macro'
import type { AnswerOf } from '@portal/contracts/endpoint'
import { arrearAges, arrears, type GirlInArrears } from '@portal/contracts/transfers/arrears'
import { type Column, DataTable } from '@portal/screens/DataTable'
import { ExportButton } from '@portal/screens/ExportButton'
import { lazy } from '@portal/screens/lazy'
import { useList } from '@portal/screens/useList'
import { Count, DateText, Money } from '@portal/ui/Money'
import { Notice } from '@portal/ui/Notice'
import { Link } from 'react-router-dom'
import { FailureReason } from '../PaymentPill.tsx'
import { paths } from '../paths.ts'
import { TransferPage } from '../TransferPage.tsx'
import { fullName } from '../words.tsx'
import { useArrearsFilters } from './useArrearsFilters.tsx'
import './words.ts'

const AgingCard = lazy(() => import('./AgingCard.tsx'), 'AgingCard')

/** Who is owed what, since when and why, over all cohorts and rounds. */
export default function ArrearsPage() {
  const { t } = useLingui()
  const list = useList(arrears.list, 'arrears')
  const { search, filter } = list.view
  const filters = useArrearsFilters(filter, list.answer ?? {})
  const columns = useColumns()
  const asked = {
    search,
    cap: filter('cap') || undefined,
    school: filter('school') || undefined,
    transfer_agency_id: filter('transfer_agency_id') || undefined,
    reason: filter('reason') || undefined,
    age: arrearAges.find((age) => age === filter('age')),
  }
  return (
    <TransferPage
      title={t`Arrears`}
      description={t`Who is owed what, since when and why, over all cohorts and rounds. A payment is in arrears until it is made again or written off.`}
      back={{ to: paths.overview, label: t`Transfers` }}
      actions={
        <ExportButton endpoint={arrears.export} permission="payrolls.export" body={asked}>
          <Trans>Export Arrears (Excel)</Trans>
        </ExportButton>
      }
    >
      <AgingCard ages={list.page && list.answer?.ages} href={(age) => withAge(list.query, age)} />
      {list.answer && list.answer.missed.rounds > 0 && <MissedNotice {...list.answer.missed} />}
      <DataTable
        label={t`Girls in arrears`}
        list={list}
        columns={columns}
        empty={t`Nothing is owed: every payment that failed was made again or written off.`}
        search={t`Girl, guardian or code`}
        filters={filters}
        rowName={fullName}
      />
    </TransferPage>
  )
}

/** The list as it is shown, with one age. */
function withAge(query: string, age: string): string {
  const params = new URLSearchParams(query)
  params.set('age', age)
  return `${paths.arrears}?${params}`
}

type Missed = AnswerOf<typeof arrears.list>['missed']

function MissedNotice({ rounds, amount }: Missed) {
  return (
    <Notice tone="info">
      <Plural value={rounds} one="# round was missed" other="# rounds were missed" />
      {': '}
      <Trans>
        <Money amount={amount} /> were not paid. They are no arrears, because no payment was made; an approver
        starts a missed round on the page of its cohort.
      </Trans>
    </Notice>
  )
}

function useColumns(): Column<GirlInArrears>[] {
  const { t } = useLingui()
  return [
    {
      key: 'last_name',
      header: t`Name`,
      sortable: true,
      wrap: true,
      phone: 'title',
      cell: (girl) => <Link to={paths.girlPayments(girl.id)}>{fullName(girl)}</Link>,
    },
    {
      key: 'school',
      header: t`School`,
      wrap: true,
      cell: ({ student_code, school_name, cap_name }) => (
        <span>
          {student_code}
          <span className="sub">
            {school_name} · {cap_name}
          </span>
        </span>
      ),
    },
    {
      key: 'payments',
      header: t`Payments`,
      align: 'right',
      cell: ({ payments }) => <Count value={payments} />,
    },
    {
      key: 'amount',
      header: t`Arrears (XOF)`,
      align: 'right',
      sortable: true,
      phone: 'main',
      cell: ({ amount }) => <Money amount={amount} currency={false} />,
    },
    {
      key: 'since',
      header: t`Since`,
      gap: true,
      sortable: true,
      phone: 'note',
      cell: ({ since, days }) => (
        <span>
          <DateText iso={since} />
          <span className="sub">
            <Plural value={Math.max(days, 0)} one="# day" other="# days" />
          </span>
        </span>
      ),
    },
    {
      key: 'reason',
      header: t`Reason`,
      wrap: true,
      phone: 'note',
      cell: ({ causes }) => <Causes of={causes} />,
    },
  ]
}

/** The reasons, those with the most money first, and what else keeps the payments in arrears. */
function Causes({ of }: { of: GirlInArrears['causes'] }) {
  const { t } = useLingui()
  const words: Partial<Record<GirlInArrears['causes'][number]['state'], string>> = {
    held: t`The girl is on hold`,
    doubted: t`An answer is to be looked at`,
    paid_after_all: t`Paid after all`,
    correcting: t`A correction waits for approval`,
  }
  const reasons = [...new Set(of.map(({ reason }) => reason))]
  const states = [...new Set(of.flatMap(({ state }) => words[state] ?? []))]
  return (
    <span>
      {reasons.map((reason) => reason && <FailureReason key={reason} reason={reason} strong />)}
      {states.map((state) => (
        <span key={state} className="sub">
          {state}
        </span>
      ))}
    </span>
  )
}
