import { Trans, useLingui } from '@lingui/react/macro'
import { asProblem } from '@portal/client/problem'
import { queryOf } from '@portal/client/query'
import { type BankFile, bankFiles } from '@portal/contracts/transfers/bank-files'
import { bankFileSteps } from '@portal/contracts/transfers/steps/round'
import { formatDateTime } from '@portal/i18n/format'
import { lazy } from '@portal/screens/lazy'
import { problemText } from '@portal/screens/problemText'
import { useDialog } from '@portal/screens/useDialog'
import { useDownload } from '@portal/screens/useDownload'
import { useCan, useHost, useQuery } from '@portal/sdk'
import { Button } from '@portal/ui/Button'
import { Card } from '@portal/ui/Card'
import type { MenuItem } from '@portal/ui/Menu'
import { Count, Money } from '@portal/ui/Money'
import { type Column, Table } from '@portal/ui/Table'
import { NextStep } from '../../dialogs/NextStep.tsx'
import { fullName } from '../../words.tsx'
import { AnswersNotice } from './AnswersNotice.tsx'
import './words.ts'

const MakeBankFileDialog = lazy(() => import('./MakeBankFileDialog.tsx'), 'MakeBankFileDialog')
const UploadAnswerDialog = lazy(() => import('./UploadAnswerDialog.tsx'), 'UploadAnswerDialog')

/** The files of a round for its bank: makes the next one, downloads those that were made, and takes the bank's answers. */
export function BankFilesCard({ groupId }: { groupId: number }) {
  const { t } = useLingui()
  const can = useCan()
  const { download } = useDownload()
  const dialog = useDialog<'make' | 'answer'>()
  const { client } = useHost()
  const save = (id: number) => download(() => client.file(bankFiles.download, { params: { id } }))
  const { data, error, refetch } = useQuery(queryOf(client, bankFiles.list, { params: { groupId } }))
  const files = data?.bank_files
  const next = data?.next
  const menuOf = (file: BankFile): MenuItem[] =>
    file.download_url ? [{ label: t`Download`, icon: 'download', onSelect: () => save(file.id) }] : []
  return (
    <Card
      title={t`Files for the bank`}
      text={
        next && next.payments > 0 ? (
          <Trans>
            <Count value={next.payments} /> payments, <Money amount={next.amount} />, wait until somebody
            makes their file. {next.barred}
          </Trans>
        ) : (
          <NextStep of={bankFileSteps} state="sent" />
        )
      }
      actions={
        <div className="actions">
          {can('statements.import') && files && files.length > 0 && (
            <Button small onClick={() => dialog.open('answer')}>
              <Trans>Upload answer</Trans>
            </Button>
          )}
          {can('payrolls.export') && next && next.payments > 0 && (
            <Button small variant="primary" onClick={() => dialog.open('make')}>
              <Trans>Make bank file</Trans>
            </Button>
          )}
        </div>
      }
    >
      <Table
        compact
        label={t`Files for the bank`}
        columns={useColumns()}
        rows={files}
        rowKey={({ id }) => id}
        rowName={({ message_id }) => message_id}
        empty={t`No file was made yet`}
        failure={error ? { title: problemText(asProblem(error)), onRetry: () => void refetch() } : null}
        expected={1}
        {...(can('payrolls.export') && { rowActions: menuOf })}
      />
      <AnswersNotice files={files ?? []} />
      {dialog.item === 'make' && next && (
        <MakeBankFileDialog groupId={groupId} next={next} onMade={save} onClose={dialog.close} />
      )}
      {dialog.item === 'answer' && <UploadAnswerDialog onClose={dialog.close} />}
    </Card>
  )
}

function useColumns(): Column<BankFile>[] {
  const { t } = useLingui()
  return [
    {
      key: 'created_at',
      header: t({ message: 'Made', context: 'file' }),
      phone: 'title',
      wrap: true,
      cell: ({ user, created_at }) => (
        <div>
          {fullName(user)}
          <div className="small muted">{formatDateTime(created_at)}</div>
        </div>
      ),
    },
    {
      key: 'payments',
      header: t`Payments`,
      align: 'right',
      cell: ({ payments }) => <Count value={payments} />,
    },
    {
      key: 'amount',
      header: t`Amount (XOF)`,
      align: 'right',
      phone: 'note',
      cell: ({ amount }) => <Money amount={amount} currency={false} />,
    },
    {
      key: 'settled',
      header: t`What became of them`,
      wrap: true,
      phone: 'main',
      cell: ({ success, failed, unknown, sending }) =>
        [
          success > 0 && t`paid: ${success}`,
          failed > 0 && t`failed: ${failed}`,
          unknown > 0 && t`unknown: ${unknown}`,
          sending > 0 && t`at the bank: ${sending}`,
        ]
          .filter(Boolean)
          .join(' · '),
    },
    {
      key: 'sha256',
      header: t`Its name at the bank, and SHA-256`,
      wrap: true,
      cell: ({ message_id, sha256 }) => (
        <div>
          <span className="mono small">{message_id}</span>
          <div className="mono small muted" title={sha256}>
            {sha256.slice(0, 16)}…
          </div>
        </div>
      ),
    },
  ]
}
