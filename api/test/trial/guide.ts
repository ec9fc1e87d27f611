import { readFileSync } from 'node:fs'
import { join } from 'node:path'

const page = readFileSync(join(import.meta.dirname, '../../../docs/operating.md'), 'utf8')

/** The text below a heading, up to the next one. */
function textOf(heading: string): string[] {
  const lines = page.split('\n')
  const at = lines.findIndex((line) => /^#+ /.test(line) && line.replace(/^#+ /, '') === heading)
  if (at < 0) throw new Error(`docs/operating.md has no heading “${heading}”`)
  const after = lines.slice(at + 1)
  const end = after.findIndex((line) => /^#+ /.test(line))
  return end < 0 ? after : after.slice(0, end)
}

/**
 * The blocks of commands below a heading of docs/operating.md, in order. As in all Markdown they are indented by four more than
 * the text around them, and a step is indented by its number: `3. ` by three, `10. ` by four.
 */
export function blocksOf(heading: string): string[] {
  const blocks: string[][] = []
  let ofText = 0
  let isCode = false
  let before = ''
  for (const line of textOf(heading)) {
    const spaces = line.search(/\S/)
    if (spaces === 0) ofText = /^\d+\. +/.exec(line)?.[0].length ?? 0
    if (before === '' && spaces >= ofText + 4) {
      isCode = true
      blocks.push([])
    }
    if (spaces < ofText + 4) isCode = false
    if (isCode) blocks.at(-1)?.push(line.slice(ofText + 4))
    before = line
  }
  if (blocks.length === 0) throw new Error(`“${heading}” of docs/operating.md has no commands`)
  return blocks.map((lines) => lines.join('\n'))
}

/** The commands with the operator's own values in the place of those of the page. */
export function filledIn(block: string, values: Record<string, string>): string {
  return Object.entries(values).reduce((text, [ofPage, own]) => text.replaceAll(ofPage, own), block)
}

/** Values of the table that the page does not name any more. */
export const unknownValues = (values: Record<string, string>): string[] =>
  Object.keys(values).filter((value) => !page.includes(value))
