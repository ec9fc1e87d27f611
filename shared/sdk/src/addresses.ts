/** Which path an address belongs to, for those who list what a page needs without a router: gateway, build and tests. */

const pattern = (path: string) => new RegExp(`^${path.replace(/:(\w+)/g, '(?<$1>[^/]+)')}/?$`)

/** The parameters of an address that fits `/admin/cohorts/:id`; null for one that does not. */
export function matchPath(path: string, pathname: string): Record<string, string> | null {
  const found = pattern(path).exec(pathname)
  return found && mapValues(found.groups ?? {}, decode)
}

const mapValues = <Value, Result>(values: Record<string, Value>, of: (value: Value) => Result) =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [name, of(value)]))

function decode(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}

/** The best of several paths for an address: a literal one comes before one with parameters. */
export const bestPath = (paths: readonly string[], pathname: string): string | undefined =>
  paths
    .filter((path) => matchPath(path, pathname))
    .sort((a, b) => parameters(a) - parameters(b))
    .at(0)

const parameters = (path: string) => path.split(':').length
