import { Trans, useLingui } from '@lingui/react/macro'
import { queryOf } from '@portal/client/query'
import { moduleColumns } from '@portal/contracts/module-columns'
import { type ItemKind, type OfferedColumn, useHost, useQuery } from '@portal/sdk'
import { Skeleton } from '@portal/ui/Blank'
import { Button } from '@portal/ui/Button'
import { Count, DateText, Nothing } from '@portal/ui/Money'
import { Notice } from '@portal/ui/Notice'
import { Tag } from '@portal/ui/StatusPill'
import type { Column } from '@portal/ui/Table'
import type { ReactNode } from 'react'

/** Columns of modules at the end of a list, and the sentence about those that could not be filled. */
export type AddedColumns<Row> = { columns: Column<Row>[]; failure: ReactNode }

/**
 * What modules have in the columns of a list, for `added` of `DataTable`; undefined where they have nothing. Their values are
 * asked for when the rows are there: the list neither waits for them nor fails with them.
 */
export function useModuleColumns<Row extends { id: number }>(
  on: ItemKind,
  rows: readonly Row[],
): AddedColumns<Row> | undefined {
  const { t } = useLingui()
  const { client, extensions } = useHost()
  const offered = extensions?.columns?.(on) ?? []
  const ids = rows.map(({ id }) => id).join()
  const { data, isError, refetch } = useQuery({
    ...queryOf(client, moduleColumns.read, { query: { on, ids } }),
    enabled: offered.length > 0 && ids !== '',
  })
  if (offered.length === 0) return undefined
  const valuesOf = (key: string) => data?.columns.find((each) => each.key === key)?.values
  const columns = offered.map((column): Column<Row> => {
    const values = valuesOf(column.key)
    return {
      key: column.key,
      header: column.label,
      wrap: true,
      ...(column.show === 'number' && { align: 'right' as const }),
      cell: ({ id }) => {
        if (!data && !isError) return <Skeleton width="60%" />
        const value = values?.[id]
        return value === undefined ? <Nothing /> : <Cell show={column.show} value={value} />
      },
    }
  })
  const unsorted = data ? offered.filter(({ key }) => !valuesOf(key)).map(({ label }) => label) : []
  const all = offered.map(({ label }) => label).join(', ')
  const failed = isError ? t`Not read: ${all}. The rest of the list is complete.` : null
  const sorting = unsorted.length > 0 ? t`Being put in order after an update: ${unsorted.join(', ')}.` : null
  return {
    columns,
    failure: (failed ?? sorting) && (
      <Notice
        tone="waiting"
        actions={
          <Button small icon="retry" onClick={() => void refetch()}>
            <Trans>Try again</Trans>
          </Button>
        }
      >
        {failed ?? sorting}
      </Notice>
    ),
  }
}

function Cell({ show, value }: { show: OfferedColumn['show']; value: string | number }) {
  if (typeof value === 'number') return <Count value={value} />
  if (show === 'date') return <DateText iso={value} />
  return show === 'badge' ? <Tag>{value}</Tag> : <span className="small">{value}</span>
}
