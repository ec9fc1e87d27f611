import { type ChosenHeadings, namedHeadings, plainHeading, type Sheet } from '@portal/contracts/imports/sheet'
import { useMemo, useState } from 'react'
import type { Survey } from './reading/survey.ts'

/** What a person names headings: what was remembered, and what she changed since. */
export type NamedHeadings = {
  /** The sheet as it is read with them. */
  sheet: Sheet
  chosen: ChosenHeadings
  /** What was remembered is still being read, so that names of columns would be missing. */
  pending: boolean
  /** Takes a heading for a column; '' leaves it out. */
  choose: (heading: string, column: string) => void
}

/** Headings named by hand; `remembered` are those of earlier files of this person and her colleagues. */
export function useHeadings(
  sheet: Sheet,
  remembered: ChosenHeadings | undefined,
  pending = false,
): NamedHeadings {
  const [changes, setChanges] = useState<ChosenHeadings>({})
  return useMemo(() => {
    const chosen = { ...remembered, ...changes }
    return {
      sheet: { ...sheet, remembered, chosen: changes },
      chosen,
      pending,
      choose: (heading, column) => {
        // A column is one heading's: the one that was taken for it before is left out.
        const freed = Object.keys(chosen).filter((other) => column && chosen[other] === column)
        setChanges({
          ...changes,
          ...Object.fromEntries(freed.map((other) => [other, ''])),
          [heading]: column,
        })
      },
    }
  }, [sheet, remembered, pending, changes])
}

/** The headings of this file that a person assigned to columns, in the form that the upload takes. */
export function headingsBody(survey: Survey | null | undefined, sheet: Sheet): string {
  const texts = (survey?.headings ?? []).map(({ text }) => text)
  const named = Object.entries(namedHeadings(sheet, texts))
  const plain = new Map(named.map(([heading, column]) => [plainHeading(heading), column]))
  const found = texts.flatMap((text) => {
    const column = plain.get(plainHeading(text))
    return column === undefined ? [] : [[text, column]]
  })
  return JSON.stringify(Object.fromEntries(found))
}
