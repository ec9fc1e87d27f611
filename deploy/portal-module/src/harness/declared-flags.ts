import type { ModuleBuild } from '@portal/sdk/manifest'

/** The switches of a module as its manifest has them. */
export const asDeclared = ({ flags = [] }: Pick<ModuleBuild, 'flags'>): Record<string, boolean> =>
  Object.fromEntries(flags.map(({ id, default: usual }) => [id, usual]))
