import { createHash } from 'node:crypto'
import { type Adapter, type Json, momentOf, objectOf, textOf } from './adapter.ts'
import { reportOf } from './answers.ts'

/**
 * Reads the 'Call Webhook' of a RapidPro or TextIt flow: `contact`, `flow` and `results`, and in older flows also `run`
 * and `input`. The uuid of the run identifies a repetition. Without a run the id consists of contact, flow, day and a
 * hash of the answers, because a head teacher goes through one flow for every class of the school.
 */
export const rapidpro: Adapter = {
  fits: (body) => 'results' in body && ('contact' in body || 'flow' in body),
  messages(body, received) {
    const contact = objectOf(body.contact)
    const flow = objectOf(body.flow)
    const run = objectOf(body.run)
    const results = Object.entries(objectOf(body.results))
    const created_at = momentOf(objectOf(body.input).created_on ?? run.created_on, received)
    const report = reportOf(
      results.map(([key, result]) => ({ path: [key], value: objectOf(result).value })),
      created_at.slice(0, 10),
      { reported_by: textOf(contact.urn)?.replace(/^\w+:/, ''), channel: 'rapidpro' },
    )
    const id = idOf(
      textOf(run.uuid),
      textOf(contact.uuid),
      textOf(flow.uuid),
      created_at.slice(0, 10),
      report.data ?? {},
    )
    return [{ ...(id && { id }), entity_type: 'attendance', created_at, ...report }]
  },
}

function idOf(
  run: string | undefined,
  contact: string | undefined,
  flow: string | undefined,
  day: string,
  data: Json,
): string | undefined {
  if (run) return `rapidpro:${run}`
  if (!contact || !flow) return undefined
  const answered = createHash('sha256').update(JSON.stringify(data)).digest('hex').slice(0, 16)
  return `rapidpro:${contact}:${flow}:${day}:${answered}`
}
