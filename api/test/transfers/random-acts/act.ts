import type { World } from './stage.ts'

/** Something that a person, an agency or time does. It returns false if there is nothing to do it with. */
export type Act = { weight: number; act: (world: World) => Promise<unknown> }
