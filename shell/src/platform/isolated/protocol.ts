import * as v from 'valibot'

/** What the portal and the frame of an isolated module say to each other, over one `MessagePort`. Each side checks what it gets. */

const text = (length: number) => v.pipe(v.string(), v.maxLength(length))
const id = v.pipe(v.number(), v.integer(), v.minValue(1))
/** An address inside of the portal: one slash, and no other host. */
const address = v.pipe(text(2000), v.regex(/^\/(?![/\\])/))

/** The largest body of a call: the portal's own limit for JSON. */
export const bodyLimit = 64 * 1024

export const FromFrame = v.variant('kind', [
  v.object({ kind: v.literal('ready') }),
  v.object({ kind: v.literal('alive') }),
  v.object({
    kind: v.literal('call'),
    id,
    method: v.picklist(['GET', 'POST', 'PUT', 'DELETE']),
    /** Below the base of the calls, with its query. */
    path: address,
    body: v.nullable(text(bodyLimit)),
    poll: v.boolean(),
    etag: v.nullable(text(200)),
  }),
  v.object({
    kind: v.literal('say'),
    tone: v.picklist(['good', 'bad', 'info']),
    title: text(300),
    detail: v.optional(text(600)),
    reference: v.optional(text(40)),
  }),
  v.object({ kind: v.literal('go'), to: address, replace: v.boolean() }),
  v.object({ kind: v.literal('dirty'), dirty: v.boolean() }),
])
export type FromFrame = v.InferOutput<typeof FromFrame>

const Locale = v.picklist(['en', 'fr'])
const Theme = v.picklist(['light', 'dark', 'system'])

export const FromPortal = v.variant('kind', [
  v.object({
    kind: v.literal('start'),
    /** The session in the form of `GET /session`. */
    session: v.looseObject({ locale: Locale, permissions: v.array(v.string()) }),
    locale: Locale,
    theme: Theme,
    place: address,
  }),
  v.object({ kind: v.literal('place'), place: address }),
  v.object({ kind: v.literal('look'), locale: Locale, theme: Theme }),
  v.object({
    kind: v.literal('answer'),
    id,
    /** 0: no answer came. */
    status: v.number(),
    etag: v.nullable(v.string()),
    body: v.string(),
  }),
  v.object({ kind: v.literal('ping') }),
])
export type FromPortal = v.InferOutput<typeof FromPortal>

/** The message that brings the port to the frame. Whoever frames the page is the portal: the page's policy says so. */
export const portMessage = 'portal:port'
