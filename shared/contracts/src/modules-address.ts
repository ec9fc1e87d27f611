/**
 * The address at which isolated modules run. It is an object, so that nobody uses an address with `*` as an origin:
 * `originOf` asks for the module.
 */
export type ModulesAddress = {
  /** The origin of a module's frames: its own if the address begins with `*`, otherwise one for all modules. */
  originOf(module: string): string
  /** The source of `frame-src` that allows the frames of all modules. */
  readonly frameSource: string
  /** Whether a host, as a request names it, is one of frames. There is neither a session nor a page of the portal on it. */
  has(host: string): boolean
  /** Whether the frames and files of a module are on a host. */
  isOf(module: string, host: string): boolean
}

/** `https://*.modules.example.net` is a host for each module, `https://modules.example.net` one host for all. */
export function modulesAddress(url: string): ModulesAddress {
  const { origin, host } = new URL(url)
  const below = host.startsWith('*.') ? host.slice(1) : null
  return {
    originOf: (module) => (below ? origin.replace('*', () => module) : origin),
    frameSource: origin,
    // Names without a module count too, because a DNS name with `*` leads all of them here.
    has: (asked) => (below ? asked.toLowerCase().endsWith(below) : asked.toLowerCase() === host),
    isOf: (module, asked) => asked.toLowerCase() === (below ? module + below : host),
  }
}
