import { sentence } from './import-sentences.ts'
import type { Unreadable } from './sheet.ts'

/** A formula without a result. It has a text, so that it is no blank cell where rows are stored as texts. */
export const formulaCell: Unreadable = { text: '=', problem: sentence('cell_formula') }

// Errors of spreadsheets in English and French.
const errorText =
  /^(?:#(?:N\/[AD]|REF!|VALUE!|VALEUR!|NAME\?|NOM\s?\?|DIV\/0\s?!|NULL!|NUL!|NUM!|NOMBRE!|GETTING_DATA|SPILL!|CALC!|FIELD!|BLOCKED!|UNKNOWN!|CONNECT!|BUSY!|EXTERNAL!|PYTHON!)|ERR:\d{3})$/i

/** What is wrong with a text that stands for a formula or an error, also where it was copied or stored as text; else null. */
export function unreadableText(text: string): string | null {
  if (text === formulaCell.text) return formulaCell.problem
  return errorText.test(text) ? sentence('cell_error', text) : null
}
