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

const key = (name: string) => `portal-build-${name}`

/** Choices that the document before this one left, by module. */
const left = new Map<string, string | null>()

/** Read once: the next document begins with the current build again. */
function leftFor(name: string): string | null {
  if (!left.has(name)) left.set(name, takeStored(key(name)))
  return left.get(name) ?? null
}

function takeStored(name: string): string | null {
  try {
    const stored = sessionStorage.getItem(name)
    sessionStorage.removeItem(name)
    return stored
  } catch {
    // Where storage is forbidden nobody could leave a choice.
    return null
  }
}

/** Whether somebody has chosen the build before, for this document. */
export const chosenBefore = (entry: Entry): boolean =>
  Boolean(entry.remote && entry.previous) && leftFor(entry.name) === entry.previous?.build

/** Loads the document again, for the build that somebody chose. */
export function chooseForReload({ name, previous }: Entry, which: 'previous' | 'current'): void {
  if (which === 'previous' && previous) sessionStorage.setItem(key(name), previous.build)
  location.reload()
}
