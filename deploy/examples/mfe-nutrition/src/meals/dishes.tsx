import { useLingui } from '@lingui/react/macro'
import type { Dish } from '../meals.ts'
import beans from './beans.svg'
import millet from './millet.svg'
import rice from './rice.svg'

const pictures = { rice, millet, beans }

/** The names of dishes, in the language of the page. */
export function useDishNames(): Record<Dish, string> {
  const { t } = useLingui()
  return { rice: t`Rice`, millet: t`Millet`, beans: t`Beans` }
}

/** The picture of a dish. Its name stands beside it. */
export const DishPicture = ({ dish }: { dish: Dish }) => <img className="dish" src={pictures[dish]} alt="" />
