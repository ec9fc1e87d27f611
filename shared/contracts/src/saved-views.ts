import * as v from 'valibot'
import { endpoint } from './endpoint.ts'
import { done, version } from './fields.ts'

/** How many views a person keeps of one list. */
export const mostViews = 30

/** A list is known by the address of its page, with `:id` where a number stands. */
const list = v.pipe(
  v.string('required'),
  v.maxLength(200, 'too_long|200'),
  v.regex(/^(\/[a-z0-9:_-]+)+$/, 'invalid'),
)

/** What stands after the question mark of a list; never an address, and never a page number. */
const query = v.pipe(
  v.string('required'),
  v.maxLength(1000, 'too_long|1000'),
  v.check(
    (text) => text === `${new URLSearchParams(text)}` && !new URLSearchParams(text).has('page'),
    'invalid',
  ),
)
const viewName = v.pipe(
  v.string('required'),
  v.trim(),
  v.nonEmpty('required'),
  v.maxLength(60, 'too_long|60'),
)

/** What a person filtered, sorted and searched in a list, under her own name for it (Calls 3.4). */
export const SavedView = v.object({
  id: v.number(),
  list: v.string(),
  name: v.string(),
  query: v.string(),
  version: v.number(),
})
export type SavedView = v.InferOutput<typeof SavedView>

export const SavedViewCreate = v.object({ list, name: viewName, query })
export type SavedViewCreate = v.InferOutput<typeof SavedViewCreate>
export const SavedViewEdit = v.object({ name: viewName, query, version })
export type SavedViewEdit = v.InferOutput<typeof SavedViewEdit>

const saved = v.object({ message: v.string(), view: SavedView })

export const savedViews = {
  /** My own, by name: of one list, or of all. */
  list: endpoint({
    method: 'GET',
    path: '/views',
    access: 'session',
    query: v.object({ list: v.optional(list) }),
    answer: v.object({ views: v.array(SavedView) }),
  }),
  /** A name that the list has already: 422 with `name`. More than `mostViews`: 409. */
  create: endpoint({
    method: 'POST',
    path: '/views',
    access: 'session',
    body: SavedViewCreate,
    answer: saved,
  }),
  update: endpoint({
    method: 'PUT',
    path: '/views/:id',
    access: 'session',
    body: SavedViewEdit,
    answer: saved,
  }),
  /** If it was the start page, home is. */
  remove: endpoint({ method: 'DELETE', path: '/views/:id', access: 'session', answer: done }),
}
