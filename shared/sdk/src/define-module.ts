import type { Messages } from '@lingui/core'
import type { ComponentType } from 'react'
import type { ModuleTabs } from './extensions.ts'
import type { Host } from './host.ts'

/**
 * One page of a module, as a route object of react-router. Its chunk is fetched while the page before is still shown.
 */
export type ModuleRoute = {
  /** Whole address, `/admin/transfers/cohorts/:id/summary`. */
  path: string
  /** Fetches the page: the `Component` of its file, or the default export. */
  lazy: () => Promise<{ Component: ComponentType } | { default: ComponentType }>
  /** Permission of this page, where it differs from the module's; several mean one of them. */
  permission?: string | readonly string[]
}

/**
 * A page as modules declared it before contract 1.2.
 * @deprecated since 1.2.0, until 2027-11-30: declare it with lazy.
 */
export type EarlierRoute = Omit<ModuleRoute, 'lazy'> & { page: () => Promise<{ default: ComponentType }> }

/** The catalogs of a module and of the packages bundled into it. */
type Catalogs = () => Promise<{ messages: Messages }>[]

/** What a module exposes as its default export. */
export type PortalModule = {
  /** The contract version it was written for. */
  contract: string
  routes(host: Host): (ModuleRoute | EarlierRoute)[]
  messages: { en: Catalogs; fr: Catalogs }
  /** Its cards on the home page, by the names in its manifest. A card renders inside a host like a page. */
  cards?: Record<string, () => Promise<{ default: ComponentType }>>
  /** Its tabs on pages of other modules, by what they are on and by the names in its manifest. */
  tabs?: ModuleTabs
}

/** Declares a module; the shell refuses anything else. */
export const defineModule = (module: PortalModule): PortalModule => module
