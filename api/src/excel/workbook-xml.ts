import { numberText } from '@portal/contracts/imports/sheet'
import { excelSerial } from '@portal/excel/dates'

/** The kind of a written column. Phones are `text`; amounts are `money`, which is shown with two decimals. */
export type OutKind = 'text' | 'whole' | 'money' | 'date' | 'datetime'
/**
 * A written value. A day is `YYYY-MM-DD`; an instant is a Date or ISO text in UTC; a number may also be the database's
 * text.
 */
export type OutCell = string | number | bigint | Date | null | undefined

/** Cell formats by their index in `stylesXml`. */
export const styles = {
  plain: 0,
  header: 1,
  text: 2,
  whole: 3,
  money: 4,
  date: 5,
  datetime: 6,
  boldWhole: 7,
  boldMoney: 8,
}

const declaration = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
const main = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'
const relations = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
const format = (numFmtId: number, fontId = 0, fillId = 0) =>
  `<xf numFmtId="${numFmtId}" fontId="${fontId}" fillId="${fillId}" borderId="0" xfId="0" applyNumberFormat="1" applyFont="1" applyFill="1"/>`

/** Fonts, fills and number formats of an export. */
const stylesXml = `${declaration}<styleSheet xmlns="${main}"><numFmts count="2"><numFmt numFmtId="164" formatCode="dd/mm/yyyy"/><numFmt numFmtId="165" formatCode="dd/mm/yyyy\\ hh:mm"/></numFmts><fonts count="2"><font><sz val="11"/><name val="Calibri"/></font><font><b/><sz val="11"/><name val="Calibri"/></font></fonts><fills count="3"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill><fill><patternFill patternType="solid"><fgColor rgb="FFE8EDF3"/></patternFill></fill></fills><borders count="1"><border><left/><right/><top/><bottom/><diagonal/></border></borders><cellStyleXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0"/></cellStyleXfs><cellXfs count="9">${[
  format(0),
  format(49, 1, 2),
  format(49),
  format(1),
  format(4),
  format(164),
  format(165),
  format(1, 1),
  format(4, 1),
].join('')}</cellXfs></styleSheet>`

/** The parts of a workbook other than its sheets, by name. */
export function frameParts(sheets: readonly string[]): [string, string][] {
  const type = 'application/vnd.openxmlformats-officedocument.spreadsheetml'
  const package_ = 'http://schemas.openxmlformats.org/package/2006'
  return [
    [
      '[Content_Types].xml',
      `${declaration}<Types xmlns="${package_}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Override PartName="/xl/workbook.xml" ContentType="${type}.sheet.main+xml"/><Override PartName="/xl/styles.xml" ContentType="${type}.styles+xml"/>${sheets.map((_, at) => `<Override PartName="/${sheetPart(at + 1)}" ContentType="${type}.worksheet+xml"/>`).join('')}</Types>`,
    ],
    [
      '_rels/.rels',
      `${declaration}<Relationships xmlns="${package_}/relationships">${relation(1, 'officeDocument', 'xl/workbook.xml')}</Relationships>`,
    ],
    [
      'xl/workbook.xml',
      `${declaration}<workbook xmlns="${main}" xmlns:r="${relations}"><sheets>${sheets.map((name, at) => `<sheet name="${forXml(plainText(name))}" sheetId="${at + 1}" r:id="rId${at + 1}"/>`).join('')}</sheets></workbook>`,
    ],
    [
      'xl/_rels/workbook.xml.rels',
      `${declaration}<Relationships xmlns="${package_}/relationships">${sheets.map((_, at) => relation(at + 1, 'worksheet', `worksheets/sheet${at + 1}.xml`)).join('')}${relation(sheets.length + 1, 'styles', 'styles.xml')}</Relationships>`,
    ],
    ['xl/styles.xml', stylesXml],
  ]
}

/** The path of a sheet in the archive. Sheets count from 1. */
export const sheetPart = (n: number) => `xl/worksheets/sheet${n}.xml`

const relation = (id: number, type: string, target: string) =>
  `<Relationship Id="rId${id}" Type="${relations}/${type}" Target="${target}"/>`

/**
 * The XML before the rows of a sheet. The heading row is frozen; widths and formats also apply to cells that are still
 * empty.
 */
export const sheetStart = (widths: readonly number[], formats: readonly number[]) =>
  `${declaration}<worksheet xmlns="${main}"><sheetViews><sheetView workbookViewId="0"><pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/></sheetView></sheetViews><cols>${widths.map((width, at) => `<col min="${at + 1}" max="${at + 1}" width="${width}" customWidth="1" style="${formats[at] ?? 0}"/>`).join('')}</cols><sheetData>`

/** The XML after the rows of a sheet. */
export const sheetEnd = (validations = '') => `</sheetData>${validations}</worksheet>`

