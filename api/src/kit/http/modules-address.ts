import { type ModulesAddress, modulesAddress } from '@portal/contracts/modules-address'

/** Where the portal is, and whether it is a demo. */
type Portal = { publicUrl: string; demo: boolean }

/** Reads `PORTAL_MODULES_URL`. A text says what is wrong with it. */
export function readModulesAddress(
  url: string | undefined,
  { publicUrl, demo }: Portal,
): ModulesAddress | undefined | string {
  if (!url) return demo ? besideDemo(publicUrl) : undefined
  const [own, portal] = [new URL(url), new URL(publicUrl)]
  // Cookies know no ports, so on the portal's own host name the pages of modules would get those of the person.
  if (own.hostname === portal.hostname)
    return `has the host name of the portal, ${own.hostname}: modules need another one, because cookies do not tell ports apart.`
  if (own.protocol !== portal.protocol || own.pathname !== '/' || !/^(\*\.)?[^*]+$/.test(own.hostname))
    return `is an address like ${portal.protocol}//*.modules.example.org or ${portal.protocol}//modules.example.org: with ${portal.protocol}// as the portal, and without a path.`
  const below = own.hostname.startsWith('*.') ? own.hostname.slice(1) : null
  // A host may set cookies for those above it, except for `localhost`, which browsers take for a top-level domain.
  const isBelowPortal = below !== '.localhost' && below?.endsWith(`.${portal.hostname}`)
  if (below && (isBelowPortal || portal.hostname.endsWith(below)))
    return `is ${own.hostname}, and the portal is ${portal.hostname}: neither may be below the other. Take another name, such as *.modules.example.org.`
  return modulesAddress(own.origin)
}

/** The same listener by its other name. */
const otherLoopback: Record<string, string> = { localhost: '127.0.0.1', '127.0.0.1': 'localhost' }

/** A demo on one machine needs no set-up: browsers look for names below `localhost` on their own machine. */
function besideDemo(publicUrl: string): ModulesAddress | undefined {
  const { protocol, hostname, port } = new URL(publicUrl)
  return hostname in otherLoopback ? modulesAddress(`${protocol}//*.localhost:${port}`) : undefined
}

/** The other name of a demo on this machine, as requests name it. The portal is at one of the two only. */
export function otherHostOf({ demo, publicUrl }: Portal): string | undefined {
  const { hostname, host } = new URL(publicUrl)
  const other = demo && otherLoopback[hostname]
  return other ? host.replace(hostname, other) : undefined
}
