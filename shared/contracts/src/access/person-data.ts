import * as v from 'valibot'
import { endpoint } from '../endpoint.ts'
import { done, instant, oneOf, PersonName, page, pageQuery, required, version } from '../fields.ts'

/** What a person is to the programme, where her data are looked for. */
export const personKinds = ['student', 'guardian', 'teacher', 'user', 'expert'] as const
export type PersonKind = (typeof personKinds)[number]

/** What is written for those who read the log later. */
const reason = v.pipe(required, v.maxLength(500, 'too_long|500'))
/** Numbers of cases. */
const caseNumbers = v.pipe(
  v.array(v.pipe(v.string('invalid'), v.maxLength(50, 'too_long|50')), 'invalid'),
  v.maxLength(100, 'invalid'),
)

/** What the portal knows of a person, part by part, and what an erasure leaves of it. */
const Part = v.object({ what: v.string(), stays: v.array(v.string()) })

/** What a request to erase went through; `stopped` if something stood against it when it was to be carried out. */
export const erasureStates = ['asked', 'approved', 'refused', 'withdrawn', 'erased', 'stopped'] as const
export type ErasureState = (typeof erasureStates)[number]

const Who = v.object({ id: v.number(), ...PersonName.entries })

/** A request of one person to erase another, which a third person decides. */
export const Erasure = v.object({
  id: v.number(),
  kind: v.picklist(personKinds),
  record_id: v.number(),
  /** Null once the person is erased. */
  name: v.nullable(v.string()),
  state: v.picklist(erasureStates),
  reason: v.string(),
  stop_paying: v.boolean(),
  cases: v.array(v.string()),
  other_cases: v.array(v.string()),
  asked_by: Who,
  created_at: instant,
  decided_by: v.nullable(Who),
  decided_at: v.nullable(instant),
  /** Approved more than two days ago, and not carried out. */
  overdue: v.boolean(),
  decision: v.nullable(v.string()),
  /** What stood against it when it was to be carried out. */
  bars: v.array(v.string()),
  version: v.number(),
})
export type Erasure = v.InferOutput<typeof Erasure>

export const PersonData = v.object({
  kind: v.picklist(personKinds),
  id: v.number(),
  name: v.string(),
  /** Cases whose texts name her, or somebody of the same name. */
  naming: v.array(v.string()),
  parts: v.array(Part),
  /** What has to end before she can be erased, and the rounds to come that would not be paid. */
  bars: v.array(v.string()),
  rounds: v.array(v.string()),
})
export type PersonData = v.InferOutput<typeof PersonData>

/** The calls on the data of one person, who is named by her kind and the number of her record. */
export const personData = {
  read: endpoint({
    method: 'GET',
    path: '/admin/people/:kind/:id',
    access: ['people.export', 'people.erase'],
    /** Once erased, she is known by her latest request only. */
    answer: v.object({ person: v.nullable(PersonData), erasure: v.nullable(Erasure) }),
  }),
  /** Everything about her, with these cases, as an archive; answers 202 with the file's name. */
  export: endpoint({
    method: 'POST',
    path: '/admin/people/:kind/:id/export',
    access: 'people.export',
    fresh: true,
    body: v.object({ reason, cases: v.optional(caseNumbers, []) }),
    answer: v.object({ message: v.string(), file_name: v.string() }),
  }),
  /** Asks that she be erased. Nothing happens until another person approves it. */
  askErasure: endpoint({
    method: 'POST',
    path: '/admin/people/:kind/:id/erasures',
    access: 'people.erase',
    fresh: true,
    body: v.object({
      reason,
      stop_paying: v.optional(v.boolean(), false),
      cases: v.optional(caseNumbers, []),
      other_cases: v.optional(caseNumbers, []),
    }),
    answer: done,
  }),
  erasures: endpoint({
    method: 'GET',
    path: '/admin/erasures',
    access: 'people.erase',
    query: pageQuery(['created_at'], { state: v.optional(oneOf(...erasureStates)) }),
    answer: v.object({ erasures: page(Erasure) }),
  }),
  decideErasure: endpoint({
    method: 'POST',
    path: '/admin/erasures/:id/decision',
    access: 'people.erase',
    fresh: true,
    body: v.object({ action: oneOf('approved', 'refused'), reason, version }),
    answer: done,
  }),
  /** Only whoever asked can take a request back. */
  withdrawErasure: endpoint({
    method: 'POST',
    path: '/admin/erasures/:id/withdraw',
    access: 'people.erase',
    fresh: true,
    body: v.object({ version }),
    answer: done,
  }),
}
