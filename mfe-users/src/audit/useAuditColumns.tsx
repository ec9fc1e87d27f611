import { useLingui } from '@lingui/react/macro'
import type { AuditLog } from '@portal/contracts/audit'
import { browserName } from '@portal/i18n/browser'
import { formatDate, formatDateTime, formatRelative, formatTime } from '@portal/i18n/format'
import type { Column } from '@portal/screens/DataTable'
import { Nothing } from '@portal/ui/Money'
import { useAuditWords } from './useAuditWords.ts'
import { Values } from './Values.tsx'
import { differences } from './values.ts'
import { eventName, subjectOf, whoActed } from './words.ts'

/** Date, IP, user, event, audited type, new and old values, user agent. */
export function useAuditColumns(): Column<AuditLog>[] {
  const { t } = useLingui()
  const words = useAuditWords()
  const side = (log: AuditLog, which: 'old' | 'new') =>
    log.erased ? (
      <span className="muted">{t`erased`}</span>
    ) : (
      <Values of={differences(log)} side={which} words={words.fields(log)} />
    )
  return [
    {
      key: 'created_at',
      header: t`Date`,
      sortable: true,
      phone: 'title',
      cell: ({ created_at }) => (
        <span title={`${formatDateTime(created_at)} UTC, ${formatRelative(created_at)}`}>
          <time dateTime={created_at}>{formatDate(created_at)}</time>
          <span className="sub">{formatTime(created_at)}</span>
        </span>
      ),
    },
    { key: 'ip_address', header: t`IP` },
    { key: 'user', header: t`User`, wrap: true, cell: whoActed },
    { key: 'event', header: t`Event`, wrap: true, cell: (log) => eventName(log.event) },
    {
      key: 'auditable_type',
      header: t`Audited type`,
      wrap: true,
      cell: (log) => (
        <span>
          {words.type(log)}
          <span className="sub">{subjectOf(log)}</span>
        </span>
      ),
    },
    { key: 'new_values', header: t`New values`, wrap: true, cell: (log) => side(log, 'new') },
    { key: 'old_values', header: t`Old values`, wrap: true, cell: (log) => side(log, 'old') },
    {
      key: 'user_agent',
      header: t`User agent`,
      wrap: true,
      cell: ({ user_agent }) =>
        user_agent ? <span title={user_agent}>{browserName(user_agent)}</span> : <Nothing />,
    },
  ]
}
