/** The data that a page and a module under development share. */
type Development = {
  /** Whether the page has React's development build, which replaces components and keeps their state. */
  refreshes?: boolean
  /** The loaded modules under development, by name. */
  modules: Record<string, Developed>
}

type Developed = {
  /** Takes the change that leads to this code; false if it cannot be taken in place. */
  update: (hash: string) => Promise<boolean>
  /** The module is to be drawn anew. Loading it again answers what has changed. */
  onRenewed?: () => void
}

const page = globalThis as { portalDevelopment?: Development }

/** The one record of a page: module and page are bundled apart. */
export function development(): Development {
  page.portalDevelopment ??= { modules: {} }
  return page.portalDevelopment
}

/** What `portal-module dev` says of the module that it serves. */
export type Served = {
  build: string
  /** The hash of the code that is served. */
  hash: string
  /** Its style sheets. The bundler's runtime replaces those that a page has, and adds none. */
  sheets: string[]
  /** What keeps the latest change from being bundled, with file and line. */
  fault: string | null
}

type Following = {
  /** What the page has loaded. */
  build: string
  /** Takes a change in place. */
  take: (served: Served) => void
  /** What is served cannot be taken in place. */
  reload: () => void
}

/**
 * Hears what is served now, and after each change, and shows what is wrong with it. A page that was cut off asks again by
 * itself.
 */
export function followServed(address: string, { build, take, reload }: Following): void {
  let first: Served | undefined
  new EventSource(address).addEventListener('served', ({ data }: MessageEvent<string>) => {
    const served: Served = JSON.parse(data)
    first ??= served
    showFault(served.fault)
    const { sheets } = first
    if (served.build !== build || served.sheets.some((sheet) => !sheets.includes(sheet))) reload()
    else if (!served.fault) take(served)
  })
}

let shown: HTMLElement | undefined

/** Shows a fault over the page; null takes it away. */
function showFault(text: string | null): void {
  shown?.remove()
  shown = undefined
  if (text === null) return
  shown = document.createElement('pre')
  shown.setAttribute('role', 'alert')
  shown.textContent = text
  Object.assign(shown.style, faultStyle)
  document.body.append(shown)
}

// Set one by one, as the policy of pages allows no style in the markup.
const faultStyle = {
  ...{ position: 'fixed', inset: '24px 24px auto', zIndex: '1000', maxHeight: 'calc(100vh - 48px)' },
  ...{ margin: '0', padding: '24px', overflow: 'auto', whiteSpace: 'pre-wrap', borderRadius: '8px' },
  ...{ font: '14px/1.5 monospace', color: '#fff', background: '#1b1b1f', borderTop: '6px solid #d33' },
}
