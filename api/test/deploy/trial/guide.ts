import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/** A page of docs/operating, read as an operator does who types its commands: `guideOf('systemd.md')`. */
export function guideOf(name: string) {
  const text = readFileSync(join(import.meta.dirname, '../../../../docs/operating', name), 'utf8')
  const lines = text.split('\n')
  const headings = lines.flatMap((line) => /^#+ (.*)$/.exec(line)?.[1] ?? [])

  /** The lines below a heading, up to the next one. */
  function linesBelow(heading: string): string[] {
    const at = lines.findIndex((line) => /^#+ /.test(line) && line.replace(/^#+ /, '') === heading)
    if (at < 0) throw new Error(`docs/operating/${name} has no heading “${heading}”`)
    const after = lines.slice(at + 1)
    const end = after.findIndex((line) => /^#+ /.test(line))
    return end < 0 ? after : after.slice(0, end)
  }

  return {
    /** In the order of the page. */
    headings,
    /** The blocks of commands below a heading, in order. */
    blocksBelow(heading: string): string[] {
      const blocks = blocksOf(linesBelow(heading))
      if (blocks.length === 0) throw new Error(`“${heading}” of docs/operating/${name} has no commands`)
      return blocks
    },
    /** The blocks of commands of the whole page, in order. */
    blocks: () => headings.flatMap((heading) => blocksOf(linesBelow(heading))),
    /** Values of the table that the page does not name any more. */
    unknownValues: (values: Record<string, string>): string[] =>
      Object.keys(values).filter((value) => !text.includes(value)),
  }
}

/**
 * The blocks of commands of these lines. As in all Markdown they are indented by four more than the text around them, and a step
 * is indented by its number: `3. ` by three, `10. ` by four.
 */
function blocksOf(lines: string[]): string[] {
  const blocks: string[][] = []
  let ofText = 0
  let isCode = false
  let before = ''
  for (const line of lines) {
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
  return blocks.map((each) => each.join('\n'))
}

/** The commands with the operator's own values in the place of those of the page. */
export function filledIn(block: string, values: Record<string, string>): string {
  return Object.entries(values).reduce((text, [ofPage, own]) => text.replaceAll(ofPage, own), block)
}
