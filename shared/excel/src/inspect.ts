import { damaged, limits, WorkbookProblem } from './limits.ts'
import { oleMark, readOleNames } from './ole.ts'
import type { Source } from './source.ts'
import { readZipDirectory, type ZipEntry } from './zip.ts'

/** What a file is, told by its content; the name it came under does not count. */
export type Inspected = { kind: 'xlsx'; entries: ZipEntry[] } | { kind: 'xls' }

/** Looks at a file without unpacking anything of it; throws a WorkbookProblem for whatever is not a workbook. */
export async function inspectSource(source: Source): Promise<Inspected> {
  const { size } = source
  if (size === 0) throw new WorkbookProblem('workbook_empty_file')
  if (size > limits.fileBytes) throw new WorkbookProblem('workbook_too_large')
  const head = await source.read(0, Math.min(size, 4096))
  if (oleMark.every((byte, at) => head[at] === byte)) {
    inspectOle(await readOleNames(source))
    return { kind: 'xls' }
  }
  if (head[0] === 0x50 && head[1] === 0x4b) {
    const entries = await readZipDirectory(source)
    inspectZip(entries)
    return { kind: 'xlsx', entries }
  }
  throw new WorkbookProblem(otherKind(head))
}

function inspectOle(names: string[]) {
  const has = (name: string) => names.includes(name)
  if (has('EncryptedPackage') || has('EncryptionInfo')) throw new WorkbookProblem('workbook_password')
  if (has('Workbook')) return
  if (has('Book')) throw new WorkbookProblem('workbook_old')
  if (has('WordDocument') || has('PowerPoint Document')) throw new WorkbookProblem('workbook_word')
  throw new WorkbookProblem('workbook_not_excel')
}

function inspectZip(entries: ZipEntry[]) {
  const names = new Set(entries.map((entry) => entry.name))
  // Two parts of one name are read differently by different programs.
  if (names.size !== entries.length) throw damaged()
  if (entries.some((entry) => entry.encrypted)) throw new WorkbookProblem('workbook_password')
  const starts = (prefix: string) => entries.some((entry) => entry.name.startsWith(prefix))
  if (starts('word/') || starts('ppt/')) throw new WorkbookProblem('workbook_word')
  if (names.has('xl/workbook.bin')) throw new WorkbookProblem('workbook_xlsb')
  if (names.has('mimetype') && names.has('content.xml')) throw new WorkbookProblem('workbook_ods')
  if (!names.has('[content_types].xml') || !names.has('_rels/.rels'))
    throw new WorkbookProblem('workbook_zip')
  if (entries.some((entry) => entry.name.endsWith('/vbaproject.bin')))
    throw new WorkbookProblem('workbook_macros')
}

/** The sentence for a file that is neither container. */
function otherKind(head: Uint8Array) {
  const plain = new TextDecoder('windows-1252').decode(head)
  if (plain.includes('%PDF-')) return 'workbook_pdf'
  // Excel 2 to 4 wrote bare records: a BOF of 4 or 6 bytes.
  if (head[0] === 9 && [0, 2, 4].includes(head[1] ?? -1) && (head[2] === 4 || head[2] === 6))
    return 'workbook_old'
  const wide = head[0] === 0xff && head[1] === 0xfe
  const text = new TextDecoder(wide ? 'utf-16le' : 'utf-8')
    .decode(head)
    .replace(/^\ufeff/, '')
    .trimStart()
    .toLowerCase()
  if (/^(?:<!doctype html|<html|<head|<meta|<table|<style|<body|<div)/.test(text)) return 'workbook_html'
  if (text.startsWith('<?xml') || text.startsWith('<'))
    return text.includes('<html') ? 'workbook_html' : 'workbook_xml'
  const printable = ![...text].some((sign) => sign < ' ' && !'\t\r\n\f'.includes(sign))
  return printable && /[,;\t|\n]/.test(text) ? 'workbook_csv' : 'workbook_not_excel'
}
