import type { ModuleBuild } from './manifest.ts'
import { fieldsIn, type ModuleNotice } from './manifest-notices.ts'

type Declaring = Pick<ModuleBuild, 'notices' | 'permissions' | 'collections'>

/** What is wrong with the notices of a manifest, each with the field it stands in: what they say has to be declared. */
export const faultsOfNotices = (manifest: Declaring): string[] =>
  (manifest.notices ?? []).flatMap((notice, at) =>
    faultsOf(notice, manifest).map((fault) => `notices.${at}.${fault}`),
  )

function faultsOf({ text, permission, collection, to, link }: ModuleNotice, manifest: Declaring): string[] {
  const own = manifest.collections.find(({ name }) => name === collection)
  if (!own) return [`collection: ${collection} is none of its collections`]
  const fields = new Map((own.fields ?? []).map(({ name, type }) => [name, type]))
  const faults: string[] = []
  if (!manifest.permissions.some(({ name }) => name === permission))
    faults.push(`permission: ${permission} is none of its own permissions`)
  // Otherwise the line would tell what its reader may not read.
  else if (![own.read].flat().includes(permission))
    faults.push(`permission: ${permission} does not read ${collection}`)
  if (to !== undefined && fields.get(to) !== 'whole')
    faults.push(`to: ${to} is no field of type whole of ${collection}`)
  for (const [where, template] of [
    ['text.en', text.en],
    ['text.fr', text.fr],
    ['link', link],
  ] as const)
    for (const field of fieldsIn(template))
      if (!(fields.get(field) || (where === 'link' && field === 'id')))
        faults.push(`${where}: {${field}} is no field of ${collection} with a type`)
  return faults
}
