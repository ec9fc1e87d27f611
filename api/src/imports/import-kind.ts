import type { ImportKind } from '@portal/contracts/imports'
import type { Permission } from '@portal/contracts/permissions'
import type { Text } from '@portal/contracts/sentences'
import type { Cell, Sheet, SheetRow } from '@portal/contracts/sheet'
import type { SQL } from 'drizzle-orm'
import type { Context } from '../kit/context.ts'
import type { Db, Reader, Tx } from '../kit/db.ts'

/** An import as its domain works on it. */
export type TaskRow = {
  id: number
  kind: ImportKind
  params: Record<string, unknown>
  user_id: number
  review: boolean
  fence: number
}

/** One refused cell; `message` a sentence for `say`. */
export type Fault = { column: string; value: string | null; message: string }
/** A row as its kind understood it. */
export type CheckedRow = {
  row: number
  cells: Partial<Record<string, Cell>>
  /** Natural key as it is compared; undefined where it cannot be read. */
  key: string | undefined
  /** Where a conflict with another row of the key is told. */
  keyColumn: string
  /** Comparable values by column, null where the cell is blank; equal rows of a file have equal ones. */
  values: Record<string, string | null>
  /** What writing needs besides: ids of what the cells name. */
  more: Record<string, unknown>
  errors: Fault[]
}
/** What the register holds under a key, comparable with `CheckedRow.values`. */
export type Stored = { id: number; values: Record<string, string | null> }
/** Counts of the piles. */
export type Counts = Record<'read' | 'new' | 'changed' | 'unchanged' | 'duplicate' | 'rejected', number>

/** An import at work: its rules, with everything rows are checked against already read. */
export type OpenImport = {
  sheet: Sheet
  /** Checks rows by themselves and against what they refer to; called for some hundred rows at once. */
  check(db: Reader, rows: SheetRow[]): Promise<CheckedRow[]>
  /** What is stored under these keys, locked until the transaction ends where `lock` says so; absent where nothing can be. */
  stored?(db: Reader, keys: string[], lock: boolean): Promise<Map<string, Stored>>
  /** Where a row's values depend on what is stored (lists that only grow). A value of '' takes the stored one away. */
  settle?(values: CheckedRow['values'], stored: Stored): CheckedRow['values']
  /** Writes some thousand new rows in a few statements; `part` is them as table `p` (row, key, subject_id, entry). */
  insert(tx: Tx, part: SQL): Promise<void>
  /** The same for rows that differ from what is stored; absent where none can. */
  update?(tx: Tx, part: SQL): Promise<void>
  /** Writes what either kind of row names besides: its links to others. */
  link?(tx: Tx, part: SQL): Promise<void>
  /** What the audit row is about, where it is not the import. */
  subject?: { type: string; id: number }
  /** Why an import ends of which not one row was accepted. */
  nothing?: Text
  /** Ends the writing, in its transaction: what is made beside the rows. */
  finish?(tx: Tx, counts: Counts): Promise<void>
}

/** What the imports machinery must know of a kind; its domain registers it. */
export type ImportDomain = {
  kind: ImportKind
  /** Who may make, see and cancel imports of this kind. */
  permission: Permission
  /** The sheet of this very import: a target list's depends on its agency. */
  sheet(db: Db, params: Record<string, unknown>, importId: number | null): Promise<Sheet>
  open(context: Pick<Context, 'db' | 'settings'>, task: TaskRow): Promise<OpenImport>
  /** Clears away what was made beside the import, when it failed or was cancelled. */
  undo?(tx: Tx, importId: number): Promise<void>
}
