import * as v from 'valibot'
import { endpoint } from './endpoint.ts'
import { id } from './fields.ts'
import type { Permission } from './permissions.ts'

const answer = v.object({
  message: v.string(),
  /** How many people have a new line in their bell. */
  people: v.number(),
})

/**
 * Tells people of a record, by a notice that the module's manifest declares. Whoever may write the record may send it; a
 * team's server may with its token. The same version of a record is told once to each person. 429 when the module has told
 * as many people today as it may.
 */
export const moduleNotices = {
  send: endpoint({
    method: 'POST',
    path: '/modules/:module/notices',
    access: 'session',
    body: v.object({
      notice: v.pipe(v.string('choose'), v.maxLength(40, 'too_long|40')),
      record: id,
    }),
    answer,
  }),
}

/**
 * The call that tells people of a record: `noticesOf('mfe-health', ['referred'], { send: 'health.record' })`. Module and
 * notices are those of its manifest, and `send` is who may write their collection; the server goes by that.
 */
export function noticesOf<const Module extends string, const Notice extends string>(
  module: Module,
  notices: readonly Notice[],
  { send }: { send: Permission | readonly Permission[] },
) {
  return {
    send: endpoint({
      method: 'POST',
      path: `/modules/${module}/notices` as const,
      access: send,
      body: v.object({ notice: v.picklist(notices, 'choose'), record: id }),
      answer,
    }),
  }
}
