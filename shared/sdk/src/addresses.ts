/** What an address can be asked for, without a page: shared by the router of the shell, its modules and the tests. */

/** Where to: an address as it is written in a link, or its parts; what is left out stays as it is here. */
export type To = string | { pathname?: string; search?: string; hash?: string }

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

/** `/admin/cohorts/:id` with its parameters put in. */
export const generatePath = (path: string, values: Record<string, string | number>): string =>
  path.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(String(values[name] ?? '')))

/** The parts of `/path?search#hash`; empty texts where it has none. */
export function partsOf(to: To): { pathname: string; search: string; hash: string } {
  if (typeof to !== 'string') return { pathname: '', search: '', hash: '', ...to }
  const [, pathname = '', search = '', hash = ''] = /^([^?#]*)(\?[^#]*)?(#.*)?$/.exec(to) ?? []
  return { pathname, search, hash }
}

/** Parts put together. */
export const addressOf = (to: To): string => {
  const { pathname, search, hash } = partsOf(to)
  return pathname + search + hash
}
