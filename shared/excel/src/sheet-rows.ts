import { sentence } from '@portal/contracts/imports/import-sentences'
import type { Cell } from '@portal/contracts/imports/sheet'
import { formulaCell } from '@portal/contracts/imports/unreadable'
import { excelDay } from './dates.ts'
import type { GridRow, MergedCells } from './grid.ts'
import { damaged, limits } from './limits.ts'
import type { SharedStrings } from './shared-strings.ts'
import { attribute, plainText, type XmlHandler, XmlReader } from './xml.ts'

/** What the cells of every sheet of a workbook refer to. */
export type SheetParts = { since1904: boolean; dayStyles: boolean[]; strings: SharedStrings }

/** The rows of a sheet's XML that hold something, in one batch per chunk; `merged` is called for each range of merged cells. */
export async function* sheetRows(
  chunks: AsyncIterable<Uint8Array>,
  parts: SheetParts,
  only?: ReadonlySet<number>,
  merged?: (cells: MergedCells) => void,
): AsyncGenerator<GridRow[]> {
  const handler = new SheetHandler(parts, only, merged)
  const reader = new XmlReader(handler)
  for await (const bytes of chunks) {
    reader.write(bytes)
    if (handler.found.length > 0) {
      yield handler.found
      handler.found = []
    }
  }
  reader.end()
}

/** A sheet of Excel has no more. */
const lastRow = 1_048_576

/** Rows and cells may come in any order. One that comes twice would take the place of the other, so the sheet is damaged. */
class SheetHandler implements XmlHandler {
  found: GridRow[] = []
  readonly #parts: SheetParts
  readonly #only: ReadonlySet<number> | undefined
  readonly #merged: ((cells: MergedCells) => void) | undefined
  #inData = false
  #row = 0
  /** One bit for each row that was read. */
  readonly #rows = new Uint8Array(lastRow / 8 + 1)
  /** The row in which each column had its last cell. */
  readonly #cellIn = new Uint32Array(16_384)
  #cells: Cell[] = []
  #blank = true
  #hidden = false
  #column = -1
  #inCell = false
  #type = 'n'
  #style = 0
  #formula = false
  #value = ''
  #hasValue = false
  #capture = false
  #phonetic = 0

  constructor(
    parts: SheetParts,
    only: ReadonlySet<number> | undefined,
    merged: ((cells: MergedCells) => void) | undefined,
  ) {
    this.#parts = parts
    this.#only = only
    this.#merged = merged
  }

  open(name: string, text: string): void {
    if (name === 'c' && this.#inData) this.#openCell(text)
    else if (name === 'v' || name === 't') this.#openValue(name)
    else if (name === 'row' && this.#inData) this.#openRow(text)
    else if (name === 'f') this.#formula = true
    else if (name === 'rPh') this.#phonetic++
    else if (name === 'sheetData') this.#inData = true
    else if (name === 'mergeCell') this.#merge(attribute(text, 'ref') ?? '')
  }

  text(text: string): void {
    if (this.#capture) this.#value += text
  }

  close(name: string): void {
    if (name === 'c' && this.#inData) this.#closeCell()
    else if (name === 'v' || name === 't') this.#capture = false
    else if (name === 'row' && this.#inData) {
      const hidden = this.#hidden && ({ hidden: true } as const)
      if (!this.#blank) this.found.push({ row: this.#row, cells: this.#cells, ...hidden })
    } else if (name === 'rPh') this.#phonetic--
    else if (name === 'sheetData') this.#inData = false
  }

  #openRow(text: string) {
    const row = Number(attribute(text, 'r') ?? this.#row + 1)
    if (this.#inCell || !Number.isInteger(row) || row < 1 || row > lastRow) throw damaged()
    const [at, bit] = [row >> 3, 1 << (row & 7)]
    const read = this.#rows[at] ?? 0
    if (read & bit) throw damaged()
    this.#rows[at] = read | bit
    this.#row = row
    this.#cells = []
    this.#blank = true
    this.#hidden = ['1', 'true'].includes(attribute(text, 'hidden') ?? '')
    this.#column = -1
  }

  #merge(ref: string) {
    const [from = '', to = from] = ref.split(':')
    const [top, bottom] = [rowNumber(from), rowNumber(to)]
    this.#merged?.({ top, bottom, left: columnIndex(from), right: columnIndex(to) })
  }

  #openCell(text: string) {
    // Some writers leave the address out: then a cell follows the one before.
    const address = attribute(text, 'r')
    const column = address === null ? this.#column + 1 : columnIndex(address)
    if (this.#inCell || this.#cellIn[column] === this.#row) throw damaged()
    this.#cellIn[column] = this.#row
    this.#inCell = true
    this.#column = column
    this.#type = attribute(text, 't') ?? 'n'
    this.#style = Number(attribute(text, 's') ?? 0)
    this.#formula = false
    this.#value = ''
    this.#hasValue = false
  }

  /** A rich text has several pieces; two values would be read as one. */
  #openValue(name: string) {
    if (name === 'v' && this.#hasValue) throw damaged()
    if (name === 'v') this.#hasValue = true
    this.#capture = this.#phonetic === 0
  }

  #closeCell() {
    this.#inCell = false
    const at = this.#column
    if (this.#only ? !this.#only.has(at) : at > limits.columns) return
    const cell = this.#read()
    if (cell === null) return
    this.#cells[at] = cell
    this.#blank = false
  }

  #read(): Cell {
    if (this.#value === '') return this.#formula ? formulaCell : null
    if (this.#type === 's') {
      const text = this.#parts.strings.at(Number(this.#value))
      if (text === undefined) throw damaged()
      return textCell(text)
    }
    const text = plainText(this.#value)
    if (this.#type === 'n') return this.#number(text)
    if (this.#type === 'e') return { text, problem: sentence('cell_error', text) }
    if (this.#type === 'b') return text === '1' ? 'TRUE' : 'FALSE'
    if (this.#type === 'd') return text.slice(0, 10)
    return textCell(text)
  }

  #number(text: string): Cell {
    const number = Number(text)
    if (!Number.isFinite(number) || text.trim() === '') return textCell(text)
    return (this.#parts.dayStyles[this.#style] && excelDay(number, this.#parts.since1904)) || number
  }
}

/** Text without the blanks around it, without the escapes of OOXML, and without the apostrophe that our exports put before formulas. */
export function textCell(text: string): string | null {
  const plain = text.includes('_x')
    ? text.replace(/_x([0-9a-f]{4})_/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
    : text
  const trimmed = plain.trim()
  if (trimmed === '') return null
  return /^'[=+\-@]/.test(trimmed) ? trimmed.slice(1) : trimmed
}

/** 7 for `AB7`. */
function rowNumber(address: string): number {
  const row = Number(/\d+$/.exec(address)?.[0])
  if (!(row >= 1 && row <= lastRow)) throw damaged()
  return row
}

/** 0 for `A1`, 27 for `AB7`. */
function columnIndex(address: string): number {
  let index = 0
  for (let at = 0; at < address.length; at++) {
    const letter = address.charCodeAt(at) & ~32
    if (letter < 65 || letter > 90) break
    index = index * 26 + letter - 64
  }
  if (index < 1 || index > 16_384) throw damaged()
  return index - 1
}
