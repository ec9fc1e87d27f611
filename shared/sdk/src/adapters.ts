/** Lets modules of a major before run: what the portal was to them then, made of what it is today. */
export type Adapter = {
  /** The last contract of that major, as `carriedContracts` names it. */
  contract: string
  /**
   * Fetches what its modules find under `@portal/sdk`. The page pays for it only when a module needs it. The chunk is called as
   * `nameOfMajor` says: by that name frames get it.
   */
  fetchSdk(): Promise<object>
  /** Makes a module of today of what such a build exposes. */
  asModule(exposed: unknown): unknown
}

/** One adapter for each of `carriedContracts`. */
export const adapters: readonly Adapter[] = []
