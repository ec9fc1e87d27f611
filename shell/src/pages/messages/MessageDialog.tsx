import { Trans, useLingui } from '@lingui/react/macro'
import type { LoggedMessage } from '@portal/contracts/attendance/messages'
import { DetailsDialog } from '@portal/screens/DetailsDialog'
import { useCan } from '@portal/sdk'
import { Button } from '@portal/ui/Button'
import { Sheet } from '@portal/ui/Figures'
import { DateText } from '@portal/ui/Money'
import { Notice } from '@portal/ui/Notice'
import { actionName, entityName, linesOf } from './words.ts'

// The message as the device wrote it. Long lines wrap.
const whole = { whiteSpace: 'pre-line', overflowWrap: 'anywhere' } as const

type Props = { message: LoggedMessage; onRetry: (id: number) => Promise<void>; onClose: () => void }

/** A message whole: what came, when, and why it was not taken in. */
export function MessageDialog({ message, onRetry, onClose }: Props) {
  const { t } = useLingui()
  const can = useCan()
  const failed = message.error !== null
  const lines = linesOf(message.data)
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
      <section className="stack close">
        <h3>
          <Trans>Data</Trans>
        </h3>
        {lines.length > 0 ? (
          <Sheet
            facts={lines.map(({ key, name, text }) => ({
              key,
              label: name,
              value: <span style={whole}>{text}</span>,
            }))}
          />
        ) : (
          <p className="muted">
            <Trans>No data available</Trans>
          </p>
        )}
      </section>
    </DetailsDialog>
  )
}
