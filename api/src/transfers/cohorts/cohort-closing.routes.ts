import { cohortClosing } from '@portal/contracts/transfers/cohort-closing'
import { type App, serve } from '../../kit/http/serve.ts'
import { say } from '../messages.ts'
import { closeCohort, readClosing } from './cohort-closing.service.ts'

/** The calls on closing a cohort for good. */
export function cohortClosingRoutes(app: App) {
  serve(app, cohortClosing.read, ({ db, actor, locale, settings, params }) =>
    readClosing(db, actor, locale, settings.fourEyes, params.id),
  )
  serve(app, cohortClosing.close, async ({ db, actor, settings, params, body }) => {
    await closeCohort(db, actor, settings.fourEyes, params.id, body.reason)
    return { message: say.closed }
  })
}
