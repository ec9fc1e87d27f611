import { useLingui } from '@lingui/react/macro'
import type { TrialBalanceRow } from '@portal/contracts/transfers/accounting'
import { Card } from '@portal/ui/Card'
import { Money } from '@portal/ui/Money'
import { Share } from '@portal/ui/Progress'
import { type Column, Table } from '@portal/ui/Table'
import { accountName } from './account-words.ts'

type Props = {
  /** Undefined while they are read. */
  rows: TrialBalanceRow[] | undefined
}

/** The accounts with what went in and out; the bar is the part of all that the programme has committed and paid. */
export function TrialBalanceCard({ rows }: Props) {
  const { t } = useLingui()
  const sum = (key: 'opening' | 'debit' | 'credit' | 'closing') =>
    (rows ?? []).reduce((total, row) => total + row[key], 0)
  // The debit balances and the credit balances are the same sum.
  const all = (rows ?? []).reduce((total, { closing }) => total + Math.max(closing, 0), 0)
  const money = (
    key: 'opening' | 'debit' | 'credit' | 'closing',
    header: string,
  ): Column<TrialBalanceRow> => ({
    key,
    header,
    align: 'right',
    cell: (row) => <Money amount={row[key]} currency={false} />,
  })
  const columns: Column<TrialBalanceRow>[] = [
    {
      key: 'account',
      header: t`Account`,
      phone: 'title',
      wrap: true,
      // Text without parts: on a phone the title of a row is beside its balance.
      cell: ({ account, agency }) =>
        agency ? `${accountName(account)} · ${agency.name}` : accountName(account),
    },
    money('opening', t`Brought forward (XOF)`),
    money('debit', t`Debit (XOF)`),
    money('credit', t`Credit (XOF)`),
    { ...money('closing', t`Balance (XOF)`), phone: 'main' },
    {
      key: 'share',
      header: t`Share of its side`,
      gap: true,
      width: '24%',
      phone: 'note',
      // On a phone a note is as narrow as its text, and a bar has none.
      cell: ({ closing }) => (
        <div style={{ minWidth: 140 }}>
          <Share value={Math.abs(closing)} of={all || 1} share={all > 0 ? Math.abs(closing) / all : 0} />
        </div>
      ),
    },
  ]
  const total = (key: 'opening' | 'debit' | 'credit' | 'closing') => (
    <Money amount={sum(key)} currency={false} />
  )
  return (
    <Card title={t`Trial balance`} note={t`a balance is debits less credits; together all balances are zero`}>
      <Table
        compact
        label={t`Trial balance`}
        columns={columns}
        rows={rows}
        rowKey={({ account, agency }) => `${account} ${agency?.id ?? ''}`}
        empty={t`No data available`}
        expected={6}
        totals={{
          account: t`Total`,
          opening: total('opening'),
          debit: total('debit'),
          credit: total('credit'),
          closing: total('closing'),
        }}
      />
    </Card>
  )
}
