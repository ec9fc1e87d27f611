/**
 * Events that modules publish and hear, with what each carries. A module names those of its manifest for its own compiler:
 * `declare module '@portal/contracts/module-events' { interface ModuleEvents { 'mfe-clinics:visit-recorded': { school: number } } }`.
 */
// biome-ignore lint/suspicious/noEmptyInterface: an interface is what others can add to.
export interface ModuleEvents {}

/** So many characters an event has at most, as JSON. */
export const eventCharacters = 4_000

/** So many events a module publishes in one tab. */
export const eventRate = { atMost: 50, withinMs: 10_000 }
