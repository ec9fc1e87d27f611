import type { Column, Sheet } from '@portal/contracts/imports/sheet'
import { cellProblem } from './reading/cell-problem.ts'

const digits: Record<string, string> = { o: '0', O: '0', i: '1', I: '1', l: '1', L: '1' }

/** A value with its letters that look like digits written as digits, where that alone puts it right; else null. */
export function mended(sheet: Sheet, column: Column, value: string | null): string | null {
  if (!value || !['phone', 'date', 'whole', 'number', 'year'].includes(column.kind)) return null
  const written = value.replace(/[oOiIlL]/g, (letter) => digits[letter] ?? letter)
  return written !== value && cellProblem(sheet, column, written) === null ? written : null
}
