import * as v from 'valibot'
import { endpoint } from './endpoint.ts'
import { done, instant, page, pageQuery } from './fields.ts'
import { NoticePreferences } from './notices.ts'

/** What the portal tells a person, in the reader's language; `link` is a path of the portal. */
export const Notification = v.object({
  id: v.number(),
  text: v.string(),
  link: v.nullable(v.string()),
  created_at: instant,
  read_at: v.nullable(v.string()),
})
export type Notification = v.InferOutput<typeof Notification>

const titles = v.record(v.string(), v.object({ en: v.string(), fr: v.string() }))

export const notifications = {
  list: endpoint({
    method: 'GET',
    path: '/notifications',
    access: 'session',
    query: pageQuery([]),
    answer: v.object({ notifications: page(Notification), unread: v.number() }),
  }),
  /** All of one's own, at once. */
  markAll: endpoint({ method: 'PUT', path: '/notifications', access: 'session', answer: done }),
  mark: endpoint({
    method: 'PUT',
    path: '/notifications/:id',
    access: 'session',
    body: v.object({ read: v.optional(v.boolean('boolean'), true) }),
    answer: done,
  }),
  /** How notices reach the caller (Messages 4.5): only of the kinds that can, by the caller's permissions. */
  preferences: endpoint({
    method: 'GET',
    path: '/notifications/preferences',
    access: 'session',
    /** `titles`: what the modules among them are called. */
    answer: v.object({ preferences: NoticePreferences, titles }),
  }),
  prefer: endpoint({
    method: 'PUT',
    path: '/notifications/preferences',
    access: 'session',
    body: NoticePreferences,
    answer: v.object({ message: v.string(), preferences: NoticePreferences, titles }),
  }),
}
