import type { Protocol, spokenProtocols } from '@portal/contracts/agencies'
import type { Connector } from './connector.ts'
import type { AgencyHttp } from './http.ts'
import { sandboxConnector } from './sandbox.ts'

/** All connectors by protocol. A new connector adds its line here. */
export const connectors: Partial<Record<Protocol, (http: AgencyHttp) => Connector>> = {
  sandbox: sandboxConnector,
} satisfies Record<(typeof spokenProtocols)[number], (http: AgencyHttp) => Connector>

/** Returns the details that a protocol requires and shows. The connector gets no network for it. */
export function connectorFacts(protocol: string): Pick<Connector, 'requires' | 'open'> | undefined {
  const make = Object.hasOwn(connectors, protocol) ? connectors[protocol as Protocol] : undefined
  return make?.({ call: () => Promise.reject(new Error('not connected')), close: () => Promise.resolve() })
}
