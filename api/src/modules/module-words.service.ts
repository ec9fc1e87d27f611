import { resourceWords } from '@portal/contracts/access/permission-words'
import type { FieldWords } from '@portal/contracts/audit'
import type { Referenced } from '@portal/contracts/record-types'
import type { Text } from '@portal/contracts/sentences'
import type { PortalRegistry } from '@portal/registry'
import { liveModules } from './live-modules.ts'

const declared = async (registry: PortalRegistry) =>
  (await liveModules(registry)).modules.filter(({ withheld }) => !withheld)

/**
 * The names of resources, for permissions: those of modules and the portal's own. A module cannot rename a resource of
 * the portal.
 */
export async function resourcesInWords(registry: PortalRegistry): Promise<Record<string, Text>> {
  const all = await declared(registry)
  const theirs = all.flatMap(({ resources = [] }) => resources)
  return {
    // The permission to see how a module fares is about the module itself.
    ...Object.fromEntries(all.map(({ name, title }) => [name, title])),
    ...Object.fromEntries(theirs.map(({ name, label }) => [name, label])),
    ...resourceWords,
  }
}

type RecordWords = {
  label: Text | null
  fields: Record<string, FieldWords>
  /** Fields whose values are ids, with what they are ids of. */
  references: Record<string, Referenced>
}

/** The names of modules' records and of their fields, by `module/collection`. */
export async function recordsInWords(registry: PortalRegistry): Promise<Record<string, RecordWords>> {
  const all = (await declared(registry)).flatMap(({ name: module, collections }) =>
    collections.map(({ name, label = null, fields = [] }) => {
      const words = fields.map(({ name: field, label: called, values = [] }) => {
        const choices = Object.fromEntries(values.map(({ value, label: word }) => [value, word]))
        return [field, { label: called, values: choices }] as const
      })
      const references = fields.flatMap(({ name: field, to }) => (to ? [[field, to] as const] : []))
      return [
        `${module}/${name}`,
        { label, fields: Object.fromEntries(words), references: Object.fromEntries(references) },
      ] as const
    }),
  )
  return Object.fromEntries(all)
}
