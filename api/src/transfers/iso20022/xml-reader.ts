import { createReadStream } from 'node:fs'
import { WorkbookProblem } from '@portal/excel/limits'
import { SaxesParser, type SaxesTagNS } from 'saxes'

/** What a reader of a kind of file does with its elements. Names are without prefix, below the root element. */
export type XmlVisitor = {
  /** Throws a WorkbookProblem if the file is of another kind. */
  root(namespace: string, name: string): void
  open(path: readonly string[], attribute: (name: string) => string | null): void
  close(path: readonly string[], text: string): void
}

/** No statement has more levels, elements, or attributes of an element. The parser's time grows with the square of the last. */
const deepest = 40
const mostElements = 2_000_000
const mostAttributes = 50
/** The name of elements of another namespace than the root's, which no visitor looks for. */
const foreign = '?'
const encodings = ['utf-8', 'us-ascii', 'iso-8859-1', 'iso-8859-15', 'windows-1252']

/**
 * Reads an XML file as a stream and yields after each part of it. A document type is refused: no file of a bank needs one,
 * and entities that it declares grow without end or name files of this machine. Nothing is ever fetched.
 */
export async function* readXml(path: string, visitor: XmlVisitor, signal: AbortSignal): AsyncGenerator<void> {
  const parser = parserFor(visitor)
  let decoder: TextDecoder | undefined
  for await (const part of createReadStream(path, { signal }) as AsyncIterable<Buffer>) {
    decoder ??= new TextDecoder(encodingOf(part), { fatal: true })
    const text = decoded(decoder, part)
    parser.write(text)
    yield
  }
  parser.write(decoded(decoder ?? new TextDecoder()))
  parser.close()
  yield
}

function parserFor(visitor: XmlVisitor): SaxesParser<{ xmlns: true }> {
  const parser = new SaxesParser({ xmlns: true })
  const path: string[] = []
  let namespace: string | null = null
  let text = ''
  let isValue = false
  const add = (part: string) => {
    text += part
  }
  /** No value of these files has text beside an element. The rest of a torn amount would be read as a whole one. */
  const expectBlank = () => {
    if (text.trim() !== '' && !path.includes(foreign)) throw damaged()
  }
  parser.on('error', () => {
    throw damaged()
  })
  parser.on('doctype', () => {
    throw new WorkbookProblem('xml_doctype')
  })
  parser.on('text', add)
  parser.on('cdata', add)
  limitParts(parser)
  parser.on('opentag', ({ uri, local, attributes: written }: SaxesTagNS) => {
    expectBlank()
    text = ''
    isValue = true
    if (namespace === null) {
      namespace = uri
      visitor.root(uri, local)
      return
    }
    if (path.length === deepest) throw heavy()
    path.push(uri === namespace ? local : foreign)
    visitor.open(path, (name) => written[name]?.value ?? null)
  })
  parser.on('closetag', () => {
    if (!isValue) expectBlank()
    isValue = false
    if (path.length === 0) return
    visitor.close(path, text.trim())
    path.pop()
    text = ''
  })
  return parser
}

function limitParts(parser: SaxesParser<{ xmlns: true }>): void {
  let elements = 0
  let attributes = 0
  parser.on('opentagstart', () => {
    attributes = 0
    elements += 1
    if (elements > mostElements) throw heavy()
  })
  parser.on('attribute', () => {
    attributes += 1
    if (attributes > mostAttributes) throw heavy()
  })
}

const heavy = () => new WorkbookProblem('xml_heavy')
const damaged = () => new WorkbookProblem('xml_damaged')

/** The encoding that the file declares, UTF-8 otherwise. */
function encodingOf(start: Buffer): string {
  const head = start.subarray(0, 200).toString('latin1')
  const declared =
    /^(?:\xef\xbb\xbf)?<\?xml[^>]*?\sencoding\s*=\s*["']([\w.-]+)["']/.exec(head)?.[1] ?? 'utf-8'
  if (!encodings.includes(declared.toLowerCase())) throw new WorkbookProblem('xml_encoding', declared)
  return declared
}

function decoded(decoder: TextDecoder, part?: Buffer): string {
  try {
    return decoder.decode(part, { stream: part !== undefined })
  } catch {
    throw damaged()
  }
}
