import { fillText } from '@portal/contracts/sentences'
import { sendingHold } from '@portal/contracts/transfers/sending-hold'
import { type App, serve } from '../../kit/http/serve.ts'
import { listDifferences, readHold } from './held.service.ts'
import { say } from './sending-hold.messages.ts'
import { confirmHeldRound, releaseHold } from './sending-hold.service.ts'

/** The calls on the hold that stops all sending after a discontinuity (Money 8.1). */
export function sendingHoldRoutes(app: App) {
  serve(app, sendingHold.read, async ({ db, actor, locale, settings }) => ({
    hold: await readHold(db, actor, locale, settings.fourEyes),
  }))
  serve(app, sendingHold.differences, async ({ db, actor, query }) => ({
    differences: await listDifferences(db, actor, query),
  }))
  serve(app, sendingHold.confirmRound, async ({ db, actor, params }) => {
    await confirmHeldRound(db, actor, params.id)
    return { message: say.roundConfirmed }
  })
  serve(app, sendingHold.release, async ({ db, actor, settings }) => {
    const { missed } = await releaseHold(db, actor, settings.fourEyes)
    return { message: fillText(say.holdReleased, missed) }
  })
}
