import { Trans, useLingui } from '@lingui/react/macro'
import { queryOf } from '@portal/client/query'
import { pageLink } from '@portal/screens/ListPage'
import { failureOf } from '@portal/screens/problemText'
import { type TabProps, useHost, useQuery } from '@portal/sdk'
import { ButtonLink } from '@portal/ui/Button'
import { Card } from '@portal/ui/Card'
import { DateText } from '@portal/ui/Money'
import { Table } from '@portal/ui/Table'
import { OutcomePill } from '../OutcomePill.tsx'
import { paths } from '../paths.ts'
import { atSchool, visits } from '../visits.ts'
import { reasonName } from '../words.ts'

/** The tab on the page of a school: its latest visits. The portal draws the page around it. */
export default function VisitsTab({ name }: TabProps<'school'>) {
  const { t } = useLingui()
  const { client } = useHost()
  const query = { search: name, sort: '-created_at', per_page: 100 } as const
  const { data, error, refetch } = useQuery(queryOf(client, visits.list, { query }))
  return (
    <Card>
      <Table
        label={t`Visits at this school`}
        columns={[
          { key: 'student', header: t`Student`, cell: ({ data }) => <strong>{data.student}</strong> },
          { key: 'date', header: t`Date`, cell: ({ data }) => <DateText iso={data.date} /> },
          { key: 'reason', header: t`Reason`, cell: ({ data }) => reasonName(data.reason) },
          {
            key: 'outcome',
            header: t`Outcome`,
            phone: 'status',
            cell: ({ data }) => <OutcomePill outcome={data.outcome} />,
          },
        ]}
        rows={data && atSchool(data.records.data, name)}
        rowKey={({ id }) => id}
        empty={t`No visit recorded at this school yet`}
        failure={data ? null : failureOf(error, refetch)}
      />
      <div className="card-foot">
        <ButtonLink small href={paths.visits} renderLink={pageLink}>
          <Trans>Open the register</Trans>
        </ButtonLink>
      </div>
    </Card>
  )
}
