import { lookup } from 'node:dns/promises'
import { isIP } from 'node:net'
import type { spokenProtocols } from '@portal/contracts/transfers/agencies'
import { detailFields } from '@portal/contracts/transfers/agency-details'
import { isPublicAddress } from '../../kit/http/public-address.ts'

/**
 * The rules for an agency's host. `agencyHosts` is `PORTAL_AGENCY_HOSTS`. With `loopbackAllowed` a listed `host:port`
 * may be loopback and plain http. With `listOnly` no other host is accepted.
 */
export type AddressRules = { agencyHosts: readonly string[]; loopbackAllowed: boolean; listOnly: boolean }

/** Returns the key of the sentence that refuses an endpoint, or null (Money 7.1). Names are resolved first. */
export async function endpointFault(endpoint: string, rules: AddressRules): Promise<string | null> {
  const url = URL.canParse(endpoint) ? new URL(endpoint) : null
  if (!url || !/^https?:$/.test(url.protocol) || url.username || url.password || url.hash)
    return 'endpoint_url'
  if (isLocalException(url, rules)) return null
  if (url.protocol !== 'https:') return 'endpoint_url'
  if (rules.listOnly && !rules.agencyHosts.includes(url.hostname) && !rules.agencyHosts.includes(url.host))
    return 'endpoint_not_allowed'
  const host = url.hostname.replace(/^\[|\]$|\.$/g, '')
  if (isIP(host)) return isPublicAddress(host) ? null : 'endpoint_private'
  try {
    const addresses = await lookup(host, { all: true })
    return addresses.every(({ address }) => isPublicAddress(address)) ? null : 'endpoint_private'
  } catch {
    // A name that does not resolve is allowed, because every call resolves and checks it again.
    return /\.(localhost|local|internal|lan|home|corp)$|^[^.]+$/i.test(host) ? 'endpoint_private' : null
  }
}

/** What an agency's addresses are in: its endpoint, and details of its protocol. */
export type AgencyAddresses = { endpoint: string; protocol: string; details: Record<string, unknown> }

/** All addresses of an agency that the portal calls, by their field. */
export function addressesOf({ endpoint, protocol, details }: AgencyAddresses): Record<string, string> {
  const fields = Object.hasOwn(detailFields, protocol)
    ? detailFields[protocol as (typeof spokenProtocols)[number]]
    : []
  const others = fields.flatMap(({ name, address }) => {
    const value = details[name]
    return address && typeof value === 'string' && value ? [[`details.${name}`, value] as const] : []
  })
  return { endpoint, ...Object.fromEntries(others) }
}

/** The keys of the sentences that refuse addresses of an agency, by their field. */
export async function addressFaults(
  agency: AgencyAddresses,
  rules: AddressRules,
): Promise<Record<string, string>> {
  const faults: Record<string, string> = {}
  for (const [field, address] of Object.entries(addressesOf(agency))) {
    const fault = await endpointFault(address, rules)
    if (fault) faults[field] = fault
  }
  return faults
}

/** Whether the operator allows this `host:port` although it may be loopback. Only demos and tests can allow it. */
export function isLocalException(url: URL, rules: AddressRules): boolean {
  return rules.loopbackAllowed && url.port !== '' && rules.agencyHosts.includes(url.host)
}
