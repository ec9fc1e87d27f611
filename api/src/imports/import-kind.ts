import type { ImportKind } from '@portal/contracts/imports'
import type { Permission } from '@portal/contracts/permissions'
import type { Text } from '@portal/contracts/sentences'
import type { Cell, Sheet, SheetRow } from '@portal/contracts/sheet'
import type { RawBuilder } from 'kysely'
import type { Context } from '../kit/context.ts'
import type { Db, Reader, Tx } from '../kit/db.ts'

/** A running import, as its domain sees it. */
export type TaskRow = {
  id: number
  kind: ImportKind
  params: Record<string, unknown>
  user_id: number
  review: boolean
  fence: number
}

/** A rejected cell. `message` is a sentence for `say`. */
export type Fault = { column: string; value: string | null; message: string }
/** A row after validation by its kind of import. */
export type CheckedRow = {
  row: number
  cells: Partial<Record<string, Cell>>
  /** Normalised natural key; undefined if it cannot be read. */
  key: string | undefined
  /** The column at which a conflict with another row of the same key is reported. */
  keyColumn: string
  /** Comparable values by column, null for a blank cell. Equal rows have equal values. */
  values: Record<string, string | null>
  /** Further values for writing: ids of the rows that the cells name. */
  more: Record<string, unknown>
  errors: Fault[]
}
/** The stored row with a key, comparable with `CheckedRow.values`. */
export type Stored = { id: number; values: Record<string, string | null> }
/** Number of rows in each pile (category). */
export type Counts = Record<'read' | 'new' | 'changed' | 'unchanged' | 'duplicate' | 'rejected', number>

/** The rules of a running import. Everything that rows are checked against has been read. */
export type OpenImport = {
  sheet: Sheet
  /** Validates rows and what they refer to. Called for some hundred rows at once. */
  check(db: Reader, rows: SheetRow[]): Promise<CheckedRow[]>
  /** Reads the stored rows with these keys, with row locks if `lock` is set. Missing if nothing can be stored yet. */
  stored?(db: Reader, keys: string[], lock: boolean): Promise<Map<string, Stored>>
  /** Changes values depending on the stored row (for lists that only grow). The value '' removes the stored one. */
  settle?(values: CheckedRow['values'], stored: Stored): CheckedRow['values']
  /** Writes some thousand new rows in a few statements. `part` has the rows as table `p` (row, key, subject_id, entry). */
  insert(tx: Tx, part: RawBuilder<unknown>): Promise<void>
  /** Writes changed rows in the same way. Missing if no row can be stored yet. */
  update?(tx: Tx, part: RawBuilder<unknown>): Promise<void>
  /** Writes the links of new and changed rows to other rows. */
  link?(tx: Tx, part: RawBuilder<unknown>): Promise<void>
  /** The subject of the audit row, if it is not the import. */
  subject?: { type: string; id: number }
  /** The reason when an import ends because no row was accepted. */
  nothing?: Text
  /** Completes the writing in its transaction, for example makes rows in other tables. */
  finish?(tx: Tx, counts: Counts): Promise<void>
}

/** A kind of import. Its domain registers it. */
export type ImportDomain = {
  kind: ImportKind
  /** The permission to make, see and cancel imports of this kind. */
  permission: Permission
  /** The sheet of an import. That of a target list depends on its agency. */
  sheet(db: Db, params: Record<string, unknown>, importId: number | null): Promise<Sheet>
  open(context: Pick<Context, 'db' | 'settings'>, task: TaskRow): Promise<OpenImport>
  /** Removes what was made for an import that failed or was cancelled. */
  undo?(tx: Tx, importId: number): Promise<void>
}
