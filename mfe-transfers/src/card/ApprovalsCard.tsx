import { Plural, Trans } from '@lingui/react/macro'
import { queryOf } from '@portal/client/query'
import { transfers } from '@portal/contracts/transfers'
import { recipientCorrections } from '@portal/contracts/transfers/recipient-corrections'
import { pageLink } from '@portal/screens/ListPage'
import { failureOf } from '@portal/screens/problemText'
import { useHost, useQuery } from '@portal/sdk'
import { Skeleton } from '@portal/ui/Blank'
import { ButtonLink } from '@portal/ui/Button'
import { Money } from '@portal/ui/Money'
import { Flags } from '@portal/ui/Notice'
import { Failed } from '@portal/ui/Table'
import { Link } from 'react-router-dom'
import { paths } from '../paths.ts'
import './words.ts'

/** On the home page: the cohorts that wait for an approver, the one that waits longest first. */
export default function ApprovalsCard() {
  const { client } = useHost()
  const query = { status: 'pending', sort: 'created_at', per_page: 3 } as const
  const { data, error, refetch } = useQuery(queryOf(client, transfers.cohorts, { query }))
  const failure = failureOf(error, refetch)
  if (!data)
    return failure ? (
      <Failed {...failure} />
    ) : (
      <div className="card-body stack" aria-busy="true">
        <Skeleton width="60%" />
        <Skeleton width="72%" />
      </div>
    )
  const { data: cohorts, total } = data.cohorts
  return (
    <>
      <div className="card-body">
        {total === 0 ? (
          <Trans>No cohort waits for an approval.</Trans>
        ) : (
          <Plural
            value={total}
            one="# cohort waits for an approval."
            other="# cohorts wait for an approval."
          />
        )}
      </div>
      {cohorts.length > 0 && (
        <Flags
          flags={cohorts.map((cohort) => ({
            key: String(cohort.id),
            tone: 'waiting',
            icon: 'users',
            title: <Link to={paths.summary(cohort.id)}>{cohort.name}</Link>,
            text: (
              <>
                <Plural value={cohort.master_list_count} one="# recipient" other="# recipients" />,{' '}
                <Money amount={cohort.list_amount} />
              </>
            ),
          }))}
        />
      )}
      <WaitingCorrections />
      <div className="card-foot">
        <ButtonLink small href={`${paths.cohorts}?status=pending`} renderLink={pageLink}>
          <Trans>All cohorts to approve</Trans>
        </ButtonLink>
      </div>
    </>
  )
}

/** The corrections of recipients that wait for an approver, with the way to the oldest one. */
function WaitingCorrections() {
  const { client } = useHost()
  const { data, error, refetch } = useQuery(
    queryOf(client, recipientCorrections.list, { query: { per_page: 1 } }),
  )
  const [oldest] = data?.corrections.data ?? []
  const failure = data ? null : failureOf(error, refetch)
  if (failure) return <Failed {...failure} />
  if (!data || !oldest) return null
  return (
    <Flags
      flags={[
        {
          key: 'corrections',
          tone: 'waiting',
          icon: 'users',
          title: (
            <Link to={paths.payroll(oldest.payroll_group_id)}>
              <Plural
                value={data.corrections.total}
                one="# correction of a recipient waits for an approval"
                other="# corrections of recipients wait for an approval"
              />
            </Link>
          ),
          text: oldest.cohort_name,
        },
      ]}
    />
  )
}
