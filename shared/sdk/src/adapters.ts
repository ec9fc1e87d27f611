/** Lets modules that were built for an earlier major run: it offers the interface of that major on top of today's. */
export type Adapter = {
  /** The last contract of that major, as `carriedContracts` names it. */
  contract: string
  /**
   * Fetches what its modules import as `@portal/sdk`. It is a chunk that is loaded only if a module needs it. `nameOfMajor` gives
   * the name of the chunk, because frames fetch it by its name.
   */
  fetchSdk(): Promise<object>
  /** Converts what such a build exposes into a module of today. */
  asModule(exposed: unknown): unknown
}

/** One adapter for each of `carriedContracts`. */
export const adapters: readonly Adapter[] = []
