import { Plural, Trans, useLingui } from '@lingui/react/macro'
import type { LoggedMessage } from '@portal/contracts/attendance/messages'
import { DateText, Nothing } from '@portal/ui/Money'
import { StatusPill } from '@portal/ui/StatusPill'
import type { Column } from '@portal/ui/Table'
import { actionName, entityName, linesOf } from './words.ts'

const shown = 3

/** The columns of the log, and what has become of the message. */
export function useMessageColumns(): Column<LoggedMessage>[] {
  const { t } = useLingui()
  return [
    { key: 'entity_type', header: t`Entity type`, cell: (message) => entityName(message.entity_type) },
    {
      key: 'received_at',
      header: t`Received time`,
      phone: 'note',
      cell: (message) => <DateText iso={message.received_at} time />,
    },
    { key: 'data', header: t`Data`, wrap: true, width: '30%', cell: (message) => <Data of={message.data} /> },
    { key: 'action', header: t`Action`, phone: 'note', cell: (message) => actionName(message.action) },
    {
      key: 'error',
      header: t`State`,
      wrap: true,
      phone: 'main',
      width: '28%',
      cell: (message) => <MessageState error={message.error} />,
    },
  ]
}

/** Waiting, or failed and why. */
function MessageState({ error }: { error: string | null }) {
  const { t } = useLingui()
  if (error === null) return <StatusPill tone="waiting" icon="clock">{t`Waiting`}</StatusPill>
  return (
    <span className="lines">
      <StatusPill tone="bad">{t`Failed`}</StatusPill>
      <span className="small">{error}</span>
    </span>
  )
}

const shortened = (text: string) => (text.length > 60 ? `${text.slice(0, 59)}…` : text)

function Data({ of }: { of: LoggedMessage['data'] }) {
  const lines = linesOf(of)
  if (lines.length === 0) return <Nothing />
  const more = lines.length - shown
  return (
    <span className="lines">
      {lines.slice(0, shown).map(({ key, name, text }) => (
        <span key={key}>
          <Trans>
            <span className="muted">{name}:</span> {shortened(text)}
          </Trans>
        </span>
      ))}
      {more > 0 && (
        <span className="muted">
          <Plural value={more} one="and # more" other="and # more" />
        </span>
      )}
    </span>
  )
}
