/**
 * The oldest browser of each kind in which the portal runs: the last ones of Windows 7, and Safari of the same months. The tests
 * read here what no page may use.
 */
export const oldestBrowsers = { chrome: '109', edge: '109', firefox: '115', safari: '16.4' } as const

/** The same as a query, for the compilers of scripts and styles. */
export const browsersQuery: string[] = Object.entries(oldestBrowsers).map(
  ([name, version]) => `${name} >= ${version}`,
)
