import * as v from 'valibot'
import { endpoint } from '../endpoint.ts'
import { done } from '../fields.ts'

/** How many steps a person's first day has at most; those of the lowest order stay. */
export const mostSteps = 5

const Words = v.object({ en: v.string(), fr: v.string() })

/** What a new person does or looks at first, as a module's manifest or the portal itself declares it (Messages 6.2). */
export const FirstDayStep = v.object({
  /** Module and step, `mfe-cases/open`; `portal/codes` is one of the portal's own. */
  id: v.string(),
  title: Words,
  text: Words,
  /** The screen where it is done. */
  link: v.string(),
  done: v.boolean(),
  /** An act of the person marks it. Otherwise opening the screen does, which the browser says. */
  by_act: v.boolean(),
})
export type FirstDayStep = v.InferOutput<typeof FirstDayStep>

export const FirstDay = v.object({
  /** Home shows it: it has begun, or was asked for on the profile, and the person has not left it. */
  shown: v.boolean(),
  /** In their order, only those that the person has the permission for. */
  steps: v.array(FirstDayStep),
})
export type FirstDay = v.InferOutput<typeof FirstDay>

export const firstDay = {
  read: endpoint({ method: 'GET', path: '/first-day', access: 'session', answer: FirstDay }),
  /** Leaves it, or brings it back with the steps that were done. */
  show: endpoint({
    method: 'PUT',
    path: '/first-day',
    access: 'session',
    body: v.object({ shown: v.boolean('boolean') }),
    answer: v.object({ message: v.string(), shown: v.boolean() }),
  }),
  /**
   * Notes that the screen of a step was opened. A step that is done by an act, or that the person does not have: 422 with
   * `step`. Without a first day: 409.
   */
  open: endpoint({
    method: 'POST',
    path: '/first-day/steps',
    access: 'session',
    body: v.object({ step: v.pipe(v.string('required'), v.maxLength(100, 'too_long|100')) }),
    answer: done,
  }),
}
