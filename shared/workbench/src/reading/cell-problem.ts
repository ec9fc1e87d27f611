import type { Country } from '@portal/contracts/fields'
import { readCell } from '@portal/contracts/imports/read-cell'
import { type Cell, type Column, cellText, type Sheet } from '@portal/contracts/imports/sheet'
import { unreadableText } from '@portal/contracts/imports/unreadable'
import { readPhone } from '@portal/contracts/registers/phone'
import { readAnyPhone } from '@portal/contracts/registers-phone'

/**
 * What is wrong with a cell, as far as it can be told without the register, as a sentence for `say`; null when nothing
 * is. Never stricter than the server: a blank cell of a row that is known already keeps what is stored.
 */
export function cellProblem(sheet: Sheet, column: Column, cell: Cell, country?: Country): string | null {
  if (sheet.name === 'target-list') return listProblem(column, cell, country)
  const read = readCell(column, cell)
  if ('problem' in read) return read.problem
  return read.value === null && column.key ? 'required' : null
}

/** A target list is read by rules of its own, which need its agency: only what holds for every agency is said. */
function listProblem(column: Column, cell: Cell, country: Country | undefined): string | null {
  if (cell === null || cell === '') return column.required ? 'required' : null
  if (typeof cell === 'object') return cell.problem
  const problem = unreadableText(cellText(cell).trim())
  if (problem !== null) return problem
  if (column.kind !== 'phone') return null
  const read = country ? readPhone(cell, country) : readAnyPhone(cell)
  return 'problem' in read ? read.problem : null
}
