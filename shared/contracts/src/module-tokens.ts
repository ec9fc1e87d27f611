import * as v from 'valibot'
import { endpoint } from './endpoint.ts'
import { done, instant, name, PersonName, whole } from './fields.ts'

/** Collections of the module, each once. */
const collections = v.optional(
  v.pipe(
    v.array(v.pipe(v.string('choose'), v.maxLength(40, 'too_long|40')), 'choose'),
    v.maxLength(60, 'too_many_chosen|60'),
    v.transform((names) => [...new Set(names)]),
  ),
  [],
)

const Label = v.object({ en: v.string(), fr: v.string() })

/** A bearer token with which a team's server calls for the records of its module; shown once, when it is made. */
export const ModuleToken = v.object({
  id: v.number(),
  name: v.string(),
  /** Collections whose records it may read, and those in which it may also write. */
  read: v.array(v.string()),
  write: v.array(v.string()),
  created_at: instant,
  expires_at: instant,
  last_used_at: v.nullable(instant),
  revoked_at: v.nullable(instant),
  /** Who made it. */
  user: PersonName,
})
export type ModuleToken = v.InferOutput<typeof ModuleToken>

/** The form of a new token. */
export const ModuleTokenNew = v.object({
  name,
  read: collections,
  write: collections,
  /** It ends after so many days. */
  days: whole(1, 366),
})
export type ModuleTokenNew = v.InferOutput<typeof ModuleTokenNew>

/** Tokens of modules, for servers that call in (decision 141). Whoever has one acts as the server, and never as a person. */
export const moduleTokens = {
  list: endpoint({
    method: 'GET',
    path: '/admin/modules/:module/tokens',
    access: 'modules.manage',
    answer: v.object({
      tokens: v.array(ModuleToken),
      /** What a new one can be made for: collections of the live version. */
      collections: v.array(v.object({ name: v.string(), label: v.nullable(Label) })),
    }),
  }),
  create: endpoint({
    method: 'POST',
    path: '/admin/modules/:module/tokens',
    access: 'modules.manage',
    fresh: true,
    body: ModuleTokenNew,
    answer: v.object({ message: v.string(), id: v.number(), token: v.string() }),
  }),
  revoke: endpoint({
    method: 'DELETE',
    path: '/admin/modules/:module/tokens/:id',
    access: 'modules.manage',
    fresh: true,
    answer: done,
  }),
}
