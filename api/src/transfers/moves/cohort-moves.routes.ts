import { cohortMoves } from '@portal/contracts/transfers/cohort-moves'
import { type App, serve } from '../../kit/http/serve.ts'
import { say } from './cohort-move.messages.ts'
import { decideMove, proposeMove, readMove, withdrawMove } from './cohort-moves.service.ts'

/** The calls on moving a cohort to another agency. */
export function cohortMoveRoutes(app: App) {
  serve(app, cohortMoves.read, ({ db, actor, locale, settings, params, query }) =>
    readMove({ db, actor, locale, fourEyes: settings.fourEyes }, params.id, query.transfer_agency_id ?? null),
  )
  serve(app, cohortMoves.propose, async ({ db, actor, settings, params, body }) => {
    await proposeMove(db, actor, settings.fourEyes, params.id, body)
    return { message: say.proposed }
  })
  serve(app, cohortMoves.decide, async ({ db, actor, settings, params, body }) => ({
    message: await decideMove(db, actor, settings.fourEyes, params.id, body.action),
  }))
  serve(app, cohortMoves.withdraw, async ({ db, actor, params }) => {
    await withdrawMove(db, actor, params.id)
    return { message: say.withdrawn }
  })
}
