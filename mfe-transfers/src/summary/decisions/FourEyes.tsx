import { Trans, useLingui } from '@lingui/react/macro'
import type { CohortSummary } from '@portal/contracts/transfers/cohorts'
import { formatDateTime } from '@portal/i18n/format'
import { useSession } from '@portal/sdk'
import { Notice } from '@portal/ui/Notice'
import { OneEyeNotice } from '../../OneEyeNotice.tsx'
import { fullName } from '../../words.tsx'
import { ReviewNotice } from './ReviewNotice.tsx'

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
