import { Trans, useLingui } from '@lingui/react/macro'
import { type Column, optionIn, type Sheet } from '@portal/contracts/imports/sheet'
import { say } from '@portal/contracts/sentences'
import { currentLocale } from '@portal/i18n/locale'
import { Icon } from '@portal/ui/Icon'
import { StatusPill } from '@portal/ui/StatusPill'
import type { KeyboardEvent } from 'react'
import { acceptedBy, labelOf } from './columns.ts'
import { cellProblem } from './reading/cell-problem.ts'
import type { Corrections } from './useCorrections.tsx'

type Props = {
  sheet: Sheet
  column: Column
  /** The column's key. */
  name: string
  /** Why it was refused. */
  reason: string
  row: number
  inFile: string | null
  corrections: Corrections
  /** Another cell is corrected beside this one. */
  narrow?: boolean | undefined
}

/** A field to correct a refused cell. Enter moves to the next row, Escape undoes the correction. */
export function CorrectCell({ sheet, column, name, reason, row, inFile, corrections, narrow }: Props) {
  const { t } = useLingui()
  const written = corrections.of(row, name, inFile)
  const wrong = written === undefined || cellProblem(sheet, column, written) !== null
  const label = labelOf(sheet, name)
  const change = (value: string) =>
    value === (inFile ?? '')
      ? corrections.undo([{ row, column: name }])
      : corrections.set({ row, column: name, value, reason, before: inFile })
  const keys = (event: KeyboardEvent<HTMLElement>) => {
    if (event.key === 'Escape' && written !== undefined) {
      event.preventDefault()
      corrections.undo([{ row, column: name }])
    }
    if (event.key !== 'Enter') return
    event.preventDefault()
    const fields = [...(event.currentTarget.closest('table')?.querySelectorAll<HTMLElement>('.cell') ?? [])]
    fields[fields.indexOf(event.currentTarget) + (event.shiftKey ? -1 : 1)]?.focus()
  }
  const common = {
    className: `input cell${narrow ? ' narrow' : ''}${wrong ? ' bad' : ''}`,
    'aria-label': t`${label}, row ${row}`,
    'aria-invalid': wrong || undefined,
    title: acceptedBy(column),
    value: written ?? inFile ?? '',
    onKeyDown: keys,
  }
  const options = column.many ? undefined : column.options
  if (!options)
    return <input {...common} autoComplete="off" onChange={(event) => change(event.target.value)} />
  return (
    <select {...common} onChange={(event) => change(event.target.value)}>
      <option value={inFile ?? ''}>{inFile ?? ''}</option>
      {options.map((option) => (
        <option key={option} value={option}>
          {column.worded
            ? optionIn(column, option, currentLocale())
            : (column.words?.[option]?.[0] ?? option)}
        </option>
      ))}
    </select>
  )
}

type ReasonProps = {
  sheet: Sheet
  column: Column | undefined
  message: string
  /** What was written in place of the value; undefined while nothing was. */
  written: string | undefined
  /** Other columns of the row that were refused too. */
  others: string[]
}

/** Why a row was refused, or that what is written now looks right. */
export function Reason({ sheet, column, message, written, others }: ReasonProps) {
  const problem = column && written !== undefined ? cellProblem(sheet, column, written) : null
  const also = others.length > 0 && (
    <span className="sub">
      <Trans>Also to be corrected: {others.join(', ')}</Trans>
    </span>
  )
  if (written !== undefined && !problem)
    return (
      <>
        <StatusPill tone="good">
          <Trans>Corrected, to be checked</Trans>
        </StatusPill>
        {also}
      </>
    )
  return (
    <>
      <span className="error-text">
        <Icon name="bad" size={14} />
        {problem ? say(problem, currentLocale()) : message}
      </span>
      {also}
    </>
  )
}
