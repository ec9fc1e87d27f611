import { backendOf } from '@portal/contracts/backends'
import { day, oneOf } from '@portal/contracts/fields'
import { Picture } from '@portal/contracts/record-pictures'
import { recordsOf } from '@portal/contracts/records'
import * as v from 'valibot'

/** What the kitchens cook. */
export const dishes = ['rice', 'millet', 'beans'] as const
export type Dish = (typeof dishes)[number]

/** One meal at a school. The form validates with it, and the list reads it. */
export const Meal = v.object({
  /** The id of a school of the portal. */
  school: v.number('required'),
  date: day,
  dish: oneOf(...dishes),
  girls: v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(900)),
  photo: v.nullish(Picture),
})

const access = { read: 'nutrition.view', write: 'nutrition.write' } as const

/** The meals, which the portal stores. */
export const meals = recordsOf('mfe-nutrition', 'meals', Meal, {
  ...access,
  sort: ['date', 'girls'],
  filters: ['school', 'dish'],
  days: ['date'],
  totals: ['by-dish'],
})

const Kitchen = v.object({
  id: v.number(),
  school: v.string(),
  stock: v.number(),
  at: v.tuple([v.number(), v.number()]),
})

/** The kitchens, which the team's own server knows. */
export const kitchens = backendOf('mfe-nutrition', 'kitchens', access).get('/kitchens', {
  answer: v.object({ kitchens: v.array(Kitchen) }),
})

/** Today in UTC, which is the time of Mali and Senegal. */
export const today = () => new Date().toISOString().slice(0, 10)
