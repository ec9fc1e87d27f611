import {
  type AgencyDeclaration,
  agencyAbilities,
  type Protocol,
  type spokenProtocols,
} from '@portal/contracts/transfers/agencies'
import { type Connector, type FailureClass, type FileConnector, repeatHours } from './connector.ts'
import { fileConnector } from './file.ts'
import { gsmaConnector } from './gsma.ts'
import type { AgencyHttp } from './http.ts'
import { sandboxConnector } from './sandbox.ts'
import { waveConnector } from './wave.ts'

/** All connectors by protocol. A new connector adds its line here. */
type Made = Connector | FileConnector
export const connectors: Partial<Record<Protocol, (http: AgencyHttp) => Made>> = {
  sandbox: sandboxConnector,
  wave: waveConnector,
  gsma: gsmaConnector,
  file: fileConnector,
} satisfies Record<(typeof spokenProtocols)[number], (http: AgencyHttp) => Made>

/** Returns what a protocol's connector declares, and what it can do. It gets no network for it. */
export function connectorFacts(protocol: string): Made | undefined {
  const make = Object.hasOwn(connectors, protocol) ? connectors[protocol as Protocol] : undefined
  return make?.({
    call: () => Promise.reject(new Error('not connected')),
    timeout_ms: 0,
    close: () => Promise.resolve(),
  })
}

/** What staff are told of a connector; null if no connector speaks the protocol. */
export function declaredBy(protocol: string): AgencyDeclaration | null {
  const facts = connectorFacts(protocol)
  if (!facts) return null
  const methods: Record<(typeof agencyAbilities)[number], unknown> = {
    ask_by_key: facts.ask,
    ask_by_reference: facts.askReference,
    list: facts.list,
    balance: facts.balance,
    verify_name: facts.verifyName,
    reverse: facts.reverse,
    report: facts.readReport,
  }
  return {
    abilities: agencyAbilities.filter((ability) => methods[ability] !== undefined),
    key_life_hours: facts.keyLifeHours,
    repeat_hours: repeatHours(facts),
  }
}

const classes = new Map(
  Object.keys(connectors).flatMap((protocol) => Object.entries(connectorFacts(protocol)?.failures ?? {})),
)

/** The class of an agency's own code; undefined for a reason of the portal's, and for a code that no connector declares. */
export const failureClassOf = (reason: string): FailureClass | undefined => classes.get(reason)
