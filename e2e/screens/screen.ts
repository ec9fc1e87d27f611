import { row } from '../database.ts'
import type { Open } from '../openings.ts'
import type { Role } from '../people.ts'

/** A screen of the product: the address as it is declared, whom to be, what stands there in this demo, and its dialogs. */
export type Screen = {
  route: string
  role: Role | null
  /** What tells two screens of one address apart. */
  as?: string
  /** The address with the ids of this demo; without it the declared one. */
  path?: () => Promise<string>
  dialogs?: Record<string, Open>
}

/** The id that a query finds. */
export const idOf = async (sql: string) => (await row<{ id: number }>(sql)).id
