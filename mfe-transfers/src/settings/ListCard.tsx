import { useLingui } from '@lingui/react/macro'
import type { Problem } from '@portal/client/problem'
import type { AnswerOf } from '@portal/contracts/endpoint'
import type { Permission } from '@portal/contracts/permissions'
import type { transfers } from '@portal/contracts/transfers'
import { failureOf } from '@portal/screens/problemText'
import { useCan } from '@portal/sdk'
import { Button } from '@portal/ui/Button'
import { Card } from '@portal/ui/Card'
import type { IconName } from '@portal/ui/Icon'
import { type Column, Table } from '@portal/ui/Table'
import type { ReactNode } from 'react'

/** The one answer behind the page, as its cards read it. */
export type Settings = {
  data: AnswerOf<typeof transfers.settings> | undefined
  error: Problem | null
  refetch: () => unknown
}

type Props<Row> = {
  title: string
  settings: Settings
  rows: readonly Row[] | undefined
  /** How many rows are expected. */
  expected: number
  /** The columns behind the name; `header` is the name's. */
  columns: Column<Row>[]
  open: { header: string; label: string; onOpen: (row: Row) => void }
  create: { permission: Permission; icon: IconName; label: string; onCreate: () => void }
  foot?: ReactNode
}

/** A card of the settings: some rows that are known by their name, each to be opened, and the way to make another. */
export function ListCard<Row extends { id: number; name: string }>(props: Props<Row>) {
  const { title, settings, rows, expected, columns, open, create, foot } = props
  const { t } = useLingui()
  const can = useCan()
  const button = can(create.permission) && (
    <Button small icon={create.icon} onClick={create.onCreate}>
      {create.label}
    </Button>
  )
  const name: Column<Row> = {
    key: 'name',
    header: open.header,
    wrap: true,
    cell: (row) => (
      <button type="button" className="link-button" onClick={() => open.onOpen(row)}>
        {row.name}
      </button>
    ),
  }
  return (
    <Card title={title} actions={button} foot={foot}>
      <Table
        label={title}
        rows={rows}
        rowKey={({ id }) => id}
        expected={expected}
        failure={settings.data ? null : failureOf(settings.error, settings.refetch)}
        empty={{ title: t`No data available`, action: button || undefined }}
        columns={[name, ...columns]}
        rowName={(row) => row.name}
        rowActions={(row) => [{ label: open.label, icon: 'eye', onSelect: () => open.onOpen(row) }]}
      />
    </Card>
  )
}
