import { Plural, Trans } from '@lingui/react/macro'
import { queryOf } from '@portal/client/query'
import { cases } from '@portal/contracts/cases'
import { pageLink } from '@portal/screens/ListPage'
import { failureOf } from '@portal/screens/problemText'
import { useHost, useQuery, useSession } from '@portal/sdk'
import { Skeleton } from '@portal/ui/Blank'
import { ButtonLink } from '@portal/ui/Button'
import { DateText } from '@portal/ui/Money'
import { Flags } from '@portal/ui/Notice'
import { StatusPill } from '@portal/ui/StatusPill'
import { Failed } from '@portal/ui/Table'
import { Link } from 'react-router-dom'
import { paths } from '../paths.ts'

/** On the home page: the cases that wait for this reviewer, what is late first. */
export default function OpenCasesCard() {
  const { client } = useHost()
  const reviewer = useSession().user.id
  const mine = { reviewer, due: 'undecided', sort: 'due_on', per_page: 3 } as const
  const open = useQuery(queryOf(client, cases.list, { query: mine }))
  const overdueCases = useQuery(
    queryOf(client, cases.list, { query: { reviewer, due: 'overdue', per_page: 1 } }),
  )
  const failure = failureOf(open.error, () => void open.refetch())
  if (!open.data)
    return failure ? (
      <Failed {...failure} />
    ) : (
      <div className="card-body stack" aria-busy="true">
        <Skeleton width="60%" />
        <Skeleton width="72%" />
      </div>
    )
  const { data, total } = open.data.complains
  const overdue = overdueCases.data?.complains.total ?? 0
  return (
    <>
      <div className="card-body">
        {total === 0 ? (
          <Trans>No case waits for you.</Trans>
        ) : (
          <Plural
            value={total}
            one="# case waits for your decision."
            other="# cases wait for your decision."
          />
        )}{' '}
        {overdue > 0 && (
          <StatusPill tone="bad" icon="clock">
            <Plural value={overdue} one="# overdue" other="# overdue" />
          </StatusPill>
        )}
      </div>
      {data.length > 0 && (
        <Flags
          flags={data.map((item) => ({
            key: item.number,
            tone: item.overdue ? 'bad' : 'info',
            icon: item.overdue ? 'alert' : 'folder',
            title: <Link to={paths.details(item.id)}>{item.title}</Link>,
            text: (
              <Trans>
                {item.number}, due <DateText iso={item.due_on} />
              </Trans>
            ),
          }))}
        />
      )}
      <div className="card-foot">
        <ButtonLink
          small
          href={`${paths.cases}?reviewer=${reviewer}&due=undecided&sort=due_on`}
          renderLink={pageLink}
        >
          <Trans>All my open cases</Trans>
        </ButtonLink>
      </div>
    </>
  )
}
