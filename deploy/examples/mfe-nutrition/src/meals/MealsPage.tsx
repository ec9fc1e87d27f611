import { Trans, useLingui } from '@lingui/react/macro'
import type { AnswerOf } from '@portal/contracts/endpoint'
import { type Column, DataTable } from '@portal/screens/DataTable'
import { ListPage } from '@portal/screens/ListPage'
import { lazy } from '@portal/screens/lazy'
import { useDialog } from '@portal/screens/useDialog'
import { useList } from '@portal/screens/useList'
import { useCan } from '@portal/sdk'
import { Button } from '@portal/ui/Button'
import { DateText } from '@portal/ui/Money'
import { meals } from '../meals.ts'
import { DishPicture, useDishNames } from './dishes.tsx'

const MealDialog = lazy(() => import('./MealDialog.tsx'), 'MealDialog')
const DishChart = lazy(() => import('./DishChart.tsx'), 'DishChart')

type MealRecord = AnswerOf<typeof meals.list>['records']['data'][number]

/** The meals at schools, and girls fed by dish. */
export default function MealsPage() {
  const { t } = useLingui()
  const can = useCan()
  const names = useDishNames()
  const list = useList(meals.list, 'records')
  const adding = useDialog()
  const columns: Column<MealRecord>[] = [
    { key: 'school', header: t`School`, sortable: true, cell: ({ data }) => <strong>{data.school}</strong> },
    { key: 'date', header: t`Date`, sortable: true, cell: ({ data }) => <DateText iso={data.date} /> },
    {
      key: 'dish',
      header: t`Dish`,
      cell: ({ data }) => (
        <span className="dish-choices">
          <DishPicture dish={data.dish} /> {names[data.dish]}
        </span>
      ),
    },
    { key: 'girls', header: t`Girls fed`, cell: ({ data }) => data.girls },
  ]
  const add = can('nutrition.write') && (
    <Button variant="primary" icon="plus" onClick={() => adding.open(true)}>
      <Trans>Record a meal</Trans>
    </Button>
  )
  return (
    <ListPage
      title={t`Meals`}
      description={t`What the kitchens cooked, and how many girls ate.`}
      actions={add}
    >
      <DishChart />
      <DataTable
        label={t`Meals`}
        list={list}
        columns={columns}
        empty={{ title: t`No meal yet`, action: add || undefined }}
        search={t`School`}
      />
      {adding.item && <MealDialog onClose={adding.close} />}
    </ListPage>
  )
}
