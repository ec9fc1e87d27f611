import * as v from 'valibot'
import { endpoint } from './endpoint.ts'
import { id, instant, oneOf, PersonName, whole } from './fields.ts'

const Words = v.object({ en: v.string(), fr: v.string() })

/** Who has a switch: as the module declares it, everybody, nobody, or people of some roles and a share of all. */
export const flagAudiences = ['declared', 'everybody', 'nobody', 'some'] as const
export type FlagAudience = (typeof flagAudiences)[number]

/** A switch of a module, and who has it. */
export const ModuleFlag = v.object({
  id: v.string(),
  title: Words,
  /** A sentence about what the switch changes. */
  text: Words,
  /** Whether people have it if no administrator has decided. */
  default: v.boolean(),
  who: oneOf(...flagAudiences),
  roles: v.array(v.number()),
  /** The share of people in percent. They are always the same people. */
  percent: v.number(),
  /** 0 while nobody has decided. */
  version: v.number(),
  changed: v.nullable(v.object({ at: instant, by: PersonName })),
})
export type ModuleFlag = v.InferOutput<typeof ModuleFlag>

/** The form of a decision. `roles` and `percent` count for `some` only, which needs one of them. */
export const FlagDecision = v.object({
  who: oneOf(...flagAudiences),
  roles: v.optional(v.pipe(v.array(id, 'choose'), v.maxLength(50, 'too_many_chosen|50')), []),
  percent: v.optional(whole(0, 99), 0),
  version: v.number('number'),
})
export type FlagDecision = v.InferOutput<typeof FlagDecision>

/** Switches that modules declare. Administrators decide who has them; it counts when a module is loaded the next time. */
export const moduleFlags = {
  list: endpoint({
    method: 'GET',
    path: '/admin/modules/:module/flags',
    access: 'modules.manage',
    /** `roles` are those of the portal, to choose from. */
    answer: v.object({
      flags: v.array(ModuleFlag),
      roles: v.array(v.object({ id: v.number(), name: v.string() })),
    }),
  }),
  decide: endpoint({
    method: 'PUT',
    path: '/admin/modules/:module/flags/:flag',
    access: 'modules.manage',
    body: FlagDecision,
    answer: v.object({ message: v.string(), flag: ModuleFlag }),
  }),
  /** The switches that the caller has. */
  own: endpoint({
    method: 'GET',
    path: '/modules/:module/flags',
    access: 'session',
    answer: v.object({ flags: v.record(v.string(), v.boolean()) }),
  }),
}

/**
 * Switches that a partner's module declares in its manifest; it adds them here, for its own compiler:
 * `declare module '@portal/contracts/module-flags' { interface ModuleFlags { 'short-form': true } }`.
 */
// biome-ignore lint/suspicious/noEmptyInterface: an interface is what others can add to.
export interface ModuleFlags {}
