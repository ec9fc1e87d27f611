import { Plural, Trans } from '@lingui/react/macro'
import { queryOf } from '@portal/client/query'
import { pageLink } from '@portal/screens/ListPage'
import { failureOf } from '@portal/screens/problemText'
import { useHost, useQuery } from '@portal/sdk'
import { useSetting } from '@portal/sdk/settings'
import { Skeleton } from '@portal/ui/Blank'
import { ButtonLink } from '@portal/ui/Button'
import { DateText } from '@portal/ui/Money'
import { Failed } from '@portal/ui/Table'
import { OutcomePill } from '../OutcomePill.tsx'
import { paths } from '../paths.ts'
import { inLastWeek, today, visits } from '../visits.ts'

/** The card of the home page: the number of visits this week, and the latest ones. The portal draws frame and title. */
export default function VisitsCard() {
  const { client } = useHost()
  const shown = useSetting('visitsOnCard')
  const query = { sort: '-created_at', per_page: 100 } as const
  const { data, error, refetch } = useQuery(queryOf(client, visits.list, { query }))
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
  const latest = data.records.data
  const week = inLastWeek(latest, today())
  return (
    <>
      <div className="card-body stack">
        <p>
          <Plural value={week} one="# visit in the last seven days" other="# visits in the last seven days" />
        </p>
        {latest.slice(0, shown).map((visit) => (
          <div key={visit.id} className="row" style={{ flexWrap: 'wrap' }}>
            <div className="grow">
              <strong>{visit.data.student}</strong>
              <div className="small muted">
                {visit.data.school}, <DateText iso={visit.data.date} />
              </div>
            </div>
            <OutcomePill outcome={visit.data.outcome} />
          </div>
        ))}
      </div>
      <div className="card-foot">
        <ButtonLink small href={paths.visits} renderLink={pageLink}>
          <Trans>Open the register</Trans>
        </ButtonLink>
      </div>
    </>
  )
}
