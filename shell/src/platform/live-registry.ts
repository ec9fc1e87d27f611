import { readRegistry } from './registry.ts'

/** What the portal consists of, as the page brought it along. */
export const registry = readRegistry(document.getElementById('registry')?.textContent)
