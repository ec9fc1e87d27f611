import { queryOf } from '@portal/client/query'
import { auditLogs } from '@portal/contracts/audit'
import { useHost, useQuery } from '@portal/sdk'
import type { Words } from './values.ts'

const none: Words = {}

/** What the portal calls the fields of a type; empty until it is there, and for types that tell nothing. */
export function useFieldWords(): (type: string) => Words {
  const { client } = useHost()
  const { data } = useQuery(queryOf(client, auditLogs.filters))
  return (type) => data?.fields[type] ?? none
}
