import { Trans, useLingui } from '@lingui/react/macro'
import type { LoggedMessage } from '@portal/contracts/messages'
import { DetailsDialog } from '@portal/screens/DetailsDialog'
import { useCan } from '@portal/sdk'
import { Button } from '@portal/ui/Button'
import { DateText } from '@portal/ui/Money'
import { Notice } from '@portal/ui/Notice'
import { Table } from '@portal/ui/Table'
import { actionName, entityName, linesOf } from './words.ts'

type Props = { message: LoggedMessage; onRetry: (id: number) => Promise<void>; onClose: () => void }

/** A message whole: what came, when, and why it was not taken in. */
export function MessageDialog({ message, onRetry, onClose }: Props) {
  const { t } = useLingui()
  const can = useCan()
  const failed = message.error !== null
  const again = () => {
    void onRetry(message.id)
    onClose()
  }
  return (
    <DetailsDialog
      title={entityName(message.entity_type)}
      description={actionName(message.action)}
      onClose={onClose}
      wide
      facts={[
        { key: 'received', label: t`Received time`, value: <DateText iso={message.received_at} time /> },
        { key: 'created', label: t`Sent by the device`, value: <DateText iso={message.created_at} time /> },
      ]}
      actions={
        failed &&
        can('sync.manage') && (
          <Button variant="primary" icon="retry" onClick={again}>
            <Trans>Retry</Trans>
          </Button>
        )
      }
    >
      {failed && (
        <Notice tone="bad" title={<Trans>It could not be processed.</Trans>}>
          {message.error}
        </Notice>
      )}
      <Table
        label={t`Data`}
        compact
        rows={linesOf(message.data)}
        rowKey={(line) => line.key}
        empty={t`No data available`}
        columns={[
          { key: 'name', header: t`Field`, wrap: true },
          {
            key: 'text',
            header: t`Value`,
            wrap: true,
            cell: (line) => <span className="pre-line">{line.text}</span>,
          },
        ]}
      />
    </DetailsDialog>
  )
}
