import type { ModuleBuild } from '@portal/sdk/manifest'
import type { Check } from './portal.ts'

/** Collections of which the portal checks no record, because none of their fields has a type: a warning, and never a closed gate. */
export function checkFields({ collections }: Pick<ModuleBuild, 'collections'>): Check {
  const loose = collections.filter(({ fields = [] }) => fields.every(({ type }) => type === undefined))
  const names = loose.map(({ name }) => name)
  return {
    gate: 'fields',
    ok: true,
    warns: names.length > 0,
    text: names.length
      ? `${names.join(' and ')} ${names.length > 1 ? 'take' : 'takes'} any record: give every field of "fields" in portal.module.json a type, such as "type": "text", and the portal refuses what does not fit, with a sentence at the field.`
      : 'the portal checks every record that is saved.',
  }
}
