import { transfers } from '@portal/contracts/transfers'
import { agencyBalance } from '@portal/contracts/transfers/agency-balance'
import { accepted } from '../../kit/http/respond.ts'
import { type App, serve } from '../../kit/http/serve.ts'
import { say } from '../messages.ts'
import { createAgency, createParameter, listParameters, setParameterStatus } from './agencies.service.ts'
import { askBalance } from './agency-balance.service.ts'
import { decideChange, updateAgency, withdrawChange } from './agency-changes.service.ts'

/** The calls on agencies and parameters. */
export function agencyRoutes(app: App) {
  serve(app, transfers.createAgency, async (call) => {
    await createAgency(call, call.actor, call.body)
    return { message: say.agencyCreated }
  })
  serve(app, transfers.updateAgency, async (call) => {
    const proposed = await updateAgency(call, call.actor, call.params.id, call.body)
    return proposed ? accepted({ message: say.changeProposed }) : { message: say.agencyUpdated }
  })
  serve(app, transfers.decideAgencyChange, async (call) => {
    const { action } = call.body
    await decideChange(call, call.actor, call.settings.fourEyes, call.params.id, action)
    return { message: action === 'confirmed' ? say.changeConfirmed : say.changeRefused }
  })
  serve(app, transfers.withdrawAgencyChange, async ({ db, actor, params }) => {
    await withdrawChange(db, actor, params.id)
    return { message: say.changeWithdrawn }
  })
  serve(app, agencyBalance.ask, (call) => askBalance(call, call.locale, call.params.id))
  serve(app, transfers.createParameter, async (call) => {
    await createParameter(call, call.actor, call.body)
    return { message: say.parameterCreated }
  })
  serve(app, transfers.updateParameter, async ({ db, actor, params, body }) => {
    await setParameterStatus(db, actor, params.id, body.status, body.version)
    return { message: say.parameterUpdated }
  })
  serve(app, transfers.parameters, async ({ db, query }) => ({ parameters: await listParameters(db, query) }))
}
