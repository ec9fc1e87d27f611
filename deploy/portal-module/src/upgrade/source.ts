import { type Node, parseSync } from '@babel/core'
import { Refusal } from '../refusal.ts'

/** A place of a source and what stands there afterwards. What no edit names keeps its formatting and its comments. */
export type Edit = { start: number; end: number; text: string }

/** Something that the command does not rewrite: where it is, and what to write instead. */
export type ByHand = { file: string; line: number; text: string }

/** A source with its syntax tree, and what is found to change in it. */
export type Source = { file: string; text: string; tree: Node; edits: Edit[]; did: string[]; left: ByHand[] }

/** Parses a source of a module, or its manifest as an expression. */
export function readSource(file: string, text: string): Source {
  const plugins = ['typescript', ...(/\.[jt]sx$/.test(file) ? ['jsx'] : [])]
  const options = { babelrc: false, configFile: false, filename: file, parserOpts: { plugins } }
  let tree: Node | null
  try {
    tree = parseSync(text, options)
  } catch (fault) {
    throw new Refusal(`${file} cannot be read, so nothing was changed: ${(fault as Error).message}`)
  }
  if (!tree) throw new Refusal(`${file} cannot be read, so nothing was changed.`)
  return { file, text, tree, edits: [], did: [], left: [] }
}

export const textAt = ({ text }: Source, { start, end }: Pick<Node, 'start' | 'end'>): string =>
  text.slice(start, end)

/** Notes once what was done to a source. */
export function note({ did }: Source, what: string): void {
  if (!did.includes(what)) did.push(what)
}

/** The text with all edits. Those of one place stand in the order in which they were found. */
export function edited({ text, edits }: Pick<Source, 'text' | 'edits'>): string {
  let made = ''
  let at = 0
  for (const edit of edits.toSorted((a, b) => a.start - b.start || a.end - b.end)) {
    made += text.slice(at, edit.start) + edit.text
    at = Math.max(at, edit.end)
  }
  return made + text.slice(at)
}
