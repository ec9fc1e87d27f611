import type { ModuleEvents } from '@portal/contracts/module-events'

/**
 * Events between modules in one tab of the browser. The portal carries what both manifests name: the one that publishes under
 * `events`, the one that hears under `listens`.
 */
export type HostEvents = {
  /** Refused if the manifest does not declare it so, or after too many. Nobody needs to hear it. */
  publish<Name extends keyof ModuleEvents>(event: Name, payload: ModuleEvents[Name]): Promise<void>
  /** Calls `listener` for each event from now on; the answer ends it. */
  subscribe<Name extends keyof ModuleEvents>(
    event: Name,
    listener: (payload: ModuleEvents[Name]) => void,
  ): () => void
}
