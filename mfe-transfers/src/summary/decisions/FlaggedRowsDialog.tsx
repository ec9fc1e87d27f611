import { useLingui } from '@lingui/react/macro'
import type { ListFlag, ListFlagKind } from '@portal/contracts/transfers/cohorts'
import { targetListSheet } from '@portal/contracts/transfers/target-list.sheet'
import { formatDate, formatNumber } from '@portal/i18n/format'
import { currentLocale } from '@portal/i18n/locale'
import { DetailsDialog } from '@portal/screens/DetailsDialog'
import { Money } from '@portal/ui/Money'
import { type Column, Table } from '@portal/ui/Table'
import { fullName } from '../../words.tsx'
import { flagTitle } from './useListFlags.tsx'
import './words.ts'

type Row = ListFlag['rows'][number]
type Props = { flag: ListFlag; name: string; onClose: () => void }

/** The rows of a flag, each beside what to compare it with. */
export function FlaggedRowsDialog({ flag, name, onClose }: Props) {
  const { t } = useLingui()
  const { rows, count, kind } = flag
  const heads: Record<ListFlagKind, [string, string]> = {
    girl_twice: [t`Student`, t`Other row`],
    corrected: [t`On the list`, t`In the file`],
    amount_parameter: [t`Amount`, t`Parameter`],
    amount_spread: [t`Amount`, t`Middle of the list`],
    number_changed: [t`Number`, t`Last paid to`],
    number_range: [t`Number`, t`Range`],
    name_unlike: [t`Recipient`, t`Guardian in the register`],
    silent_school: [t`School`, t`Last report`],
  }
  const dated = (text: string) => kind === 'silent_school' && text !== 'never'
  const ranges: Record<string, string> = {
    other_country: t`Another country`,
    fixed_line: t`Fixed line`,
    no_known_range: t`No known range`,
    other_operator: t`Another operator`,
    never: t`Never`,
  }
  const money = kind === 'amount_parameter' || kind === 'amount_spread'
  const cell = (text: string) => (money ? <Money amount={Number(text)} currency={false} /> : text)
  const [value, compared] = heads[kind]
  const align = money ? ('right' as const) : ('left' as const)
  const sheet = targetListSheet('bank').columns
  const columns: Column<Row>[] = [
    { key: 'row', header: t`Row` },
    { key: 'student_code', header: t`Student code` },
    { key: 'who', header: t`Recipient`, wrap: true, cell: (row) => fullName(asPerson(row)) },
    {
      key: 'column',
      header: t`Column`,
      wrap: true,
      cell: ({ column }) =>
        column &&
        (Object.entries(sheet).find(([key]) => key === column)?.[1].label[currentLocale()] ?? column),
    },
    { key: 'value', header: value, wrap: true, align, cell: (row) => cell(row.value) },
    {
      key: 'compared',
      header: compared,
      wrap: true,
      align,
      cell: ({ compared }) => ranges[compared] ?? (dated(compared) ? formatDate(compared) : cell(compared)),
    },
  ]
  const hidden = [kind === 'name_unlike' && 'who', kind !== 'corrected' && 'column']
  const [shown, all] = [formatNumber(rows.length), formatNumber(count)]
  return (
    <DetailsDialog title={flagTitle(flag)} description={name} onClose={onClose} wide>
      {rows.length < count && <p className="muted">{t`The first ${shown} of ${all} rows.`}</p>}
      <Table
        compact
        label={t`Rows to look at`}
        rows={rows}
        rowKey={(row) => `${row.row} ${row.column}`}
        empty={t`No data available`}
        columns={columns.filter(({ key }) => !hidden.includes(key))}
      />
    </DetailsDialog>
  )
}

const asPerson = (row: Row) => ({ first_name: row.receiver_first_name, last_name: row.receiver_last_name })
