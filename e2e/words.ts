import { globSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { actionWords, resourceWords } from '@portal/contracts/access/permission-words'
import { commonFieldWords } from '@portal/contracts/audit/common-fields'
import { auditedFields } from '@portal/contracts/audit/fields'
import { failureReasons } from '@portal/contracts/transfers/failure-reasons'

const root = resolve(import.meta.dirname, '..')

/** The words of a language: the English text in, with its parts `{name}` filled in. */
export type Say = (english: string, parts?: Record<string, string | number>) => string

const fill = (text: string, parts: Record<string, string | number> = {}) =>
  text.replace(/\{(\w+)\}/g, (whole, name: string) => String(parts[name] ?? whole))

/** English says what was agreed with the programme. */
export const english: Say = fill

/** French as the catalogues have it: a sentence that nobody translated ends the test. */
export const french: Say = (text, parts) => {
  const found = catalogue().get(text)
  if (!found) throw new Error(`No catalogue has a French text for "${text}".`)
  return fill(found, parts)
}

let entries: Map<string, string> | undefined

/** Labels and closed lists stand with the fields of the contracts. */
const fieldWords = Object.values(auditedFields)
  .flatMap((fields) => Object.values(fields))
  .flatMap(({ label, closed }) => [label, ...Object.values(closed ?? {})])
  .map(({ en, fr }) => [en, fr] as const)

const contractWords = [commonFieldWords, resourceWords, actionWords, failureReasons]
  .flatMap((words) => Object.values(words))
  .map(({ en, fr }) => [en, fr] as const)

/** Every text of the catalogues, of fields and of permissions with its French. */
export function catalogue(): Map<string, string> {
  entries ??= new Map([
    ...fieldWords,
    ...contractWords,
    ...globSync(['*/src/**/locales/fr.po', 'shared/*/src/**/locales/fr.po', 'deploy/*/src/*/locales/fr.po'], {
      cwd: root,
    })
      .flatMap((file) => readFileSync(resolve(root, file), 'utf8').split('\n\n'))
      .map((entry) => [textOf(entry, 'msgid'), textOf(entry, 'msgstr')] as const)
      .filter(([id, text]) => id && text),
  ])
  return entries
}

/** Long texts stand over several lines of quotes. */
function textOf(entry: string, key: 'msgid' | 'msgstr'): string {
  const lines = new RegExp(`^${key} ((?:".*"\\n?)+)`, 'm').exec(entry)?.[1] ?? ''
  return [...lines.matchAll(/"(.*)"/g)]
    .map(([, text = '']) => text.replace(/\\(.)/g, (_, sign: string) => (sign === 'n' ? '\n' : sign)))
    .join('')
}
