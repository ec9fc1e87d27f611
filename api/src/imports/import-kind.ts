import type { AnswerOf } from '@portal/contracts/endpoint'
import type { FoundPerson, ImportKind, imports, LikelyPerson } from '@portal/contracts/imports'
import type { Cell, Sheet, SheetRow } from '@portal/contracts/imports/sheet'
import type { Permission } from '@portal/contracts/permissions'
import type { Text } from '@portal/contracts/sentences'
import type { RawBuilder } from 'kysely'
import type { Db, Reader, Tx } from '../kit/database/db.ts'
import type { Actor } from '../kit/http/session.ts'
import type { Context } from '../kit/process/context.ts'

/** The fields of a running import that its domain needs. */
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
/** A row of the file. One that was left out in the review contradicts no other row. */
export type RowToCheck = SheetRow & { left_out?: boolean }
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
  /** Further values for writing: ids of the rows that the cells name, and as `confirmed` a doubt that was confirmed. */
  rest: Record<string, unknown>
  errors: Fault[]
}
/** The stored row with a key, comparable with `CheckedRow.values`. */
export type Stored = { id: number; values: Record<string, string | null> }
/** The number of rows in each category of the review (new, changed, …) and in all. */
export type Counts = Record<'read' | 'new' | 'changed' | 'unchanged' | 'duplicate' | 'rejected', number>

/** The rules of a running import. What rows are checked against was read when it was opened. */
export type OpenImport = {
  sheet: Sheet
  /** Validates rows and their references. It is called with some hundred rows at once, to save queries. */
  check(db: Reader, rows: RowToCheck[]): Promise<CheckedRow[]>
  /**
   * The keys of other rows of the file that rows with these keys may contradict. In a review they are checked again together.
   */
  besides?(db: Reader, keys: string[]): Promise<string[]>
  /** Rows to check again once the whole file was read, because a later row has shown that they are right. */
  again?(): number[]
  /**
   * Reads the stored rows with these keys, with row locks if `lock` is set. It is missing if this kind stores nothing
   * to compare with.
   */
  stored?(db: Reader, keys: string[], lock: boolean): Promise<Map<string, Stored>>
  /**
   * What looks wrong in the values that the row would store, though it can be right, or what is wrong beside the stored row.
   * `stored` is missing for a new row.
   */
  doubt?(values: CheckedRow['values'], stored: Stored | undefined): Fault | null
  /**
   * What is wrong by now in staged rows because of other rows than the stored one of their key; a fault for each such row. It is
   * asked in the transaction that writes them.
   */
  spoilt?(tx: Tx, importId: number): Promise<Map<number, Fault>>
  /**
   * Adapts values to the stored row, for example for a list to which an import only adds. The value '' removes the
   * stored one.
   */
  settle?(values: CheckedRow['values'], stored: Stored): CheckedRow['values']
  /**
   * Writes some thousand new rows in a few statements. `part` is the table `p` (row, key, subject_id, entry) of staged
   * rows.
   */
  insert(tx: Tx, part: RawBuilder<unknown>): Promise<void>
  /** Writes changed rows in the same way. It is missing if this kind changes no stored row. */
  update?(tx: Tx, part: RawBuilder<unknown>): Promise<void>
  /** Writes the links of new and changed rows to other rows. */
  link?(tx: Tx, part: RawBuilder<unknown>): Promise<void>
  /**
   * Why these rows may not be written; null if they may. It is asked when somebody confirms them, and again in the transaction
   * that writes them. Locks that it takes last until the end of that transaction.
   */
  refusal?(tx: Tx, counts: Counts): Promise<Text | null>
  /** The subject of the audit row, if it is not the import. */
  subject?: { type: string; id: number }
  /** The reason when an import ends because no row was accepted. */
  nothing?: Text
  /** Completes the import in the transaction that writes it, for example by writing rows of other tables. */
  finish?(tx: Tx, counts: Counts): Promise<void>
}

export type FoundStudents = AnswerOf<typeof imports.students>

/** The import, and its new rows that are asked about: all if `numbers` is null. */
export type LikelyPairs = { importId: number; numbers: number[] | null; register: boolean }
/** A new row, and somebody of the register or of the row `twin` who may be the same person. */
export type LikelyRow = LikelyPerson & { row: number; likeness: number }

/** What rights to an import are read from. */
export type Rights = Pick<Context, 'registry'>
/**
 * What an import is opened with. A review opens it in its transaction: with a second connection, as many reviews as there are
 * connections would wait for each other.
 */
export type Opening = Pick<Context, 'settings' | 'registry'> & { db: Reader }

/** A kind of import. Its domain registers it. */
export type ImportDomain = {
  kind: ImportKind
  /** The permission to make, see and cancel imports of this kind, or what throws 403 or 404 without the right. */
  permission: Permission | ((context: Rights, actor: Actor, params: TaskRow['params']) => Promise<unknown>)
  /** What the audit log says of an import besides its kind and its file. */
  auditDetails?(params: TaskRow['params']): Record<string, unknown>
  /** Where an import is shown. Without it, a module declares the page of this kind. */
  link?(params: TaskRow['params'], importId: number): string
  /** The queue of its jobs, if they do not wait with the others. */
  job?: string
  /** The sheet of an import. For a target list it depends on the agency. */
  sheet(db: Db, params: Record<string, unknown>, importId: number | null): Promise<Sheet>
  open(context: Opening, task: TaskRow): Promise<OpenImport>
  /** Who may be the same as new rows under another code. */
  likely?: {
    /** The permission to see these people of the register. */
    permission: Permission
    /** Selects `LikelyRow`s. */
    pairs(of: LikelyPairs): RawBuilder<unknown>
  }
  /** Finds students by name for a row with an unknown code. It is missing if rows of this kind name no single student. */
  findStudents?(
    db: Db,
    search: string,
  ): Promise<{ students: (FoundPerson & { id: number })[]; more: boolean }>
  /** Removes rows of other tables that belong to an import which failed or was cancelled. */
  undo?(tx: Tx, importId: number): Promise<void>
}
