import type { Endpoint } from '@portal/contracts/endpoint'
import type { Permission } from '@portal/contracts/permissions'
import type { Selectable } from 'kysely'
import type { DB } from '../kit/database/database.types.ts'

/** A way out of a state: a call that a person with the permission makes, or what happens without a person. */
export type Exit<State extends string> = { to: State } & (
  | { call: Endpoint; by: Permission }
  | { itself: string }
)

/** What leads out of a state, or why nothing has to. */
export type Exits<State extends string> =
  | { exits: readonly [Exit<State>, ...Exit<State>[]] }
  | { final: string }
/** The exits of all states of one thing. */
export type Table<State extends string> = Record<State, Exits<State>>

/** The closed list of states of a table of the database, which its check constraint has. */
export type StateOf<Name extends keyof DB> =
  Selectable<DB[Name]> extends { state: infer State extends string } ? State : never
