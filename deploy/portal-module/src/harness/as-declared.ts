import type { Host } from '@portal/sdk'
import type { ModuleBuild } from '@portal/sdk/manifest'

/** The switches of a module as its manifest has them. */
export const flagsAsDeclared = ({ flags = [] }: Pick<ModuleBuild, 'flags'>): Record<string, boolean> =>
  Object.fromEntries(flags.map(({ id, default: usual }) => [id, usual]))

/** The settings of a module as its manifest has them. */
export const settingsAsDeclared = ({ settings = [] }: Pick<ModuleBuild, 'settings'>): Host['settings'] =>
  Object.fromEntries(settings.map(({ name, default: usual }) => [name, usual]))
