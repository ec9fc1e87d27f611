import { useLingui } from '@lingui/react/macro'
import { queryOf } from '@portal/client/query'
import { ListPage } from '@portal/screens/ListPage'
import { lazy } from '@portal/screens/lazy'
import { failureOf } from '@portal/screens/problemText'
import { useHost, useQuery } from '@portal/sdk'
import { Card } from '@portal/ui/Card'
import { Table } from '@portal/ui/Table'
import { kitchens } from '../meals.ts'

const KitchenMap = lazy(() => import('./KitchenMap.tsx'), 'KitchenMap')

/** The kitchens of the team's own server: where they are, and what they have in stock. */
export default function KitchensPage() {
  const { t } = useLingui()
  const { client } = useHost()
  const { data, error, refetch } = useQuery(queryOf(client, kitchens, {}))
  return (
    <ListPage title={t`Kitchens`} description={t`Where meals are cooked, and the food in stock.`}>
      <Card>
        <div className="map-place">{data && <KitchenMap kitchens={data.kitchens} />}</div>
      </Card>
      <Card>
        <Table
          label={t`Kitchens`}
          columns={[
            { key: 'school', header: t`School`, cell: ({ school }) => <strong>{school}</strong> },
            { key: 'stock', header: t`Stock`, cell: ({ stock }) => t`${stock} kg` },
          ]}
          rows={data?.kitchens}
          rowKey={({ id }) => id}
          empty={t`No kitchen yet`}
          failure={data ? null : failureOf(error, refetch)}
        />
      </Card>
    </ListPage>
  )
}
