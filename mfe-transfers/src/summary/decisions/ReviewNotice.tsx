import { Plural, Trans } from '@lingui/react/macro'
import type { CohortSummary } from '@portal/contracts/transfers/cohorts'
import { currentLocale } from '@portal/i18n/locale'
import { Notice } from '@portal/ui/Notice'
import { fullName } from '../../words.tsx'
import { NamedHeadings } from './NamedHeadings.tsx'
import './words.ts'

/** What people changed between the file and the list, by name; nothing where nobody did. */
export function ReviewNotice({ cohort }: { cohort: CohortSummary }) {
  const { rows_changed, rows_left_out, changed_by, confirmed_by, headings } = cohort.check.review
  const names = new Intl.ListFormat(currentLocale(), { type: 'conjunction' }).format(changed_by.map(fullName))
  const confirmer = confirmed_by && fullName(confirmed_by)
  return (
    <>
      {rows_changed > 0 && (
        <Notice
          tone="waiting"
          title={
            <Plural
              value={rows_changed}
              one={`# row changed in review by ${names}.`}
              other={`# rows changed in review by ${names}.`}
            />
          }
        >
          {rows_left_out > 0 && (
            <>
              <Plural
                value={rows_left_out}
                one="# row was left out by hand."
                other="# rows were left out by hand."
              />{' '}
            </>
          )}
          {confirmer && <Trans>{confirmer} confirmed the review.</Trans>}
        </Notice>
      )}
      {Object.keys(headings).length > 0 && <NamedHeadings headings={headings} />}
    </>
  )
}
