import { Plural, Trans, useLingui } from '@lingui/react/macro'
import type { CohortSummary } from '@portal/contracts/cohorts'
import { formatDateTime } from '@portal/i18n/format'
import { currentLocale } from '@portal/i18n/locale'
import { useSession } from '@portal/sdk'
import { Notice } from '@portal/ui/Notice'
import { OneEyeNotice } from '../OneEyeNotice.tsx'
import { fullName } from '../words.tsx'

/** Who uploaded, corrected or confirmed this list, and whether the reader may decide on it. */
export function FourEyes({ cohort }: { cohort: CohortSummary }) {
  const { t } = useLingui()
  const { settings } = useSession()
  const { barred } = cohort.check
  const [uploader, when] = [fullName(cohort.user), formatDateTime(cohort.created_at)]
  return (
    <>
      <OneEyeNotice />
      <ReviewNotice cohort={cohort} />
      {(settings.four_eyes || barred) && (
        <Notice icon="shield" tone={barred ? 'waiting' : 'info'} title={t`Four eyes.`}>
          {barred ?? (
            <Trans>
              {uploader} uploaded this list on {when} (UTC). You may approve it.
            </Trans>
          )}
        </Notice>
      )}
    </>
  )
}

/** Rows that somebody changed between the file and the list, by name; nothing where nobody did. */
export function ReviewNotice({ cohort }: { cohort: CohortSummary }) {
  const { rows_changed, changed_by, confirmed_by } = cohort.check.review
  if (rows_changed === 0) return null
  const names = new Intl.ListFormat(currentLocale(), { type: 'conjunction' }).format(changed_by.map(fullName))
  const confirmer = confirmed_by && fullName(confirmed_by)
  return (
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
      {confirmer && <Trans>{confirmer} confirmed the review.</Trans>}
    </Notice>
  )
}
