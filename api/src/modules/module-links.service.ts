import { portalLinks } from '@portal/contracts/portal-links'
import type { PortalRegistry } from '@portal/registry'
import type { Logger } from 'pino'
import { liveModules } from './live-modules.ts'

/**
 * The link of a notification to a thing instead of a page: `import.schools:12`. The manifests of modules declare the
 * page for each kind.
 */
export const aboutKind = (kind: string, id: number): string => `${kind}:${id}`

type Announcing = { registry: PortalRegistry; log: Logger }

const written = /^([a-z-]+\.[a-z-]+):(\d+)$/

/**
 * Resolves the links of notifications. An address stays as it is. Another link becomes the page of the module that
 * declares its kind. If no module does, it becomes null, and the notification is shown as text only.
 */
export async function resolveLinks(
  { registry, log }: Announcing,
  links: readonly (string | null)[],
): Promise<(string | null)[]> {
  if (!links.some((link) => link && written.test(link))) return [...links]
  const announced = [...portalLinks, ...(await announcedBy(registry, log))]
  return links.map((link) => {
    const [, kind, id] = written.exec(link ?? '') ?? []
    if (!kind || !id) return link
    return announced.find((each) => each.kind === kind)?.link.replaceAll('{id}', id) ?? null
  })
}

/** The subject of an entry of the audit log: its kind (`record.student`), and the values with which its list is searched. */
export type Thing = { kind: string | null; id: number; code: string | null; name: string | null }

/** Returns a function that finds the address of a thing. The module that declares its kind names it; null if no module does. */
export async function openLinks({ registry, log }: Announcing): Promise<(thing: Thing) => string | null> {
  const announced = await announcedBy(registry, log)
  return (thing) => {
    const link = announced.find(({ kind }) => kind === thing.kind)?.link
    if (!link) return null
    const parts: Record<string, string | number | null> = thing
    const missing = [...link.matchAll(/\{(\w+)\}/g)].some(([, part = '']) => parts[part] === null)
    if (missing) return null
    return link.replace(/\{(\w+)\}/g, (_, part: string) => encodeURIComponent(parts[part] ?? ''))
  }
}

/** If the registry cannot be read, notifications and entries are still shown, but without links. */
async function announcedBy(registry: PortalRegistry, log: Logger) {
  try {
    const { modules } = await liveModules(registry)
    return modules.filter(({ withheld }) => !withheld).flatMap(({ links = [] }) => links)
  } catch (fault) {
    log.error({ err: fault }, 'the registry cannot be read: notifications and the audit log lead nowhere')
    return []
  }
}

/**
 * Returns a function from the address of a list to its title in the menu and to the noun of its rows. `noun` is `student` if
 * a module declares this list as the page of `record.student`.
 */
export async function openLists({ registry, log }: Announcing) {
  const links = await announcedBy(registry, log)
  const { modules } = await liveModules(registry).catch(() => ({ modules: [] }))
  const leaves = modules.flatMap(({ nav }) => nav.flatMap((item) => [...item.children, item]))
  return (list: string) => ({
    title: leaves.find(({ path }) => path === list)?.label,
    noun: links
      .filter(({ kind }) => kind.startsWith('record.'))
      .find(({ link }) => link.split(/[/?]\{|\?/)[0] === list)
      ?.kind.slice('record.'.length),
  })
}