/** The XML of one row. `row` counts from 1; blank cells are left out. */
export function rowXml(
  row: number,
  cells: readonly OutCell[],
  kinds: readonly OutKind[],
  formats: readonly number[],
): string {
  let xml = `<row r="${row}">`
  // This loop is fast, because a journal has a hundred million cells: it makes no iterator, and no name of a column twice.
  for (let at = 0; at < cells.length; at++)
    xml += cellXml(lettersOf(at) + row, cells[at], kinds[at] ?? 'text', formats[at] ?? styles.text)
  return `${xml}</row>`
}

const letters: string[] = []
function lettersOf(at: number): string {
  letters[at] ??= columnName(at)
  return letters[at]
}

/** Text that is written as it is: it begins with a letter or figure, and has nothing that XML or a spreadsheet reads. */
const ordinary = /^[A-Za-z0-9\u00c0-\u00ff][A-Za-z0-9\u00c0-\u00ff .,:;()/'\u2019-]*$/
const ordinaryAtMost = 1000

function cellXml(address: string, cell: OutCell, kind: OutKind, style: number): string {
  if (kind === 'text' && typeof cell === 'string' && cell.length <= ordinaryAtMost && ordinary.test(cell))
    return `<c r="${address}" s="${style}" t="inlineStr"><is><t xml:space="preserve">${cell}</t></is></c>`
  const value = writtenCell(cell, kind)
  if (value === null) return ''
  if (typeof value === 'number') return `<c r="${address}" s="${style}"><v>${value}</v></c>`
  return `<c r="${address}" s="${style}" t="inlineStr"><is><t xml:space="preserve">${forXml(value)}</t></is></c>`
}

/**
 * The content of a cell. It is null for a blank cell and a number if the kind is not text and the value is exactly
 * one. Otherwise it is text that a spreadsheet does not run as a formula.
 */
export function writtenCell(cell: OutCell, kind: OutKind): number | string | null {
  if (cell === null || cell === undefined || cell === '') return null
  if (kind !== 'text') {
    const number = numberOf(cell, kind)
    if (Number.isFinite(number)) return number
  }
  // A character that is left out may hide a formula, so it goes first; what is put before a formula counts for the length.
  return fitting(harmless(allowed(cell instanceof Date ? cell.toISOString() : String(cell))))
}

/** NaN where the number or day is not exactly what the text says, because the text would come back as another value. */
function numberOf(cell: Exclude<OutCell, null | undefined>, kind: OutKind): number {
  if (kind === 'whole' || kind === 'money') {
    const number = Number(cell)
    return typeof cell !== 'string' || (exact[kind].test(cell) && numberText(number) === cell)
      ? number
      : Number.NaN
  }
  const text = cell instanceof Date ? cell.toISOString() : String(cell)
  return kind === 'date' && typeof cell === 'string' && cell.length !== 10 ? Number.NaN : excelSerial(text)
}

// JavaScript would also read texts such as `0x10` and `1e3` as numbers, which people do not mean.
const exact = { whole: /^-?\d+$/, money: /^-?\d+(\.\d+)?$/ }

/**
 * Puts an apostrophe before text that a spreadsheet would run as a formula (OWASP), so that it is harmless even after
 * the sheet was saved as CSV. Signed numbers and telephone numbers stay as they are, because they cannot do harm. Our
 * reader removes the apostrophe.
 */
export function harmless(text: string): string {
  return /^[=+\-@\t\r\n]/.test(text) && !/^[+-]?\d[\d\s.,]*$/.test(text) ? `'${text}` : text
}

/** A cell has at most so many characters. */
const cellAtMost = 32_767

/** Text that a cell can contain. */
export const plainText = (text: string): string => fitting(allowed(text))

/** Text without characters that XML forbids. */
const allowed = (text: string): string =>
  /[\p{Cc}\ufffe\uffff]/u.test(text) ? text.replace(/[^\P{Cc}\t\n\r]|[\ufffe\uffff]/gu, '') : text

/** Text with an ellipsis where it is too long, and with Excel's own escape sequences masked. */
function fitting(text: string): string {
  const cut = (text.length > cellAtMost ? `${text.slice(0, cellAtMost - 1)}…` : text).toWellFormed()
  return cut.includes('_') ? cut.replace(/_(?=x[0-9a-f]{4}_)/gi, '_x005F_') : cut
}

/** Escapes text for an XML element or attribute. */
export function forXml(text: string): string {
  if (!/[&<>"\r]/.test(text)) return text
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll('\r', '&#13;')
}

/** A valid name for a tab: at most 31 characters, without those that Excel refuses. Those after the first have a number. */
export function tabName(name: string, n = 1): string {
  const end = n === 1 ? '' : ` (${n})`
  const allowed = name.replace(/[[\]:*?/\\]/g, ' ').replace(/^'+|'+$/g, '')
  return (allowed.slice(0, 31 - end.length).trim() || 'List') + end
}

/** `A` for 0, `AB` for 27. */
export function columnName(index: number): string {
  const last = String.fromCharCode(65 + (index % 26))
  return index < 26 ? last : columnName(Math.floor(index / 26) - 1) + last
}
