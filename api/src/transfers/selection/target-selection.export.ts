import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { pipeline } from 'node:stream/promises'
import type { Locale, Text } from '@portal/contracts/sentences'
import type { Agency } from '@portal/contracts/transfers/agencies'
import { type TargetColumn, targetListSheet } from '@portal/contracts/transfers/target-list.sheet'
import type { Selection } from '@portal/contracts/transfers/target-selection'
import { type OutCell, writeWorkbook } from '../../excel/write.ts'
import type { Db } from '../../kit/database/db.ts'
import { type StoredUpload, xlsxType } from '../../kit/files/files.ts'
import { registerExport } from '../../kit/jobs/exports.ts'
import { countSelection } from './selection-counts.service.ts'
import { say } from './target-selection.messages.ts'
import { readSelected, type SelectedGirl } from './target-selection.service.ts'

export const selectionExport = 'target-selection'

type FileParams = Selection & Pick<Agency, 'type'>

/** The cells of a girl. An empty amount is that of the parameter, and accounts are not in the register. */
const cells: Partial<Record<TargetColumn, (girl: SelectedGirl) => OutCell>> = {
  receiver_first_name: ({ first_name }) => first_name,
  receiver_last_name: ({ last_name }) => last_name,
  receiver_phone_number: ({ phone }) => phone,
  student_code: ({ student_code }) => student_code,
}

/** Writes a selection as the Excel file of a target list, as a person could fill it in and upload it. */
export async function writeSelection(
  db: Db,
  path: string,
  locale: Locale,
  { type, ...selection }: FileParams,
  onProgress?: (rows: number) => Promise<void>,
): Promise<{ rows: number; columns: Text[] }> {
  const columns = Object.entries(targetListSheet(type).columns)
  async function* lines() {
    for await (const girl of readSelected(db, selection))
      yield columns.map(([key]) => cells[key as TargetColumn]?.(girl) ?? null)
  }
  const rows = await writeWorkbook(path, {
    name: say.sheet[locale],
    // Amounts are whole numbers, so that a person who fills one in gets a number; all other cells are texts.
    columns: columns.map(([key, { label, kind }]) => ({
      key,
      header: label[locale],
      kind: kind === 'whole' ? 'whole' : 'text',
    })),
    rows: lines(),
    onProgress,
  })
  return { rows, columns: columns.map(([, { label }]) => label) }
}

/** The written file in the form of an upload. */
export async function asUpload(path: string, name: string): Promise<StoredUpload> {
  const hash = createHash('sha256')
  await pipeline(createReadStream(path), hash)
  return { name, path, type: xlsxType, size: (await stat(path)).size, sha256: hash.digest() }
}

/** Registers the export of a selection as the file of a target list. */
export function registerSelectionExport() {
  registerExport<FileParams>(selectionExport, {
    allowed: (actor) => actor.can('cohorts.create'),
    subject: (selection) => ({ type: 'target selection', id: null, filters: { selection } }),
    write: async ({ db }, { params, locale, path, progress }) => {
      const { steps } = await countSelection(db, { ...params, transfer_parameter_id: undefined })
      return writeSelection(db, path, locale, params, (rows) => progress(rows, steps.conditions))
    },
  })
}
