import type { ModuleBuild } from './manifest.ts'

/** What is wrong with the reports of a manifest, each with the field it stands in. */
export const faultsOfReports = ({
  reports = [],
  collections,
}: Pick<ModuleBuild, 'reports' | 'collections'>): string[] =>
  reports.flatMap(({ id, permission, collection }, at) => {
    const faults = reports.findIndex((each) => each.id === id) < at ? [`id: ${id} stands there twice`] : []
    const own = collections.find(({ name }) => name === collection)
    if (collection && !own) faults.push(`collection: ${collection} is none of its collections`)
    const readers = own && [own.read].flat()
    const unread = readers && [permission].flat().find((name) => !readers.includes(name))
    if (unread) faults.push(`permission: ${unread} does not read ${collection}`)
    return faults.map((fault) => `reports.${at}.${fault}`)
  })
