import { Plural, useLingui } from '@lingui/react/macro'
import type { Endpoint } from '@portal/contracts/endpoint'
import { type Import, type ImportKind, imports } from '@portal/contracts/imports'
import { isFinal } from '@portal/screens/isFinal'
import { NotReadAgain } from '@portal/screens/NotReadAgain'
import { failureOf } from '@portal/screens/problemText'
import { refetchTwice } from '@portal/screens/refetchTwice'
import { usePoll } from '@portal/screens/usePoll'
import { useQueryClient } from '@portal/sdk'
import { Card } from '@portal/ui/Card'
import { Pager } from '@portal/ui/Pager'
import { Table } from '@portal/ui/Table'
import { useEffect, useRef } from 'react'
import type { Importing } from './importing.ts'
import { useHistoryColumns } from './useHistoryColumns.tsx'
import { useImportAddress } from './useImportAddress.tsx'

type Props = { kind: ImportKind; of?: Importing['of']; refetches: readonly Endpoint[] }

/** Earlier imports of this list, newest first: who, when, what came of them, and the file. */
export function History({ kind, of, refetches }: Props) {
  const { t } = useLingui()
  const { url, href, go } = useImportAddress()
  const page = Math.max(1, Math.floor(Number(url.get('page'))) || 1)
  const poll = usePoll(
    imports.list,
    {
      every: 2000,
      until: ({ imports: list }) => list.data.every(({ state }) => isFinal(state) || state === 'review'),
    },
    { query: { kind, ...of, page } },
  )
  const found = poll.data?.imports
  useEndOfRunning(found?.data, refetches)
  const columns = useHistoryColumns()
  return (
    <Card
      title={t`Earlier imports`}
      note={found && found.total > 0 && <Plural value={found.total} one="# file" other="# files" />}
    >
      {found && <NotReadAgain problem={poll.error} onRetry={poll.refetch} />}
      <Table
        label={t`Earlier imports`}
        columns={columns}
        rows={found?.data}
        rowKey={({ id }) => id}
        empty={t`Nothing has been imported here yet`}
        failure={found ? null : failureOf(poll.error, poll.refetch)}
        expected={3}
        many
      />
      {found && found.last_page > 1 && (
        <div className="card-foot">
          <Pager
            page={found.current_page}
            last={found.last_page}
            perPage={found.per_page}
            total={found.total}
            capped={found.capped}
            href={(number) => href({ page: String(number) })}
            onPage={(number) => go({ page: String(number) }, { preventScrollReset: true })}
          />
        </div>
      )}
    </Card>
  )
}

/** Refetches the lists when a running import has ended, because it may have changed them. */
function useEndOfRunning(found: readonly Import[] | undefined, refetches: readonly Endpoint[]) {
  const queries = useQueryClient()
  const running = found?.filter(({ state }) => !isFinal(state)).length ?? 0
  const before = useRef(0)
  useEffect(() => {
    if (running < before.current) refetchTwice(queries, refetches)
    before.current = running
  }, [running, queries, refetches])
}
