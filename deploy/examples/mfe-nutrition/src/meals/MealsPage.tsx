import { Trans, useLingui } from '@lingui/react/macro'
import type { AnswerOf } from '@portal/contracts/endpoint'
import { type Column, DataTable } from '@portal/screens/DataTable'
import { ListPage } from '@portal/screens/ListPage'
import { lazy } from '@portal/screens/lazy'
import { RecordPicture } from '@portal/screens/RecordPicture'
import { ReferenceFilter } from '@portal/screens/ReferenceFilter'
import { useDialog } from '@portal/screens/useDialog'
import { useList } from '@portal/screens/useList'
import { useCan } from '@portal/sdk'
import { Button } from '@portal/ui/Button'
import { DateText } from '@portal/ui/Money'
import { dishes, meals } from '../meals.ts'
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
    {
      key: 'school',
      header: t`School`,
      // No name for whoever may not see the school: the record holds its number alone.
      cell: ({ data, references }) => <strong>{references?.school?.name ?? t`No. ${data.school}`}</strong>,
    },
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
    { key: 'girls', header: t`Girls fed`, align: 'right', sortable: true, cell: ({ data }) => data.girls },
    {
      key: 'photo',
      header: t`Photograph`,
      cell: ({ data }) => <RecordPicture calls={meals} picture={data.photo} label={t`Photograph`} />,
    },
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
        search={
          <ReferenceFilter
            endpoint={meals.references}
            field="school"
            label={t`All schools`}
            value={list.view.filter('school')}
            onChange={(school) => list.show({ school })}
          />
        }
        filters={[
          { name: 'date_from', label: t`From`, as: 'day' },
          { name: 'date_to', label: t`To`, as: 'day' },
          { name: 'dish', label: t`Dish`, options: dishes.map((value) => ({ value, label: names[value] })) },
        ]}
      />
      {adding.item && <MealDialog onClose={adding.close} />}
    </ListPage>
  )
}
