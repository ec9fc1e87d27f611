import { contractVersion, type PortalModule } from '@portal/sdk'
import type { ModuleBuild } from '@portal/sdk/manifest'
import { type ComponentType, createElement } from 'react'
import type { Entry } from './registry.ts'

const noWords = () => []

/** A remote that knows nothing of the portal, as a module: its component is the page of its address. */
export function asModule(
  { name, routes }: Pick<ModuleBuild, 'name' | 'routes'>,
  exposed: unknown,
): PortalModule | null {
  if (typeof exposed !== 'function' && !(exposed instanceof Object && '$$typeof' in exposed)) return null
  const Component = exposed as ComponentType
  const Page = () => createElement('div', { className: name }, createElement(Component))
  return {
    contract: contractVersion,
    routes: () => routes.map((path) => ({ path, lazy: async () => ({ Component: Page }) })),
    messages: { en: noWords, fr: noWords },
  }
}

const key = ({ name }: Pick<Entry, 'name'>) => `portal-build-${name}`

/** Whether this tab has chosen the build before, in an earlier document. */
export const chosenBefore = (entry: Entry): boolean =>
  Boolean(entry.remote && entry.previous) && sessionStorage.getItem(key(entry)) === entry.previous?.build

/** Chooses a build for this tab and loads the document again. */
export function chooseForReload(entry: Entry, which: 'previous' | 'current'): void {
  if (which === 'previous' && entry.previous) sessionStorage.setItem(key(entry), entry.previous.build)
  else sessionStorage.removeItem(key(entry))
  location.reload()
}
