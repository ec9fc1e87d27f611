import * as v from 'valibot'
import { endpoint } from './endpoint.ts'
import { instant, PersonName } from './fields.ts'

const Words = v.object({ en: v.string(), fr: v.string() })
const Value = v.union([v.string(), v.number(), v.boolean()])
export type SettingValue = v.InferOutput<typeof Value>

/** The kinds of settings: those of a record's fields, but references. */
export const settingTypes = ['text', 'number', 'whole', 'boolean', 'day'] as const

/** A setting of a module: what its manifest says of it, and what it is. */
export const ModuleSetting = v.object({
  name: v.string(),
  label: Words,
  text: v.optional(Words),
  type: v.picklist(settingTypes),
  values: v.optional(v.array(v.object({ value: v.string(), label: Words }))),
  min: v.optional(v.number()),
  max: v.optional(v.number()),
  /** What it is until somebody changes it. */
  default: Value,
  value: Value,
})
export type ModuleSetting = v.InferOutput<typeof ModuleSetting>

const Settings = v.object({
  settings: v.array(ModuleSetting),
  /** 0 while nobody has changed them. */
  version: v.number(),
  changed: v.nullable(v.object({ at: instant, by: PersonName })),
})

/** Settings that modules declare. Administrators change them; it counts when a module is loaded the next time. */
export const moduleSettings = {
  read: endpoint({
    method: 'GET',
    path: '/admin/modules/:module/settings',
    access: 'modules.manage',
    answer: Settings,
  }),
  /** A value that is left out or blank becomes the declared one. */
  change: endpoint({
    method: 'PUT',
    path: '/admin/modules/:module/settings',
    access: 'modules.manage',
    body: v.object({ values: v.record(v.string(), v.unknown(), 'required'), version: v.number('number') }),
    answer: v.object({ message: v.string(), ...Settings.entries }),
  }),
  /** What they are, for the module itself. */
  own: endpoint({
    method: 'GET',
    path: '/modules/:module/settings',
    access: 'session',
    answer: v.object({ settings: v.record(v.string(), Value) }),
  }),
}

/**
 * Settings that a partner's module declares in its manifest; it adds them here, for its own compiler:
 * `declare module '@portal/contracts/module-settings' { interface ModuleSettings { girlsPerVisit: number } }`.
 */
// biome-ignore lint/suspicious/noEmptyInterface: an interface is what others can add to.
export interface ModuleSettings {}
