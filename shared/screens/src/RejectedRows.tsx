import { Plural, Trans, useLingui } from '@lingui/react/macro'
import { type Import, type ImportError, type ImportKind, imports } from '@portal/contracts/imports'
import type { Sheet } from '@portal/contracts/imports/sheet'
import { targetListSheet } from '@portal/contracts/transfers/target-list.sheet'
import { formatNumber } from '@portal/i18n/format'
import { currentLocale } from '@portal/i18n/locale'
import { useHost } from '@portal/sdk'
import { Button } from '@portal/ui/Button'
import { Card } from '@portal/ui/Card'
import { Table } from '@portal/ui/Table'
import { useDownload } from './useDownload.tsx'

/** What names the columns; a bank's list has them all. */
const sheets: Partial<Record<ImportKind, Sheet>> = { 'target-list': targetListSheet('bank') }

type Group = { key: string; column: string; message: string; errors: ImportError[] }

/** One reason is one group, also where its sentence names each row's own value. */
function grouped(errors: readonly ImportError[]): Group[] {
  const groups = new Map<string, Group>()
  for (const error of errors) {
    const { column, value, message } = error
    const key = `${column}\n${value ? message.replaceAll(value, '…') : message}`
    const group = groups.get(key) ?? { key, column, message, errors: [] }
    group.errors.push(error)
    if (message !== group.message) group.message = key.slice(column.length + 1)
    groups.set(key, group)
  }
  return [...groups.values()].sort((a, b) => b.errors.length - a.errors.length)
}

/** What was rejected, by column and reason, with the rows as an Excel file to correct and upload again. */
export function RejectedRows({ found }: { found: Import }) {
  const { t } = useLingui()
  const { client } = useHost()
  const { busy, download } = useDownload()
  const ask = () => client.file(imports.rejected, { params: { id: found.id } })
  const some = found.rows_rejected > found.errors.length
  return (
    <Card
      title={<Plural value={found.rows_rejected} one="# row was rejected" other="# rows were rejected" />}
      text={<Trans>Correct them in the Excel file and upload it again.</Trans>}
      actions={
        <Button small icon="download" busy={busy} onClick={() => download(ask)}>
          <Trans>Rejected rows (Excel)</Trans>
        </Button>
      }
      foot={
        some && (
          <Trans>
            The first {formatNumber(found.errors.length)} are shown; the Excel file holds them all.
          </Trans>
        )
      }
    >
      <Table
        label={t`Rejected rows`}
        rows={grouped(found.errors)}
        rowKey={(group) => group.key}
        empty={t`Rejected rows`}
        columns={[
          {
            key: 'column',
            header: t`Column`,
            cell: ({ column }) =>
              sheets[found.kind]?.columns[column]?.label[currentLocale()] ?? (column || t`Whole row`),
          },
          { key: 'message', header: t`Reason`, wrap: true },
          { key: 'rows', header: t`Rows`, wrap: true, cell: (group) => <Values errors={group.errors} /> },
        ]}
      />
    </Card>
  )
}

/** Row by row what stands in the file. */
function Values({ errors }: { errors: ImportError[] }) {
  return (
    <span>
      {errors.map(({ row, value }, at) => (
        <span key={`${row} ${value}`}>
          {at > 0 && ' · '}
          <Trans>Row {row}</Trans> {value && <span className="mono">{value}</span>}
        </span>
      ))}
    </span>
  )
}
