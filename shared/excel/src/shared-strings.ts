import { WorkbookProblem } from './limits.ts'
import { plainText, type XmlHandler } from './xml.ts'

const utf8 = new TextDecoder('utf-8', { ignoreBOM: true })
const encoder = new TextEncoder()

/**
 * The strings that cells name by number. A million JavaScript strings weigh several times their text, so they stand
 * in one buffer, and one is made when a cell asks for it.
 */
export class SharedStrings implements XmlHandler {
  #bytes = new Uint8Array(65_536)
  #length = 0
  #ends = new Uint32Array(4_096)
  #count = 0
  #text: string | null = null
  #item = ''
  #phonetic = 0

  open(name: string): void {
    if (name === 'si') this.#item = ''
    else if (name === 't' && this.#phonetic === 0) this.#text = ''
    else if (name === 'rPh') this.#phonetic++
  }

  text(text: string): void {
    if (this.#text !== null) this.#text += text
  }

  close(name: string): void {
    if (name === 't' && this.#text !== null) {
      this.#item += this.#text
      this.#text = null
    } else if (name === 'rPh') this.#phonetic--
    else if (name === 'si') this.#add(plainText(this.#item))
  }

  /** String number `index`; undefined where there is none. */
  at(index: number): string | undefined {
    if (!Number.isInteger(index) || index < 0 || index >= this.#count) return undefined
    return utf8.decode(this.#bytes.subarray(index === 0 ? 0 : this.#ends[index - 1], this.#ends[index]))
  }

  #add(text: string) {
    // UTF-8 takes three bytes at most for a unit of a string.
    const needed = this.#length + text.length * 3
    if (this.#count > 10_000_000 || this.#length > 300_000_000)
      throw new WorkbookProblem('workbook_too_heavy')
    if (needed > this.#bytes.length) {
      const larger = new Uint8Array(Math.max(needed, this.#bytes.length * 2))
      larger.set(this.#bytes.subarray(0, this.#length))
      this.#bytes = larger
    }
    if (this.#count === this.#ends.length) {
      const larger = new Uint32Array(this.#ends.length * 2)
      larger.set(this.#ends)
      this.#ends = larger
    }
    this.#length += encoder.encodeInto(text, this.#bytes.subarray(this.#length)).written
    this.#ends[this.#count++] = this.#length
  }
}
