/** Where a tab remembers, from the sign-in page to the portal, which address the person wants to begin with. */
const key = 'portal.start'

/** Notes the address that is opened because the person chose it on her profile. */
export function noteStart(address: string): void {
  try {
    sessionStorage.setItem(key, address)
  } catch {
    // Without storage she may get a page that she may not open, and that page says so.
  }
}

/** The address that was noted, once. */
export function takeStart(): string | null {
  try {
    const address = sessionStorage.getItem(key)
    sessionStorage.removeItem(key)
    return address
  } catch {
    return null
  }
}
