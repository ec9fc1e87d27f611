import type { Protocol, spokenProtocols } from '@portal/contracts/agencies'
import type { Connector, FailureClass } from './connector.ts'
import { gsmaConnector } from './gsma.ts'
import type { AgencyHttp } from './http.ts'
import { sandboxConnector } from './sandbox.ts'
import { waveConnector } from './wave.ts'

/** All connectors by protocol. A new connector adds its line here. */
export const connectors: Partial<Record<Protocol, (http: AgencyHttp) => Connector>> = {
  sandbox: sandboxConnector,
  wave: waveConnector,
  gsma: gsmaConnector,
} satisfies Record<(typeof spokenProtocols)[number], (http: AgencyHttp) => Connector>

/** Returns what a protocol's connector declares, and what it can do. It gets no network for it. */
export function connectorFacts(protocol: string): Connector | undefined {
  const make = Object.hasOwn(connectors, protocol) ? connectors[protocol as Protocol] : undefined
  return make?.({ call: () => Promise.reject(new Error('not connected')), close: () => Promise.resolve() })
}

const classes = new Map(
  Object.keys(connectors).flatMap((protocol) => Object.entries(connectorFacts(protocol)?.failures ?? {})),
)

/** The class of an agency's own code; undefined for a reason of the portal's, and for a code that no connector declares. */
export const failureClassOf = (reason: string): FailureClass | undefined => classes.get(reason)
