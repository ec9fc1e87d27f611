import { Plural, Trans, useLingui } from '@lingui/react/macro'
import type { Endpoint } from '@portal/contracts/endpoint'
import { type Import, type ImportKind, imports } from '@portal/contracts/imports'
import { isFinal } from '@portal/screens/isFinal'
import { NotReadAgain } from '@portal/screens/NotReadAgain'
import { failureOf } from '@portal/screens/problemText'
import { refetchTwice } from '@portal/screens/refetchTwice'
import { useDownload } from '@portal/screens/useDownload'
import { usePoll } from '@portal/screens/usePoll'
import { useHost, useQueryClient } from '@portal/sdk'
import { Button } from '@portal/ui/Button'
import { Card } from '@portal/ui/Card'
import { Count, DateText, Nothing } from '@portal/ui/Money'
import { Pager } from '@portal/ui/Pager'
import { type Column, Table } from '@portal/ui/Table'
import { useEffect, useRef } from 'react'
import { Link } from 'react-router-dom'
import { ImportPill } from './ImportPill.tsx'
import type { Importing } from './importing.ts'
import { useImportAddress } from './useImportAddress.tsx'

type Props = { kind: ImportKind; of?: Importing['of']; refetches: readonly Endpoint[] }

/** Earlier imports of this list, newest first: who, when, what came of them, and the file. */
export function History({ kind, of, refetches }: Props) {
  const { t } = useLingui()
  const { client } = useHost()
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
  const { download } = useDownload()
  const columns: Column<Import>[] = [
    {
      key: 'file_name',
      header: t`File`,
      wrap: true,
      cell: (each) => <Link to={href({ import: String(each.id) })}>{each.file_name}</Link>,
    },
    { key: 'state', header: t`Status`, phone: 'main', cell: ({ state }) => <ImportPill state={state} /> },
    {
      key: 'created_at',
      header: t`Date`,
      phone: 'note',
      cell: (each) => <DateText iso={each.created_at} time />,
    },
    {
      key: 'user',
      header: t`By`,
      phone: 'note',
      cell: ({ user }) => (user ? `${user.first_name} ${user.last_name}` : <Nothing />),
    },
    { key: 'rows_read', header: t`Rows`, align: 'right', cell: (each) => <Count value={each.rows_read} /> },
    {
      key: 'rows_new',
      header: t({ context: 'rows of a file', message: 'New' }),
      align: 'right',
      cell: (each) => <Count value={each.rows_new} />,
    },
    {
      key: 'rows_changed',
      header: t({ context: 'rows of a file', message: 'Changed' }),
      align: 'right',
      cell: (each) => <Count value={each.rows_changed} />,
    },
    {
      key: 'rows_rejected',
      header: t({ context: 'rows of a file', message: 'Rejected' }),
      align: 'right',
      cell: (each) => <Count value={each.rows_rejected} />,
    },
    {
      key: 'file',
      header: '',
      label: t`Original file`,
      align: 'right',
      cell: (each) => (
        <Button
          small
          icon="download"
          aria-label={t`Download ${each.file_name}`}
          onClick={() => download(() => client.file(imports.file, { params: { id: each.id } }))}
        >
          <Trans>File</Trans>
        </Button>
      ),
    },
  ]
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

/** What ended while one looked on may have changed the lists. */
function useEndOfRunning(found: readonly Import[] | undefined, refetches: readonly Endpoint[]) {
  const queries = useQueryClient()
  const running = found?.filter(({ state }) => !isFinal(state)).length ?? 0
  const before = useRef(0)
  useEffect(() => {
    if (running < before.current) refetchTwice(queries, refetches)
    before.current = running
  }, [running, queries, refetches])
}
