import type { Protocol } from '@portal/contracts/transfers/agencies'
import type { Selectable } from 'kysely'
import type { TransferAgencies } from '../../kit/database/database.types.ts'
import { publicLookup } from '../../kit/http/public-address.ts'
import type { Context } from '../../kit/process/context.ts'
import { open } from '../../kit/secrets/seal.ts'
import { type AddressRules, addressesOf, addressFaults, isLocalException } from './agency-address.ts'
import type { AgencyAccess, Connector } from './connector.ts'
import { agencyHttp } from './http.ts'
import { connectorFacts, connectors } from './index.ts'

/** The rules for an agency's address. Demos accept hosts that are not listed; demos and tests accept local ones. */
export function addressRules(settings: Context['settings']): AddressRules {
  return {
    agencyHosts: settings.agencyHosts,
    loopbackAllowed: settings.demo || settings.checkAnswers,
    listOnly: !settings.demo,
  }
}

/** An open connection to one agency. `concurrency` limits the calls at once, `rate` the orders per second. */
export type AgencyLine = {
  connector: Connector
  agency: AgencyAccess
  concurrency: number
  rate: number | null
  close(): Promise<void>
}

/**
 * Opens the connection to an agency. Its addresses are checked again, because names may have other ones by now
 * (Money 7.1). Returns `null` if the address is refused or no connector speaks its protocol. An agency sets its limits
 * in `details`: `concurrency` (calls at once, 1-200) and `rate` (orders per second), by default those that the connector
 * declares, `timeout_ms` (for a whole call, default and maximum 30,000) and `progress_minutes` (default 10).
 */
export async function openLine(
  settings: Context['settings'],
  row: Pick<Selectable<TransferAgencies>, 'id' | 'endpoint' | 'protocol' | 'details' | 'secrets'>,
): Promise<AgencyLine | null> {
  const make = connectors[row.protocol as Protocol]
  const declared = connectorFacts(row.protocol)
  const rules = addressRules(settings)
  // A bank that takes files is never called.
  if (!make || !declared || declared.files) return null
  if (Object.keys(await addressFaults(row, rules)).length > 0) return null
  const isLocal = Object.values(addressesOf(row)).every((address) =>
    isLocalException(new URL(address), rules),
  )
  const details = {
    ...row.details,
    ...(row.secrets ? (JSON.parse(open(settings.secret, row.secrets)) as Record<string, unknown>) : {}),
  }
  const concurrency = bounded(details.concurrency, 1, 200, declared.calls.concurrency)
  const http = agencyHttp({
    connections: concurrency,
    timeout_ms: bounded(details.timeout_ms, 100, 30_000, 30_000),
    ...(isLocal ? {} : { lookup: { timeout: 5_000, lookup: publicLookup } }),
  })
  const connector = make(http)
  if (connector.files) throw new Error(`nobody calls an agency that speaks ${row.protocol}`)
  return {
    connector,
    agency: {
      id: row.id,
      endpoint: row.endpoint,
      details,
      callbackUrl: `${settings.publicUrl}${settings.apiBase}/callbacks/${row.id}`,
    },
    concurrency,
    rate: bounded(details.rate, 1, 10_000, declared.calls.rate ?? 0) || null,
    close: http.close,
  }
}

function bounded(value: unknown, min: number, max: number, otherwise: number): number {
  const number = Number(value)
  return Number.isInteger(number) && value !== null ? Math.min(max, Math.max(min, number)) : otherwise
}
