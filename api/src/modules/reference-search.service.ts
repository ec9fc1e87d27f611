import type { AnswerOf, QueryOf } from '@portal/contracts/endpoint'
import type { moduleRecords, Referable } from '@portal/contracts/module-records'
import { sql } from 'kysely'
import { auditSearch } from '../kit/audit/reads.ts'
import { type Db, searchRows } from '../kit/database/db.ts'
import { matches } from '../kit/database/paging.ts'
import { forbidden, notFound } from '../kit/http/refusals.ts'
import type { Actor } from '../kit/http/session.ts'
import { say } from './messages.ts'
import { seen } from './references.service.ts'
import type { Declared } from './shelves.ts'

type Call = typeof moduleRecords.references

/** As many as a person tells apart at a glance; another word narrows them. */
const foundAtMost = 10

/** Girls and cases: who looks for them by name is in the log, as in their lists (Access 6.8). */
const isPersonal = (to: string) => to === 'student' || to === 'case'

/**
 * The things that a field of type reference may lead to, by words of their names and codes, or the one with this id. They are
 * what the person sees in the portal's own lists, so a module learns nothing here that its reader could not look up. Throws 404
 * for a field that is no reference, and 403 for whoever sees nothing of its kind.
 */
export async function findReferences(
  db: Db,
  actor: Actor,
  { fields = [] }: Declared,
  field: string,
  { search, id }: QueryOf<Call>,
): Promise<AnswerOf<Call>> {
  const to = fields.find(({ name }) => name === field)?.to
  if (!to) throw notFound()
  const things = seen[to](actor)
  if (!things) throw forbidden(say.referencesUnseen(to))
  const words = matches(sql`t.search`, search)
  // Girls are found by what somebody knows of them, and not leafed through.
  if (!id && !words && to === 'student') return { things: [], more: false }
  const found = await searchRows(
    db,
    sql<Referable>`select t.id, t.code, t.name, t.place from (${things}) t
      where ${id ? sql`t.id = ${id}` : words || sql`true`}
      order by t.sorted collate "fr-x-icu", t.id limit ${foundAtMost + 1}`,
  )
  const shown = found.slice(0, foundAtMost)
  if (words && !id && isPersonal(to))
    await auditSearch(db, actor, to, search, { data: shown, total: shown.length })
  return { things: shown, more: found.length > foundAtMost }
}
