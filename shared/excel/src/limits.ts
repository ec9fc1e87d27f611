import { sentence } from '@portal/contracts/imports/import-sentences'

/** What a workbook may be at most (Imports 1.1). */
export const limits = {
  fileBytes: 20 * 1024 * 1024,
  unpackedBytes: 400 * 1024 * 1024,
  rows: 200_000,
  columns: 100,
  /** Headings stand in one of the first rows; titles may stand above them. */
  headingRows: 10,
  parts: 5_000,
}

/** A workbook that is refused; `problem` is a sentence for `say`. */
export class WorkbookProblem extends Error {
  readonly problem: string
  constructor(...of: Parameters<typeof sentence>) {
    super(of[0])
    this.problem = sentence(...of)
  }
}

/** The sentence for a workbook that unpacks to too much. */
export const tooMuch = () => new WorkbookProblem('workbook_unpacked', limits.unpackedBytes / 1024 / 1024)
/** The sentence for anything that breaks off or does not fit together. */
export const damaged = () => new WorkbookProblem('workbook_damaged')
