import type { CaseStatus } from './cases.ts'

/**
 * Events that modules publish and hear, with what each carries: here those of the portal's own modules. A module names those of
 * its manifest for its own compiler:
 * `declare module '@portal/contracts/module-events' { interface ModuleEvents { 'mfe-clinics:visit-recorded': { school: number } } }`.
 */
export interface ModuleEvents {
  /** The case whose page is open has changed: it was assigned, referred, added to or decided. For people with a permission of cases. */
  'mfe-cases:case-changed': { case: number; status: CaseStatus }
}

/** The most characters of an event as JSON. */
export const eventCharacters = 4_000

/** The most events that a module may publish in one tab. */
export const eventRate = { atMost: 50, withinMs: 10_000 }
