import type { RegistryParts } from '../parts.ts'
import { unknownModule } from '../refusals.ts'
import type { Entry, Generation } from '../schemas.ts'

/**
 * Who changes something (the name for the log), which module, the generation on their screen, and the portal's id of the step
 * if it is one of the portal.
 */
export type Asked = { by: string; name: string; generation: number; step?: string | undefined }

/** Replaces the entry of a module; null changes nothing. */
export function changeEntry(
  { generations }: Pick<RegistryParts, 'generations'>,
  { by, name, generation, step }: Asked,
  what: Generation['what'],
  make: (entry: Entry, live: Generation) => Entry | null | Promise<Entry | null>,
): Promise<Generation> {
  return generations.change(generation, async (live) => {
    const entry = live.modules.find((each) => each.name === name)
    if (!entry) throw unknownModule(name)
    const made = await make(entry, live)
    return made && { what, by, module: name, ...(step && { step }), modules: placed(live.modules, made) }
  })
}

/** All entries, of which one is new or replaced. */
export const placed = (modules: Entry[], made: Entry): Entry[] =>
  [...modules.filter((each) => each.name !== made.name), made].sort((a, b) => (a.name < b.name ? -1 : 1))
