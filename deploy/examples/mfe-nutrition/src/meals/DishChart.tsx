import { useLingui } from '@lingui/react/macro'
import { queryOf } from '@portal/client/query'
import { failureOf } from '@portal/screens/problemText'
import { useHost, useQuery } from '@portal/sdk'
import { Card } from '@portal/ui/Card'
import { Failed } from '@portal/ui/Table'
import { Bar, BarChart, ResponsiveContainer, XAxis, YAxis } from 'recharts'
import { dishes, meals } from '../meals.ts'
import { useDishNames } from './dishes.tsx'

/** Girls fed, by dish. */
export function DishChart() {
  const { t } = useLingui()
  const { client } = useHost()
  const names = useDishNames()
  const { data, error, refetch } = useQuery(queryOf(client, meals.totals, { query: { total: 'by-dish' } }))
  const failure = data ? null : failureOf(error, refetch)
  const fed = dishes.map((dish) => ({
    name: names[dish],
    girls: data?.totals.groups.find(({ value }) => value === dish)?.sum ?? 0,
  }))
  const read = fed.map(({ name, girls }) => `${name}: ${girls}`).join(', ')
  return (
    <Card title={t`Girls fed by dish`} padded>
      {failure && <Failed {...failure} />}
      <div className="chart" role="img" aria-label={read}>
        <ResponsiveContainer width="100%" height={180}>
          <BarChart data={fed} accessibilityLayer={false}>
            <XAxis dataKey="name" stroke="currentColor" />
            <YAxis allowDecimals={false} stroke="currentColor" width={48} />
            <Bar dataKey="girls" fill="var(--accent)" isAnimationActive={false} />
          </BarChart>
        </ResponsiveContainer>
      </div>
    </Card>
  )
}
