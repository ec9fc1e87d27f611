import { Plural, Trans, useLingui } from '@lingui/react/macro'
import { queryOf } from '@portal/client/query'
import { pageLink } from '@portal/screens/ListPage'
import { useHost, useQuery } from '@portal/sdk'
import { Skeleton } from '@portal/ui/Blank'
import { ButtonLink } from '@portal/ui/Button'
import { Card } from '@portal/ui/Card'
import { DateText } from '@portal/ui/Money'
import { OutcomePill } from '../OutcomePill.tsx'
import { paths } from '../paths.ts'
import { inLastWeek, today, visits } from '../visits.ts'

/** On the home page: how many visits there were this week, and the latest three. */
export default function VisitsCard() {
  const { t } = useLingui()
  const { client } = useHost()
  const { data, isError } = useQuery(
    queryOf(client, visits.list, { query: { sort: '-created_at', per_page: 100 } }),
  )
  const latest = data?.records.data ?? []
  const week = inLastWeek(latest, today())
  return (
    <Card
      padded
      title={t`School health`}
      text={
        data && (
          <Plural value={week} one="# visit in the last seven days" other="# visits in the last seven days" />
        )
      }
      actions={
        <ButtonLink small href={paths.visits} renderLink={pageLink}>
          <Trans>Open the register</Trans>
        </ButtonLink>
      }
    >
      {isError && <Trans>The register cannot be read at the moment.</Trans>}
      {!data && !isError && <Skeleton width="60%" />}
      {data && latest.length === 0 && <Trans>No visit recorded yet</Trans>}
      <div className="stack">
        {latest.slice(0, 3).map((visit) => (
          <div key={visit.id} className="row">
            <span className="grow">
              <strong>{visit.data.student}</strong>{' '}
              <span className="muted">
                {visit.data.school}, <DateText iso={visit.data.date} />
              </span>
            </span>
            <OutcomePill outcome={visit.data.outcome} />
          </div>
        ))}
      </div>
    </Card>
  )
}
