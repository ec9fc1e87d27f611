import { Trans, useLingui } from '@lingui/react/macro'
import { queryOf } from '@portal/client/query'
import { type AuditLog, auditLogs } from '@portal/contracts/audit'
import { DataTable } from '@portal/screens/DataTable'
import { ExportButton } from '@portal/screens/ExportButton'
import { ListPage } from '@portal/screens/ListPage'
import { lazy } from '@portal/screens/lazy'
import { useDialog } from '@portal/screens/useDialog'
import { useHost, useQuery } from '@portal/sdk'
import { Button } from '@portal/ui/Button'
import { Notice } from '@portal/ui/Notice'
import { fullName } from '../words.ts'
import { useAuditColumns } from './useAuditColumns.tsx'
import { useAuditList } from './useAuditList.ts'
import { eventName, typeName, whoActed } from './words.ts'

const AuditLogDialog = lazy(() => import('./AuditLogDialog.tsx'), 'AuditLogDialog')

/** Who did what, newest first; kept up to date without moving what is being read. */
export default function AuditLogsPage() {
  const { t } = useLingui()
  const { client } = useHost()
  const list = useAuditList()
  const { data: known } = useQuery(queryOf(client, auditLogs.filters))
  const columns = useAuditColumns()
  const viewing = useDialog<AuditLog>()
  const { search, filter } = list.view
  const choices = (values: readonly string[] | undefined, words: (value: string) => string) =>
    (values ?? [])
      .map((value) => ({ value, label: words(value) }))
      .sort((a, b) => a.label.localeCompare(b.label))
  return (
    <ListPage
      title={t`Recent User Logs`}
      description={t`Who did what, when and from where. Refreshed every 5 seconds; nothing here can be changed.`}
      actions={
        <ExportButton
          endpoint={auditLogs.export}
          permission="audit-logs.view"
          body={{
            search,
            user_id: filter('user_id') || undefined,
            event: filter('event') || undefined,
            auditable_type: filter('auditable_type') || undefined,
            from: filter('from') || undefined,
            to: filter('to') || undefined,
          }}
        >
          <Trans>Export User Logs (Excel)</Trans>
        </ExportButton>
      }
    >
      {list.held && (
        <Notice
          actions={
            <Button small onClick={() => list.show({ page: 1 })}>
              <Trans>Show the newest</Trans>
            </Button>
          }
        >
          <Trans>This page stays as it is while you read; what happens meanwhile is on the first page.</Trans>
        </Notice>
      )}
      {list.page && list.answer?.too_many && (
        <Notice>
          <Trans>
            Very many people or things are called so, and the log was searched for some of them only. Write
            more of the name, or a code.
          </Trans>
        </Notice>
      )}
      <div ref={list.box} style={{ overflowAnchor: 'none' }}>
        <DataTable
          label={t`Recent User Logs`}
          list={list}
          columns={columns}
          empty={t`No data available`}
          search={t`Name, code or title`}
          filters={[
            {
              name: 'user_id',
              as: 'select',
              label: t`User`,
              all: t`Everybody`,
              options: (known?.users ?? []).map((user) => ({
                value: String(user.id),
                label: fullName(user),
              })),
            },
            {
              name: 'event',
              as: 'select',
              label: t`Event`,
              all: t`All events`,
              options: choices(known?.events, eventName),
            },
            {
              name: 'auditable_type',
              as: 'select',
              label: t`Audited type`,
              all: t`All audited types`,
              options: choices(known?.auditable_types, typeName),
            },
            { name: 'from', as: 'day', label: t`From` },
            { name: 'to', as: 'day', label: t`To` },
          ]}
          rowName={(log) => `${eventName(log.event)}, ${whoActed(log)}`}
          rowActions={(log) => [
            { label: t`See Details`, icon: 'eye', permission: null, onSelect: () => viewing.open(log) },
          ]}
        />
      </div>
      {viewing.item && <AuditLogDialog log={viewing.item} onClose={viewing.close} />}
    </ListPage>
  )
}
