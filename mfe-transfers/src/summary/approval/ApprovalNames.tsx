import { Plural, Trans, useLingui } from '@lingui/react/macro'
import { queryOf } from '@portal/client/query'
import type { CohortSummary } from '@portal/contracts/transfers/cohorts'
import { nameChecks } from '@portal/contracts/transfers/name-checks'
import type { NameState } from '@portal/contracts/transfers/name-outcomes'
import { formatDate } from '@portal/i18n/format'
import { problemText } from '@portal/screens/problemText'
import { useHost, useQuery } from '@portal/sdk'
import { Skeleton } from '@portal/ui/Blank'
import { Failed } from '@portal/ui/Table'
import { Link } from 'react-router-dom'
import { paths } from '../../paths.ts'
import './words.ts'

/** What the agency said of the names of the list, and the way to the rows and to another check. */
export function ApprovalNames({ cohort: { id } }: { cohort: CohortSummary }) {
  const { t } = useLingui()
  const { client } = useHost()
  const read = useQuery(queryOf(client, nameChecks.read, { params: { id } }))
  const found = read.data
  const count = (...states: NameState[]) =>
    (found?.counts ?? []).reduce((sum, each) => sum + (states.includes(each.state) ? each.count : 0), 0)
  const [doubtful, near, unchecked] = [count('different', 'not_found'), count('near'), count('unchecked')]
  const when = found?.answered_at ? formatDate(found.answered_at) : null
  return (
    <section className="stack close" aria-label={t`Names at the agency`}>
      <h3>
        <Trans>Names at the agency</Trans>
      </h3>
      {read.error && <Failed title={problemText(read.error)} onRetry={() => void read.refetch()} />}
      {!found && !read.error && (
        <div aria-busy="true">
          <Skeleton width="72%" />
        </div>
      )}
      {found?.barred && <p className="muted">{found.barred}</p>}
      {found && !found.barred && !when && (
        <p className="muted">
          <Trans>Nobody has asked the agency whose numbers these are.</Trans>
        </p>
      )}
      {found && when && (
        <p>
          <Plural value={doubtful} one="# name differs" other="# names differ" />
          {' · '}
          <Plural value={near} one="# is nearly the same" other="# are nearly the same" />
          {' · '}
          <Plural value={unchecked} one="# is not checked" other="# are not checked" />
          {' · '}
          <Trans>last answer on {when}</Trans>
        </p>
      )}
      {found && (when || !found.barred) && (
        <p>
          <Link to={paths.names(id)}>
            {when ? <Trans>See every name</Trans> : <Trans>Check the names</Trans>}
          </Link>
        </p>
      )}
    </section>
  )
}
