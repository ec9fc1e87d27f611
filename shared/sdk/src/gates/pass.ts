import type { Candidate, Finding } from './candidate.ts'
import {
  conformanceWasTested,
  filesAreServed,
  sourcesAreItsOwn,
  stylesStayInside,
  wordsAreComplete,
} from './contents.ts'
import { manifestInOrder } from './manifest.ts'
import { filesWithinBudget, mapsInOrder, pagesWithinBudget } from './weights.ts'
import { eventsAreKept, messagesAreItsOwn, recordsAreRead, remoteIsItsOwn } from './with-live-modules.ts'
import { contractFits, kindsAreItsOwn, permissionsExist, routesAreFree, sharedFits } from './with-portal.ts'

/** The gates of publishing. The team's command and the registry both run them, so that what passes here passes there. */
const gates = {
  manifest: manifestInOrder,
  contract: contractFits,
  shared: sharedFits,
  routes: routesAreFree,
  kinds: kindsAreItsOwn,
  permissions: permissionsExist,
  records: recordsAreRead,
  events: eventsAreKept,
  messages: messagesAreItsOwn,
  remote: remoteIsItsOwn,
  languages: wordsAreComplete,
  styles: stylesStayInside,
  budget: pagesWithinBudget,
  weights: filesWithinBudget,
  files: filesAreServed,
  maps: mapsInOrder,
  sources: sourcesAreItsOwn,
  conformance: conformanceWasTested,
} satisfies Record<string, (candidate: Candidate) => Finding>
/** The name of a gate. */
export type Gate = keyof typeof gates

/** The names of all gates, in order. */
export const gateNames = Object.keys(gates) as Gate[]

/** A gate with its finding. */
export type Passed = Finding & { gate: Gate }

/** All gates in order, or those that are named. Each returns a sentence that says what is right, or what to do. */
export const passGates = (candidate: Candidate, names: readonly Gate[] = gateNames): Passed[] =>
  names.map((gate) => ({ gate, ...gates[gate](candidate) }))
