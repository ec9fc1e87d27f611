import { type Adapter, momentOf, textOf } from './adapter.ts'
import { reportOf } from './answers.ts'

/**
 * Reads the JSON of a KoboToolbox REST service. It is flat: questions are `group/question`, and metadata of the form is
 * under `_…`, `meta/…` and `formhub/…`. KoboToolbox repeats a call after 60, 600 and 6,000 s with the same `_uuid`.
 */
export const kobotoolbox: Adapter = {
  fits: (body) => '_uuid' in body || '_xform_id_string' in body || 'meta/instanceID' in body,
  messages(body, received) {
    // `end` comes first, because a phone without a network submits the form long after it was filled in.
    const created_at = momentOf(body.end, momentOf(body._submission_time, received))
    const answers = Object.entries(body)
      .filter(([key]) => !/^(?:_|meta\/|formhub\/|__version__)/.test(key))
      .map(([key, value]) => ({ path: key.split('/'), value }))
    const day = momentOf(body.today ?? body.start, created_at).slice(0, 10)
    const uuid = textOf(body._uuid) ?? textOf(body['meta/instanceID'])?.replace(/^uuid:/, '')
    const report = reportOf(answers, day, { reported_by: textOf(body._submitted_by), channel: 'kobotoolbox' })
    return [{ ...(uuid && { id: `kobotoolbox:${uuid}` }), entity_type: 'attendance', created_at, ...report }]
  },
}
