import type { Protocol, spokenProtocols } from '@portal/contracts/agencies'
import type { Connector } from './connector.ts'
import type { AgencyHttp } from './http.ts'
import { sandboxConnector } from './sandbox.ts'

/** Every way of speaking to an agency that this portal has; a new connector adds its line here. */
export const connectors: Partial<Record<Protocol, (http: AgencyHttp) => Connector>> = {
  sandbox: sandboxConnector,
} satisfies Record<(typeof spokenProtocols)[number], (http: AgencyHttp) => Connector>

/** What a protocol needs in `details`, without a line to anywhere. */
export function connectorFacts(protocol: string): Pick<Connector, 'requires' | 'secrets'> | undefined {
  const make = Object.hasOwn(connectors, protocol) ? connectors[protocol as Protocol] : undefined
  return make?.({ call: () => Promise.reject(new Error('not connected')), close: () => Promise.resolve() })
}
