import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** A statement of our source; each `${…}` became a parameter, so that one built of fragments has no valid syntax. */
export type Statement = { file: string; text: string }

const source = join(import.meta.dirname, '../../../src')

/** Every complete statement of the api: the templates of Kysely's `sql`, and the texts given to the pool. */
export function statementsOfSource(): Statement[] {
  const files = (readdirSync(source, { recursive: true }) as string[]).filter((file) => file.endsWith('.ts'))
  return files.flatMap((file) => {
    const code = readFileSync(join(source, file), 'utf8')
    const starts = code.matchAll(/(?:\bsql(?:<[^`;]*?>)?|\.query(?:<[^`;]*?>)?\(\s*)([`'])/g)
    return [...starts]
      .map((start) => textFrom(code, start.index + start[0].length, start[1] ?? '`'))
      .filter((text) => /^\s*(select|insert|update|delete|with)\b/.test(text))
      .map((text) => ({ file, text }))
  })
}

function textFrom(code: string, from: number, end: string): string {
  let text = ''
  let parameters = 0
  for (let at = from; at < code.length && code[at] !== end; at++) {
    if (code.startsWith('${', at)) {
      at = afterBraces(code, at + 2) - 1
      text += `$${++parameters}`
    } else if (code[at] === '\\') text += code[++at]
    else text += code[at]
  }
  return text
}

/** The place behind the `}` of a substitution that begins at `from`, whatever braces are in it. */
function afterBraces(code: string, from: number): number {
  let depth = 1
  let at = from
  for (; depth > 0 && at < code.length; at++) {
    if (code[at] === '{') depth++
    else if (code[at] === '}') depth--
  }
  return at
}
