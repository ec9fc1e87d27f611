import { type Adapter, type Json, momentOf, objectOf, textOf } from './adapter.ts'
import { type Answer, reportOf } from './answers.ts'

/**
 * Reads the JSON of CommCare HQ's data forwarding: questions are nested by group under `form`, beside `meta` and
 * `case`.
 */
export const commcare: Adapter = {
  fits: (body) => typeof body.form === 'object' && body.form !== null,
  messages(body, received) {
    const form = objectOf(body.form)
    const meta = objectOf(form.meta)
    const created_at = momentOf(meta.timeEnd ?? body.received_on, received)
    const instance = textOf(meta.instanceID) ?? textOf(body.id)
    const report = reportOf(answersOf(form, []), created_at.slice(0, 10), {
      reported_by: textOf(meta.username),
      channel: 'commcare',
    })
    return [
      { ...(instance && { id: `commcare:${instance}` }), entity_type: 'attendance', created_at, ...report },
    ]
  },
}

const ownFacts = /^(?:[@#]|meta$|case$)/
const deepest = 8

function answersOf(group: Json, path: string[]): Answer[] {
  return Object.entries(group)
    .filter(([key]) => !ownFacts.test(key))
    .flatMap(([key, value]) => {
      const inner = objectOf(value)
      if (Object.keys(inner).length === 0 || path.length >= deepest) return [{ path: [...path, key], value }]
      return answersOf(inner, [...path, key])
    })
}
