import { WorkbookProblem } from './limits.ts'
import type { XmlHandler } from './xml.ts'
import { plainText } from './xml.ts'

/**
 * The strings that cells name by number. A million JavaScript strings weigh several times their text, so they stand
 * in one buffer, and one is made when a cell asks for it.
 */
export class SharedStrings implements XmlHandler {
  #bytes = Buffer.allocUnsafe(65_536)
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
    if (!(index >= 0 && index < this.#count)) return undefined
    return this.#bytes.toString('utf8', index === 0 ? 0 : this.#ends[index - 1], this.#ends[index])
  }

  #add(text: string) {
    const needed = this.#length + Buffer.byteLength(text)
    if (this.#count > 10_000_000 || needed > 300_000_000) throw new WorkbookProblem('workbook_too_heavy')
    if (needed > this.#bytes.length) {
      const larger = Buffer.allocUnsafe(Math.max(needed, this.#bytes.length * 2))
      this.#bytes.copy(larger, 0, 0, this.#length)
      this.#bytes = larger
    }
    if (this.#count === this.#ends.length) {
      const more = new Uint32Array(this.#ends.length * 2)
      more.set(this.#ends)
      this.#ends = more
    }
    this.#length += this.#bytes.write(text, this.#length)
    this.#ends[this.#count++] = this.#length
  }
}
