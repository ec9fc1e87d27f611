import { isAtRoutes } from '@portal/contracts/module-routes'
import type { ModuleBuild } from './manifest.ts'

/** What a manifest sends people to, and asks of the server. */
export type Leading = Pick<
  ModuleBuild,
  | 'name'
  | 'routes'
  | 'nav'
  | 'rows'
  | 'search'
  | 'first_day'
  | 'links'
  | 'notices'
  | 'reports'
  | 'collections'
>

/** Every link of a manifest that is not below the module's own routes, each with the field it stands in. */
export function linksOutside(manifest: Leading): string[] {
  const { routes, nav, rows = [], search = [], first_day = [], links = [], notices = [] } = manifest
  const { collections = [], reports = [] } = manifest
  const all = [
    ...nav.flatMap(({ path, children }, at) => [
      [`nav.${at}.path`, path] as const,
      ...children.map((child, inner) => [`nav.${at}.children.${inner}.path`, child.path] as const),
    ]),
    ...rows.map(({ link }, at) => [`rows.${at}.link`, link] as const),
    ...search.flatMap(({ link }, at) => [link].flat().map((path) => [`search.${at}.link`, path] as const)),
    ...first_day.map(({ link }, at) => [`first_day.${at}.link`, link] as const),
    ...links.map(({ link }, at) => [`links.${at}.link`, link] as const),
    ...reports.map(({ link }, at) => [`reports.${at}.link`, link] as const),
    ...notices.map(({ link }, at) => [`notices.${at}.link`, link] as const),
    ...collections.flatMap(({ import: page }, at) =>
      page ? [[`collections.${at}.import`, page] as const] : [],
    ),
  ]
  return all.flatMap(([field, path]) =>
    isAtRoutes(routes, path.split('?')[0] ?? '') ? [] : [`${path} (${field})`],
  )
}

/** Search calls that read records of another module, or of a collection that is not declared. */
export function recordsOutside({ name, search = [], collections }: Leading): string[] {
  const own = new Set(collections.map((each) => `/modules/${name}/records/${each.name}`))
  return search.flatMap(({ call }, at) =>
    call.startsWith('/modules/') && !own.has(call) ? [`${call} (search.${at}.call)`] : [],
  )
}
