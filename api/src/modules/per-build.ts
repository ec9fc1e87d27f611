/** How many builds of modules are kept in memory. */
const most = 4

/** Reads something of a build once, and keeps it for the builds that were asked for last. What failed is read again. */
export function perBuild<Value>(read: (name: string, build: string) => Promise<Value>) {
  const known = new Map<string, Promise<Value>>()
  return (name: string, build: string): Promise<Value> => {
    const key = `${name}/${build}`
    const found = known.get(key) ?? read(name, build)
    known.delete(key)
    known.set(key, found)
    found.catch(() => known.delete(key))
    const [oldest] = known.keys()
    if (known.size > most && oldest) known.delete(oldest)
    return found
  }
}
