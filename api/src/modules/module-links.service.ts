import type { PortalRegistry } from '@portal/registry'
import type { Logger } from 'pino'
import { liveModules } from './live-modules.ts'

/** What a notification is about, instead of an address: `import.schools:12`. The manifests of modules say where it leads. */
export const aboutKind = (kind: string, id: number): string => `${kind}:${id}`

const written = /^([a-z-]+\.[a-z-]+):(\d+)$/

/** Pages of the portal's own. */
const own = [{ kind: 'import.attendance', link: '/home/attendance/import?import={id}' }]

/**
 * Where notifications lead: addresses as they are, other links by the module that announces their kind. Without one there is
 * no way to it, and the text alone is shown.
 */
export async function resolveLinks(
  { registry, log }: { registry: PortalRegistry; log: Logger },
  links: readonly (string | null)[],
): Promise<(string | null)[]> {
  if (!links.some((link) => link && written.test(link))) return [...links]
  const announced = [...own, ...(await announcedBy(registry, log))]
  return links.map((link) => {
    const [, kind, id] = written.exec(link ?? '') ?? []
    if (!kind || !id) return link
    return announced.find((each) => each.kind === kind)?.link.replaceAll('{id}', id) ?? null
  })
}

/** A registry that cannot be read costs the links, not the notifications. */
async function announcedBy(registry: PortalRegistry, log: Logger) {
  try {
    const { modules } = await liveModules(registry)
    return modules.filter(({ withheld }) => !withheld).flatMap(({ links = [] }) => links)
  } catch (fault) {
    log.error({ err: fault }, 'the registry cannot be read: notifications lead nowhere')
    return []
  }
}
