import { Trans } from '@lingui/react/macro'
import type { ChosenHeadings } from '@portal/contracts/imports/sheet'
import { targetListSheet } from '@portal/contracts/transfers/target-list.sheet'
import { currentLocale } from '@portal/i18n/locale'
import { Notice } from '@portal/ui/Notice'
import './words.ts'

/** The headings of a list's file that its uploader named, and what each was read as. */
export function NamedHeadings({ headings }: { headings: ChosenHeadings }) {
  return (
    <Notice tone="waiting" title={<Trans>Headings of the file were named by hand.</Trans>}>
      {Object.entries(headings).map(([heading, column]) => (
        <span key={heading}>
          “{heading}” = {labelOf(column) ?? <Trans>not imported</Trans>}.{' '}
        </span>
      ))}
    </Notice>
  )
}

// A bank's list has every column there is.
const columns = targetListSheet('bank').columns as Partial<
  Record<string, { label: { en: string; fr: string } }>
>
const labelOf = (column: string) => columns[column]?.label[currentLocale()]
