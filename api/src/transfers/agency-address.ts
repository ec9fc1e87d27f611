import { lookup as resolveName } from 'node:dns'
import { lookup } from 'node:dns/promises'
import { BlockList, isIP, type LookupFunction } from 'node:net'

/** Addresses that are not on the public internet: loopback, private, link-local, shared, reserved, multicast. */
const notPublic = new BlockList()
for (const [net, bits] of [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 4],
  ['240.0.0.0', 4],
] as const)
  notPublic.addSubnet(net, bits, 'ipv4')
for (const [net, bits] of [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['3fff::', 20],
] as const)
  notPublic.addSubnet(net, bits, 'ipv6')
/** The public part of IPv6. The rest is loopback, local, multicast, or another form of an IPv4 address. */
const global6 = new BlockList()
global6.addSubnet('2000::', 3, 'ipv6')

/** Whether an address is on the public internet. */
export function isPublicAddress(address: string): boolean {
  const family = isIP(address)
  if (family === 4) return !notPublic.check(address)
  return family === 6 && global6.check(address, 'ipv6') && !notPublic.check(address, 'ipv6')
}

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

/** Whether the operator allows this `host:port` although it may be loopback. Only demos and tests can allow it. */
export function isLocalException(url: URL, rules: AddressRules): boolean {
  return rules.loopbackAllowed && url.port !== '' && rules.agencyHosts.includes(url.host)
}

/** Refuses internal addresses. It runs for each new connection, so that DNS rebinding is not possible. */
export const publicLookup: LookupFunction = (host, options, done) => {
  resolveName(host, { ...options, all: true }, (error, addresses) => {
    if (error) return done(error, '', 0)
    const first = addresses[0]
    if (!first || !addresses.every(({ address }) => isPublicAddress(address))) {
      return done(
        Object.assign(new Error(`${host} is not a public address`), { code: 'EADDRNOTPUBLIC' }),
        '',
        0,
      )
    }
    if (options.all) return done(null, addresses)
    return done(null, first.address, first.family)
  })
}
