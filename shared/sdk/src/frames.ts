/**
 * How the frame of an isolated module gets its files. A frame without an origin shares no cache with the portal, so the portal
 * fetches them and sends their text over a port. Build, gateway, portal and frame agree here on what is run.
 */

/** The message that brings two ports to the frame: one for what it says, one for its files. */
export const portMessage = 'portal:port'

/** What the window of a frame hears once the text of a style sheet has become one. */
export const styledEvent = 'portal:styled'

/** The text that a frame runs. Stacks name the file, as if it had been fetched; the policy of the page has the hash of this text. */
export const frameScript = (text: string, path: string): string => `${text}\n//# sourceURL=${path}`

/** At most so many scripts of a module go over the port; the others are fetched by the frame itself. A header has room for no more. */
export const mostGiven = 32

/** The files of the portal that a frame may ask for: the shell's, and those of the build it draws. */
export const isForFrame = (path: string, { name, build }: { name: string; build: string }): boolean =>
  /^\/assets\/[\w.-]+\.(js|css|json)$/.test(path) ||
  (path.startsWith(`/modules/${name}/${build}/`) &&
    /^[\w./-]+\.(js|css|json)$/.test(path) &&
    !path.includes('..'))
