import { type Adapter, momentOf, textOf } from './adapter.ts'
import { reportOf } from './answers.ts'

/**
 * A KoboToolbox REST service with JSON: flat, `group/question`, the form's own facts under `_…`, `meta/…` and
 * `formhub/…`. It is sent again after 60, 600 and 6,000 s with the same `_uuid`.
 */
export const kobotoolbox: Adapter = {
  fits: (body) => '_uuid' in body || '_xform_id_string' in body || 'meta/instanceID' in body,
  messages(body, received) {
    // A phone without network submits later than the form was filled in.
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
