import { useLingui } from '@lingui/react/macro'
import { FormDialog } from '@portal/screens/FormDialog'
import { PictureField } from '@portal/screens/PictureField'
import { ReferenceField } from '@portal/screens/ReferenceField'
import { useEndpointForm } from '@portal/screens/useEndpointForm'
import { DateField } from '@portal/ui/DateField'
import { NumberField } from '@portal/ui/NumberField'
import { dishes, meals, today } from '../meals.ts'
import { DishPicture, useDishNames } from './dishes.tsx'

/** Records a meal, with a photograph of it. Dishes are chosen by their pictures. */
export function MealDialog({ onClose }: { onClose: () => void }) {
  const { t } = useLingui()
  const names = useDishNames()
  const form = useEndpointForm(meals.create, {
    defaults: { data: { date: today(), dish: 'rice' } },
    refetches: [meals.list, meals.totals],
    onDone: onClose,
  })
  return (
    <FormDialog title={t`Record a meal`} form={form} onClose={onClose} submitLabel={t`Record`}>
      <ReferenceField
        control={form.control}
        name="data.school"
        label={t`School`}
        endpoint={meals.references}
        required
      />
      <div className="fields pair">
        <DateField control={form.control} name="data.date" label={t`Date`} required max={today()} />
        <NumberField control={form.control} name="data.girls" label={t`Girls fed`} required />
      </div>
      <div className="mfe-nutrition">
        <fieldset>
          <legend>{t`Dish`}</legend>
          <div className="dish-choices">
            {dishes.map((dish) => (
              <label key={dish}>
                <input type="radio" value={dish} {...form.control.register('data.dish')} />
                <DishPicture dish={dish} /> {names[dish]}
              </label>
            ))}
          </div>
        </fieldset>
      </div>
      <PictureField control={form.control} name="data.photo" label={t`Photograph`} calls={meals} />
    </FormDialog>
  )
}
