import { Trans, useLingui } from '@lingui/react/macro'
import type { AnswerOf } from '@portal/contracts/endpoint'
import type { CohortSummary, MasterListEntry, transfers } from '@portal/contracts/transfers'
import { formatNumber } from '@portal/i18n/format'
import { problemText } from '@portal/screens/problemText'
import type { List } from '@portal/screens/useList'
import { Button } from '@portal/ui/Button'
import { Card } from '@portal/ui/Card'
import { ActiveFilters, Chips, Filters, SearchBox } from '@portal/ui/Filters'
import { DateText, Money, Nothing } from '@portal/ui/Money'
import { Notice } from '@portal/ui/Notice'
import { Pager } from '@portal/ui/Pager'
import { type Column, Table } from '@portal/ui/Table'
import { PaymentPill, paymentChips } from '../PaymentPill.tsx'
import { ReceiverNumber, receiverName } from '../Receiver.tsx'

export type SummaryList = List<MasterListEntry, AnswerOf<typeof transfers.summary>, 'status' | 'shared'>

/** The list of a cohort with where each payment of its latest round stands. */
export function MasterList({ list, cohort }: { list: SummaryList; cohort: CohortSummary }) {
  const { t } = useLingui()
  const { page, problem, view } = list
  const columns = useColumns(cohort)
  const sortKey = view.sort.replace(/^-/, '')
  const retry = (
    <Button small icon="retry" onClick={list.retry}>
      <Trans>Try again</Trans>
    </Button>
  )
  const clear = (
    <Button onClick={list.clear}>
      <Trans>Clear all</Trans>
    </Button>
  )
  return (
    <Card title={t`Master list`} note={t`Amounts in XOF`}>
      <Filters>
        <SearchBox
          value={view.search}
          label={t`Name, number or code`}
          onSearch={(search) => list.show({ search }, true)}
        />
        <Chips
          label={t`Status`}
          chips={[
            { value: '', label: t`All`, count: cohort.master_list_count },
            ...paymentChips(cohort.master_list_statuses),
          ]}
          value={view.filter('status')}
          onChange={(status) => list.show({ status })}
        />
        {view.filter('shared') && (
          <ActiveFilters
            filters={[{ key: 'shared', label: t`Shared numbers`, onRemove: () => list.show({ shared: '' }) }]}
            onClear={list.clear}
          />
        )}
      </Filters>
      {problem && (
        <Notice tone="bad" alert actions={retry}>
          {problemText(problem)}
        </Notice>
      )}
      <Table
        many
        label={t`Master list`}
        columns={columns}
        rows={page?.data}
        rowKey={(entry) => entry.id}
        empty={
          list.narrowed
            ? { title: t`Nothing matches your search`, action: clear }
            : t`Data not available yet.`
        }
        sort={sortKey ? { key: sortKey, direction: view.sort.startsWith('-') ? 'desc' : 'asc' } : null}
        onSort={({ key, direction }) => list.show({ sort: direction === 'desc' ? `-${key}` : key })}
      />
      {page && page.total > 0 && (
        <div className="card-foot">
          <Pager
            page={page.current_page}
            last={page.last_page}
            perPage={page.per_page}
            total={page.total}
            href={list.href}
            onPage={(number) => list.show({ page: number })}
          />
        </div>
      )}
    </Card>
  )
}

function useColumns(cohort: CohortSummary): Column<MasterListEntry>[] {
  const { t } = useLingui()
  const percent = formatNumber(cohort.transfer_parameter.commission, 2).replace(/[.,]?0+$/, '')
  const money = (of: 'total_amount' | 'fees' | 'amount') => (entry: MasterListEntry) => (
    <Money amount={entry[of]} currency={false} />
  )
  return [
    { key: 'receiver_last_name', header: t`Parent name`, sortable: true, cell: receiverName },
    { key: 'number', header: t`Recipient number`, cell: (entry) => <ReceiverNumber of={entry} /> },
    {
      key: 'student_code',
      header: t`Student code`,
      sortable: true,
      cell: ({ student }) => student.student_code,
    },
    { key: 'total_amount', header: t`Sent amount`, align: 'right', cell: money('total_amount') },
    { key: 'fees', header: t`Fees (${percent}%)`, align: 'right', cell: money('fees') },
    { key: 'amount', header: t`Expected amount`, align: 'right', sortable: true, cell: money('amount') },
    {
      key: 'reference_code',
      header: t`Reference id`,
      gap: true,
      cell: ({ reference_code }) =>
        reference_code ? <span className="mono">{reference_code}</span> : <Nothing />,
    },
    {
      key: 'status',
      header: t`Status`,
      phone: 'status',
      wrap: true,
      cell: ({ status, failure_reason }) => <PaymentPill status={status} reason={failure_reason} />,
    },
    {
      key: 'updated_at',
      header: t`Timestamp`,
      sortable: true,
      cell: ({ status, updated_at }) =>
        // Nothing has happened to it yet.
        status === 'pending' ? <Nothing /> : <DateText iso={updated_at} time />,
    },
  ]
}
