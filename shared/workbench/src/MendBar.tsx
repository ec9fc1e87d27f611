import { Plural, Trans } from '@lingui/react/macro'
import type { Column, Sheet } from '@portal/contracts/imports/sheet'
import { Button } from '@portal/ui/Button'
import { mended } from './mend.ts'
import type { Corrections } from './useCorrections.tsx'

type Props = {
  sheet: Sheet
  column: Column
  name: string
  reason: string
  rows: readonly { row: number; value: string | null }[]
  corrections: Corrections
}

/**
 * Offers to write digits for letters that look like them, in all rows shown where that puts them right. What a person wrote
 * by hand stays.
 */
export function MendBar({ sheet, column, name, reason, rows, corrections }: Props) {
  const found = rows.flatMap(({ row, value }) => {
    const better = mended(sheet, column, value)
    return better ? [{ row, column: name, better, before: value }] : []
  })
  const open = found.filter(({ row, before }) => corrections.of(row, name, before) === undefined)
  const mendedRows = found.filter(({ row, better }) => corrections.of(row, name) === better)
  if (open.length + mendedRows.length === 0) return null
  if (open.length === 0)
    return (
      <div className="fixbar" role="status">
        <span>
          <Plural
            value={mendedRows.length}
            one="The digit was written in # row."
            other="Digits were written in # rows."
          />
        </span>
        <Button small onClick={() => corrections.undo(mendedRows)}>
          <Trans>Undo</Trans>
        </Button>
      </div>
    )
  return (
    <div className="fixbar">
      <span>
        <Plural
          value={open.length}
          one="# row has a letter where a digit belongs."
          other="# rows have a letter where a digit belongs."
        />
      </span>
      <Button
        small
        onClick={() => {
          for (const { row, better, before } of open)
            corrections.set({ row, column: name, value: better, reason, before })
        }}
      >
        <Plural value={open.length} one="Write the digit in # row" other="Write the digits in these # rows" />
      </Button>
      <span className="muted small">
        <Trans>You can undo it.</Trans>
      </span>
    </div>
  )
}
