import { showsDay } from './dates.ts'
import type { Grid, MergedCells } from './grid.ts'
import { damaged, tooMuch, WorkbookProblem } from './limits.ts'
import { SharedStrings } from './shared-strings.ts'
import { type SheetParts, sheetRows } from './sheet-rows.ts'
import type { Source } from './source.ts'
import { attribute, type XmlHandler, XmlReader } from './xml.ts'
import type { Unpack, ZipEntry } from './zip.ts'

type Relation = { id: string; type: string; target: string }

// Styles of a workbook that was copied together for years reach a few MB.
const smallPart = 16 * 1024 * 1024
// The shortest row that a program writes.
const bytesPerRow = 40

/** The visible sheets of an .xlsx, in the order of their tabs; nothing of them is read yet. */
export async function openXlsx(source: Source, entries: ZipEntry[], unpack: Unpack): Promise<Grid[]> {
  const bytesOf = (part: ZipEntry) => unpack(source, part)
  const parts = new Map(entries.map((entry) => [entry.name, entry]))
  const read = (name: string, handler: XmlHandler) => readPart(bytesOf, parts.get(name), handler)
  const book = (await relations(read, '')).find(({ type }) => type === 'officeDocument')?.target
  if (book === undefined || !parts.has(book)) throw new WorkbookProblem('workbook_zip')
  const related = await relations(read, book)
  /** The part of a relation. One that is named and missing is lost: without styles, days would be numbers. */
  const partAt = (relation: Relation | undefined) => {
    const part = relation && parts.get(relation.target)
    if (relation && !part) throw damaged()
    return part
  }
  const partOf = (type: string) => partAt(related.find((relation) => relation.type === type))

  const sheets: { name: string; relation: string; hidden: boolean }[] = []
  let since1904 = false
  await read(book, {
    open(name, text) {
      if (name === 'workbookPr') since1904 = /^(?:1|true)$/.test(attribute(text, 'date1904') ?? '')
      if (name !== 'sheet') return
      const hidden = (attribute(text, 'state') ?? 'visible') !== 'visible'
      sheets.push({ name: attribute(text, 'name') ?? '', relation: attribute(text, 'id') ?? '', hidden })
    },
    close() {},
    text() {},
  })

  // Styles and strings are read once, when the first sheet is.
  let common: Promise<SheetParts> | undefined
  const loadCommon = async (): Promise<SheetParts> => {
    const strings = new SharedStrings()
    const stringPart = partOf('sharedStrings')
    if (stringPart) await stream(bytesOf(stringPart), strings)
    return { since1904, dayStyles: await readDayStyles(bytesOf, partOf('styles')), strings }
  }
  return sheets.flatMap(({ name, relation, hidden }) => {
    if (hidden) return []
    const part = partAt(related.find(({ id, type }) => id === relation && type === 'worksheet'))
    // A sheet of another kind, such as a chart.
    if (!part) return []
    return {
      name,
      mayHold: Math.floor(part.unpacked / bytesPerRow),
      rows: async function* (only?: ReadonlySet<number>, merged?: (cells: MergedCells) => void) {
        common ??= loadCommon()
        yield* sheetRows(bytesOf(part), await common, only, merged)
      },
    }
  })
}

type BytesOf = (part: ZipEntry) => AsyncIterable<Uint8Array>

async function stream(chunks: AsyncIterable<Uint8Array>, handler: XmlHandler) {
  const reader = new XmlReader(handler)
  for await (const bytes of chunks) reader.write(bytes)
  reader.end()
}

async function readPart(bytesOf: BytesOf, part: ZipEntry | undefined, handler: XmlHandler) {
  if (!part) throw damaged()
  if (part.unpacked > smallPart) throw tooMuch()
  await stream(bytesOf(part), handler)
}

/** The relations of a part ('' is the package), their targets as part names, their types by the last word. */
async function relations(
  read: (name: string, handler: XmlHandler) => Promise<void>,
  part: string,
): Promise<Relation[]> {
  const cut = part.lastIndexOf('/')
  const folder = part.slice(0, Math.max(cut, 0))
  const found: Relation[] = []
  await read(joined(folder, '_rels', `${part.slice(cut + 1)}.rels`), {
    open(name, text) {
      if (name !== 'Relationship' || attribute(text, 'TargetMode') === 'External') return
      const target = attribute(text, 'Target') ?? ''
      found.push({
        id: attribute(text, 'Id') ?? '',
        type: (attribute(text, 'Type') ?? '').split('/').at(-1) ?? '',
        target: joined(target.startsWith('/') ? '' : folder, target).toLowerCase(),
      })
    },
    close() {},
    text() {},
  })
  return found
}

/** A part's name out of folders and names, `..` and `.` resolved; it never leaves the package. */
function joined(...parts: string[]): string {
  const names: string[] = []
  for (const name of parts.join('/').split('/')) {
    if (name === '..') names.pop()
    else if (name !== '' && name !== '.') names.push(name)
  }
  return names.join('/')
}

/** Which cell styles show a day: the only thing of the styles that changes a value. */
async function readDayStyles(bytesOf: BytesOf, part: ZipEntry | undefined): Promise<boolean[]> {
  const days: boolean[] = []
  if (!part) return days
  const codes = new Map<number, string>()
  let inCells = false
  await readPart(bytesOf, part, {
    open(name, text) {
      if (name === 'numFmt')
        codes.set(Number(attribute(text, 'numFmtId')), attribute(text, 'formatCode') ?? '')
      else if (name === 'cellXfs') inCells = true
      else if (name === 'xf' && inCells) {
        const id = Number(attribute(text, 'numFmtId') ?? 0)
        days.push(showsDay(id, codes.get(id)))
      }
    },
    close(name) {
      if (name === 'cellXfs') inCells = false
    },
    text() {},
  })
  return days
}
