import { addressLimit, correctionsLimit, formLimits } from '@portal/contracts/limits'
import { eventCharacters } from '@portal/contracts/module-events'
import { itemKinds } from '@portal/sdk/extensions'
import * as v from 'valibot'
import { ownPath } from '../../session/own-path.ts'

/** What the portal and the frame of an isolated module say to each other, over one `MessagePort`. Each side checks what it gets. */

const text = (length: number) => v.pipe(v.string(), v.maxLength(length))
const id = v.pipe(v.number(), v.integer(), v.minValue(1))
/** An address inside of the portal. */
const address = (length: number) => v.pipe(text(length), v.regex(ownPath))

/** Characters of a page's address. Servers take no longer ones. */
export const placeLimit = 16_000

type Fields = [string, string | Blob][]
const sizeOf = (value: string | Blob) => (typeof value === 'string' ? value.length : value.size)

/** Whether the server would read a form. */
export function isWithinLimits(fields: Fields): boolean {
  const files = fields.filter(([, value]) => typeof value !== 'string').length
  if (files > formLimits.files || fields.length - files > formLimits.fields) return false
  return fields.reduce((size, [, value]) => size + sizeOf(value), 0) <= formLimits.octets
}

const Form = v.pipe(
  v.array(v.tuple([v.string(), v.union([v.instance(Blob), v.string()])])),
  v.check(isWithinLimits),
)
/** A JSON body. Its limit is the largest of all calls, because only the server knows the limit of each call. */
const Json = text(correctionsLimit)

/** Whether an event is within its limit. What is no JSON is not. */
export function isCarried(payload: Record<string, unknown>): boolean {
  try {
    return JSON.stringify(payload).length <= eventCharacters
  } catch {
    return false
  }
}

/** What an event carries. */
const Payload = v.record(v.string(), v.unknown())

/** What files may be called that the portal saves for a module. */
export const FileName = v.pipe(
  text(120),
  v.regex(/^[^/\\\p{C}]+\.(xlsx|xls|csv|pdf|zip|png|jpe?g|webp|txt|json)$/iu),
)

/**
 * What of a module a frame draws. A new kind is one more entry here, its drawing in `inside/parts.tsx`, and a `PartFrame`
 * where the portal shows it. What the part is about, such as a school's id, is a field of its kind.
 */
export const Part = v.variant('kind', [
  /** The page at the portal's address; the frame follows it. */
  v.object({ kind: v.literal('page') }),
  /** A card of the home page. */
  v.object({ kind: v.literal('card'), id: text(60) }),
  /** A tab on the page of a school, a student or a case, and what it is told of that. */
  v.object({
    kind: v.literal('tab'),
    on: v.picklist(itemKinds),
    id: text(60),
    item: v.record(v.string(), v.union([v.string(), v.number()])),
  }),
])
export type Part = v.InferOutput<typeof Part>

export const FromFrame = v.variant('kind', [
  v.object({ kind: v.literal('ready') }),
  v.object({ kind: v.literal('alive') }),
  /** Something is to be seen; until then the portal shows a skeleton. */
  v.object({ kind: v.literal('drawn') }),
  /** The heading of its page. */
  v.object({ kind: v.literal('title'), text: text(200) }),
  /** The height of what it draws, for all parts but pages. */
  v.object({ kind: v.literal('size'), height: v.pipe(v.number(), v.integer(), v.minValue(0)) }),
  /** Whether a dialog covers it. */
  v.object({ kind: v.literal('dialog'), open: v.boolean() }),
  /** A key that nothing in the frame has used: a shortcut of the portal, perhaps. */
  v.object({ kind: v.literal('key'), key: text(1), ctrl: v.boolean(), meta: v.boolean() }),
  v.object({
    kind: v.literal('call'),
    id,
    method: v.picklist(['GET', 'POST', 'PUT', 'DELETE']),
    /** Below the base of the calls, with its query. */
    path: address(addressLimit),
    body: v.nullable(v.union([Json, v.object({ form: Form })])),
    poll: v.boolean(),
    /** Whether it wants to be told how much of its files is sent. */
    progress: v.optional(v.boolean(), false),
    etag: v.nullable(text(200)),
  }),
  v.object({
    kind: v.literal('say'),
    tone: v.picklist(['good', 'bad', 'info']),
    title: text(300),
    detail: v.optional(text(600)),
    reference: v.optional(text(40)),
  }),
  /** Leaves a call alone whose answer nobody waits for. Sent only to a portal that says that it `aborts`. */
  v.object({ kind: v.literal('abort'), id }),
  /** Leads the portal on. `step` counts them; older frames do not. */
  v.object({ kind: v.literal('go'), to: address(placeLimit), replace: v.boolean(), step: v.optional(id) }),
  v.object({ kind: v.literal('dirty'), dirty: v.boolean() }),
  /** A module under development cannot take a change in place. */
  v.object({ kind: v.literal('outdated') }),
  /** An event for other modules. The portal checks it as one of a module in its page. */
  v.object({
    kind: v.literal('publish'),
    id,
    event: text(100),
    payload: v.pipe(Payload, v.check(isCarried)),
  }),
  /** Saves the file that a call has answered. */
  v.object({ kind: v.literal('save'), id, name: FileName }),
])
export type FromFrame = v.InferOutput<typeof FromFrame>

const width = v.pipe(v.number(), v.minValue(0))
const Locale = v.picklist(['en', 'fr'])
const Theme = v.picklist(['light', 'dark', 'system'])

/** The session in the form of `GET /session`. */
const SessionOfPerson = v.looseObject({ locale: Locale, permissions: v.array(v.string()) })

export const FromPortal = v.variant('kind', [
  v.object({
    kind: v.literal('start'),
    session: SessionOfPerson,
    locale: Locale,
    theme: Theme,
    place: address(placeLimit),
    part: Part,
    /** The width of the portal's window, which styles ask for. */
    width,
    /** Whether it ends calls that the frame leaves alone. An older portal would give the frame up for that message. */
    aborts: v.optional(v.boolean(), false),
  }),
  /** The session has changed: other permissions, another name. */
  v.object({ kind: v.literal('session'), session: SessionOfPerson }),
  v.object({ kind: v.literal('width'), width }),
  /** `step` is the frame's last one that the portal has heard of. A frame that is further ahead does not go back. */
  v.object({ kind: v.literal('place'), place: address(placeLimit), step: v.optional(v.number()) }),
  v.object({ kind: v.literal('look'), locale: Locale, theme: Theme }),
  v.object({
    kind: v.literal('answer'),
    id,
    /** 0: no answer came. */
    status: v.number(),
    etag: v.nullable(v.string()),
    /** A text, or a file. */
    body: v.union([v.string(), v.instance(Blob)]),
    disposition: v.nullable(v.string()),
  }),
  /** The share of a call's files that is sent, 0 to 1. */
  v.object({ kind: v.literal('progress'), id, share: v.number() }),
  /** What became of an event that the frame has published. */
  v.object({ kind: v.literal('published'), id, refusal: v.nullable(v.string()) }),
  /** An event that the module hears. */
  v.object({ kind: v.literal('event'), event: v.string(), payload: Payload }),
  /** The module is being developed, and this is served of it now. */
  v.object({ kind: v.literal('served'), build: v.string(), hash: v.string() }),
  v.object({ kind: v.literal('ping') }),
])
export type FromPortal = v.InferOutput<typeof FromPortal>

/**
 * Why a frame was given up: its page or its program did not come, it does not answer, it says what nobody understands, or it
 * says too much.
 */
export type FrameFault = 'unreachable' | 'silent' | 'strange' | 'noisy'
