import { useLingui } from '@lingui/react/macro'
import type { AuditLog } from '@portal/contracts/audit'
import { browserName } from '@portal/i18n/browser'
import type { Column } from '@portal/screens/DataTable'
import { DateText, Nothing } from '@portal/ui/Money'
import { Sentence } from './Sentence.tsx'
import { useAuditWords } from './useAuditWords.ts'
import { Values } from './Values.tsx'
import { differences } from './values.ts'
import { eventName, subjectOf, whoActed } from './words.ts'

/** Date, IP and user agent, user, the event as a sentence, audited type, new and old values. */
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
      phone: 'note',
      cell: ({ created_at }) => <DateText iso={created_at} time="below" />,
    },
    {
      key: 'ip_address',
      header: t`IP and user agent`,
      wrap: true,
      cell: ({ ip_address, user_agent }) => (
        <span>
          {ip_address ?? <Nothing />}
          {user_agent && (
            <span className="sub" title={user_agent}>
              {browserName(user_agent)}
            </span>
          )}
        </span>
      ),
    },
    { key: 'user', header: t`User`, wrap: true, cell: whoActed },
    {
      key: 'event',
      header: t`Event`,
      wrap: true,
      phone: 'title',
      // Names of files and references have no place to break.
      cell: (log) => (
        <span className="anywhere">
          <Sentence of={log.sentence} />
          <span className="sub more">{eventName(log.event)}</span>
        </span>
      ),
    },
    {
      key: 'auditable_type',
      header: t`Audited type`,
      wrap: true,
      cell: (log) => (
        <span>
          {words.type(log)}
          <span className="sub anywhere">{log.auditable_code ?? subjectOf(log)}</span>
        </span>
      ),
    },
    {
      key: 'new_values',
      header: t`New values`,
      wrap: true,
      phone: 'hide',
      cell: (log) => side(log, 'new'),
    },
    {
      key: 'old_values',
      header: t`Old values`,
      wrap: true,
      phone: 'hide',
      cell: (log) => side(log, 'old'),
    },
  ]
}
