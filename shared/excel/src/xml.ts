import { damaged, WorkbookProblem } from './limits.ts'

/** What a reader of XML is told. `name` is without its prefix, `text` as it stands, entities and all. */
export type XmlHandler = {
  open(name: string, attributes: string): void
  close(name: string): void
  text(text: string): void
}

// A cell holds 32,767 characters at most; nothing in a workbook needs a longer piece.
const longest = 1_000_000

/**
 * A tokenizer for the XML of workbooks: well-formed enough in, events out, in constant memory.
 * Own code rather than a library: it does no entity but the five of XML, knows no DTD, and is several times faster.
 */
export class XmlReader {
  readonly #handler: XmlHandler
  readonly #decoder = new TextDecoder('utf-8', { fatal: true })
  #rest = ''
  /** The names of the elements that are open. */
  readonly #open: string[] = []
  #seen = false

  constructor(handler: XmlHandler) {
    this.#handler = handler
  }

  write(bytes: Uint8Array): void {
    this.#take(this.#decode(bytes))
  }

  /** Says that nothing follows; what is still open was cut off. */
  end(): void {
    this.#take(this.#decode())
    if (this.#open.length > 0 || !this.#seen || this.#rest.trim() !== '') throw damaged()
  }

  #decode(bytes?: Uint8Array): string {
    try {
      return this.#decoder.decode(bytes, { stream: bytes !== undefined })
    } catch {
      throw damaged()
    }
  }

  #take(chunk: string) {
    const source = this.#rest + chunk
    let at = 0
    while (true) {
      const tag = source.indexOf('<', at)
      if (tag === -1) break
      if (tag > at) this.#handler.text(source.slice(at, tag))
      const next = this.#tag(source, tag)
      if (next === -1) {
        at = tag
        break
      }
      at = next
    }
    this.#rest = source.slice(at)
    if (this.#rest.length > longest) throw damaged()
  }

  /** Reads what starts at `<`; answers where it ends, -1 when that is still to come. */
  #tag(source: string, at: number): number {
    const sign = source.charCodeAt(at + 1)
    if (sign === 33 /* ! */) return this.#declaration(source, at)
    if (sign === 63 /* ? */) return after(source, '?>', at)
    const end = tagEnd(source, at + 1)
    if (end === -1) return -1
    if (sign === 47 /* / */) {
      const name = source.slice(at + 2, end).trimEnd()
      // What another tag closes would be left out without a word.
      if (this.#open.pop() !== name) throw damaged()
      this.#handler.close(local(name))
      return end + 1
    }
    const empty = source.charCodeAt(end - 1) === 47
    const inside = source.slice(at + 1, empty ? end - 1 : end)
    const space = inside.search(/\s/)
    const whole = space === -1 ? inside : inside.slice(0, space)
    const name = local(whole)
    if (name === '') throw damaged()
    this.#seen = true
    this.#handler.open(name, space === -1 ? '' : inside.slice(space))
    if (empty) this.#handler.close(name)
    else if (this.#open.push(whole) > 100) throw damaged()
    return end + 1
  }

  #declaration(source: string, at: number): number {
    if (source.startsWith('<!--', at)) return after(source, '-->', at + 4)
    if (source.startsWith('<![CDATA[', at)) {
      const end = source.indexOf(']]>', at)
      if (end === -1) return -1
      this.#handler.text(source.slice(at + 9, end).replaceAll('&', '&amp;'))
      return end + 3
    }
    if (
      source.length - at < 9 &&
      ('<!--'.startsWith(source.slice(at)) || '<![CDATA['.startsWith(source.slice(at)))
    )
      return -1
    // <!DOCTYPE, and with it every entity: a workbook never has one.
    throw new WorkbookProblem('workbook_entities')
  }
}

function after(source: string, mark: string, from: number): number {
  const end = source.indexOf(mark, from)
  return end === -1 ? -1 : end + mark.length
}

/** Index of the `>` that ends a tag; one inside quotes does not. */
function tagEnd(source: string, from: number): number {
  let end = source.indexOf('>', from)
  if (end === -1) return -1
  let quote = 0
  let at = from
  while (true) {
    for (; at < end; at++) {
      const sign = source.charCodeAt(at)
      if (quote === 0 ? sign === 34 || sign === 39 : sign === quote) quote = quote === 0 ? sign : 0
    }
    if (quote === 0) return end
    end = source.indexOf('>', end + 1)
    if (end === -1) return -1
  }
}

const local = (name: string) => name.slice(name.indexOf(':') + 1)

const attributes = new Map<string, RegExp>()

/** An attribute out of a tag's text, prefix or not; null when it is not there. */
export function attribute(text: string, name: string): string | null {
  let form = attributes.get(name)
  if (!form) {
    form = new RegExp(`\\s(?:[\\w.-]+:)?${name}\\s*=\\s*(?:"([^"]*)"|'([^']*)')`)
    attributes.set(name, form)
  }
  const found = form.exec(text)
  return found ? plainText(found[1] ?? found[2] ?? '') : null
}

const named: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }

/** Text with its entities resolved: the five of XML and numbers, nothing else. */
export function plainText(text: string): string {
  if (!text.includes('&')) return text
  return text.replace(
    /&(?:#(\d{1,7})|#x([0-9a-f]{1,6})|(\w+));/gi,
    (_, decimal?: string, hex?: string, name?: string) => {
      if (name !== undefined) {
        const sign = named[name]
        if (sign === undefined) throw new WorkbookProblem('workbook_entities')
        return sign
      }
      const point = decimal === undefined ? Number.parseInt(hex ?? '', 16) : Number(decimal)
      return point <= 0x10ffff ? String.fromCodePoint(point) : '\ufffd'
    },
  )
}
