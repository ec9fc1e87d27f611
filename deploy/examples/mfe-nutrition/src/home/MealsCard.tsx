import { Plural, Trans } from '@lingui/react/macro'
import { queryOf } from '@portal/client/query'
import { pageLink } from '@portal/screens/ListPage'
import { failureOf } from '@portal/screens/problemText'
import { useHost, useQuery } from '@portal/sdk'
import { Skeleton } from '@portal/ui/Blank'
import { ButtonLink } from '@portal/ui/Button'
import { Failed } from '@portal/ui/Table'
import { meals } from '../meals.ts'
import { paths } from '../paths.ts'

/** The card of the home page: how many meals are recorded. */
export default function MealsCard() {
  const { client } = useHost()
  const { data, error, refetch } = useQuery(queryOf(client, meals.list, { query: { per_page: 10 } }))
  const failure = failureOf(error, refetch)
  if (!data)
    return failure ? (
      <Failed {...failure} />
    ) : (
      <div className="card-body">
        <Skeleton width="60%" />
      </div>
    )
  return (
    <>
      <div className="card-body">
        <Plural value={data.records.total} one="# meal recorded" other="# meals recorded" />
      </div>
      <div className="card-foot">
        <ButtonLink small href={paths.meals} renderLink={pageLink}>
          <Trans>Open meals</Trans>
        </ButtonLink>
      </div>
    </>
  )
}
