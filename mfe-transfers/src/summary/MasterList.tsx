import { Trans, useLingui } from '@lingui/react/macro'
import type { AnswerOf } from '@portal/contracts/endpoint'
import type { transfers } from '@portal/contracts/transfers'
import type { CohortSummary, MasterListEntry } from '@portal/contracts/transfers/cohorts'
import { NotReadAgain } from '@portal/screens/NotReadAgain'
import { failureOf } from '@portal/screens/problemText'
import type { List } from '@portal/screens/useList'
import { Button } from '@portal/ui/Button'
import { Card } from '@portal/ui/Card'
import { ActiveFilters, Chips, Filters, SearchBox, Segmented } from '@portal/ui/Filters'
import { Pager } from '@portal/ui/Pager'
import { Table } from '@portal/ui/Table'
import { paymentChips } from '../PaymentPill.tsx'
import { receiverName } from '../Receiver.tsx'
import { useMasterColumns } from './useMasterColumns.tsx'
import { useRowHeight } from './useRowHeight.tsx'

export type SummaryList = List<
  MasterListEntry,
  AnswerOf<typeof transfers.summary>,
  'status' | 'shared' | 'names'
>

/** The list of a cohort with where each payment of its latest round stands. */
export function MasterList({ list, cohort }: { list: SummaryList; cohort: CohortSummary }) {
  const { t } = useLingui()
  const { page, problem, view } = list
  const columns = useMasterColumns(cohort)
  const [rows, setRows] = useRowHeight()
  const sortKey = view.sort.replace(/^-/, '')
  const clear = (
    <Button vanishes onClick={list.clear}>
      <Trans>Clear all</Trans>
    </Button>
  )
  return (
    <Card
      title={t`Master list`}
      note={t`Amounts in XOF`}
      actions={
        <Segmented
          wideOnly
          label={t`Row height`}
          segments={[
            { value: 'normal', label: t`Normal rows`, icon: 'rows' },
            { value: 'compact', label: t`Compact rows`, icon: 'dense' },
          ]}
          value={rows}
          onChange={setRows}
        />
      }
    >
      <Filters>
        <SearchBox
          key={list.cleared}
          value={view.search}
          label={t`Name, number or code`}
          onSearch={(search) => list.show({ search }, true)}
        />
        <Chips
          label={t`Status`}
          chips={[
            { value: '', label: t`All`, count: cohort.master_list_count },
            // Of a rejected list nothing is paid, so there is nothing to tell apart.
            ...(cohort.status === 'rejected' ? [] : paymentChips(cohort.master_list_statuses)),
          ]}
          value={view.filter('status')}
          onChange={(status) => list.show({ status })}
        />
        {cohort.names_differ > 0 && (
          <Chips
            label={t`Names at the agency`}
            chips={[
              { value: '', label: t`All names` },
              { value: 'differ', label: t`Name differs`, count: cohort.names_differ },
            ]}
            value={view.filter('names')}
            onChange={(names) => list.show({ names })}
          />
        )}
        {view.filter('shared') && (
          <ActiveFilters
            filters={[{ key: 'shared', label: t`Shared numbers`, onRemove: () => list.show({ shared: '' }) }]}
            onClear={list.clear}
          />
        )}
      </Filters>
      {page && <NotReadAgain problem={problem} onRetry={list.retry} />}
      <Table
        many
        compact={rows === 'compact'}
        label={t`Master list`}
        columns={columns}
        rows={page?.data}
        outdated={list.outdated}
        failure={page ? null : failureOf(problem, list.retry)}
        rowKey={(entry) => entry.id}
        rowName={receiverName}
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
            capped={page.capped}
            href={list.href}
            onPage={(number) => list.show({ page: number })}
          />
        </div>
      )}
    </Card>
  )
}
