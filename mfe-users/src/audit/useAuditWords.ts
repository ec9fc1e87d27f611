import { queryOf } from '@portal/client/query'
import { type AuditLog, auditLogs } from '@portal/contracts/audit'
import { currentLocale } from '@portal/i18n/locale'
import { useHost, useQuery } from '@portal/sdk'
import type { Words } from './values.ts'
import { collectionOf, typeName } from './words.ts'

const none: Words = {}

/** What the portal and its modules call what an entry is about; its own names only if they could not be had. */
export function useAuditWords() {
  const { client } = useHost()
  const { data, isPending } = useQuery(queryOf(client, auditLogs.filters))
  const recordOf = (log: AuditLog) => data?.records[collectionOf(log) ?? '']
  return {
    /** They are on their way: an entry would be told in names of the database. */
    coming: isPending,
    fields: (log: AuditLog): Words => recordOf(log)?.fields ?? data?.fields[log.auditable_type] ?? none,
    type: (log: AuditLog): string => recordOf(log)?.label?.[currentLocale()] ?? typeName(log.auditable_type),
  }
}
