import { Trans, useLingui } from '@lingui/react/macro'
import { asProblem } from '@portal/client/problem'
import { queryOf } from '@portal/client/query'
import { cases } from '@portal/contracts/cases'
import { pageLink } from '@portal/screens/ListPage'
import { failureOf } from '@portal/screens/problemText'
import { useHost, useQuery } from '@portal/sdk'
import { Skeleton } from '@portal/ui/Blank'
import { ButtonLink } from '@portal/ui/Button'
import { Card } from '@portal/ui/Card'
import { Notice } from '@portal/ui/Notice'
import { Failed } from '@portal/ui/Table'
import { useParams } from 'react-router-dom'
import { previewOf } from './preview.ts'
import { Request } from './Request.tsx'
import './guest.css'

/** What the consultant sees of a request, for the reviewer who sent it; nothing can be sent from here. */
export default function PreviewPage() {
  const { t } = useLingui()
  const { client } = useHost()
  const { id, referral } = useParams()
  const query = useQuery(queryOf(client, cases.details, { params: { id: Number(id) } }))
  const failure = failureOf(query.error ? asProblem(query.error) : null, () => query.refetch())
  const seen = query.data && previewOf(query.data, Number(referral))
  if (!seen) {
    return (
      <Card padded>
        {failure ? (
          <Failed {...failure} />
        ) : query.data ? (
          <Notice tone="waiting">{t`This case has no such consultation.`}</Notice>
        ) : (
          <Skeleton width="60%" height={96} />
        )}
      </Card>
    )
  }
  return (
    <div className="guest">
      <Notice
        icon="eye"
        title={<Trans>Preview.</Trans>}
        actions={
          <ButtonLink small href={`/admin/cases/${id}/details`} renderLink={pageLink}>
            <Trans>Back to the case</Trans>
          </ButtonLink>
        }
      >
        <Trans>This is what the expert sees while the request is open. Nothing can be sent from here.</Trans>
      </Notice>
      <Request consultation={seen} client={client} onChange={ignore} onGone={ignore} />
    </div>
  )
}

/** A preview changes nothing. */
const ignore = () => {}
