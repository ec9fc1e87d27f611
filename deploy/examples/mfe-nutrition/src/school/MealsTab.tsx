import { useLingui } from '@lingui/react/macro'
import { queryOf } from '@portal/client/query'
import { failureOf } from '@portal/screens/problemText'
import { RecordPicture } from '@portal/screens/RecordPicture'
import { type TabProps, useHost, useQuery } from '@portal/sdk'
import { Card } from '@portal/ui/Card'
import { DateText } from '@portal/ui/Money'
import { Table } from '@portal/ui/Table'
import { useDishNames } from '../meals/dishes.tsx'
import { meals } from '../meals.ts'

/** The tab on the page of a school: its latest meals. */
export default function MealsTab({ id }: TabProps<'school'>) {
  const { t } = useLingui()
  const { client } = useHost()
  const names = useDishNames()
  const query = { school: String(id), sort: '-date', per_page: 50 } as const
  const { data, error, refetch } = useQuery(queryOf(client, meals.list, { query }))
  return (
    <Card>
      <Table
        label={t`Meals at this school`}
        columns={[
          { key: 'date', header: t`Date`, cell: ({ data }) => <DateText iso={data.date} /> },
          { key: 'dish', header: t`Dish`, cell: ({ data }) => names[data.dish] },
          { key: 'girls', header: t`Girls fed`, align: 'right', cell: ({ data }) => data.girls },
          {
            key: 'photo',
            header: t`Photograph`,
            cell: ({ data }) => <RecordPicture calls={meals} picture={data.photo} label={t`Photograph`} />,
          },
        ]}
        rows={data?.records.data}
        rowKey={({ id }) => id}
        empty={t`No meal at this school yet`}
        failure={data ? null : failureOf(error, refetch)}
      />
    </Card>
  )
}
