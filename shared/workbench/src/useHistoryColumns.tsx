import { Trans, useLingui } from '@lingui/react/macro'
import { type Import, imports } from '@portal/contracts/imports'
import { useDownload } from '@portal/screens/useDownload'
import { useHost } from '@portal/sdk'
import { Button } from '@portal/ui/Button'
import { Count, DateText, Nothing } from '@portal/ui/Money'
import type { Column } from '@portal/ui/Table'
import { Link } from 'react-router-dom'
import { ImportPill } from './ImportPill.tsx'
import { useImportAddress } from './useImportAddress.tsx'

/** The columns of earlier imports: each leads to its import, and gives its file. */
export function useHistoryColumns(): Column<Import>[] {
  const { t } = useLingui()
  const { client } = useHost()
  const { href } = useImportAddress()
  const { download } = useDownload()
  return [
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
}
