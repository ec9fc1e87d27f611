import { approvalLimits } from '@portal/contracts/access/approval-limits'
import { parameterBudgets } from '@portal/contracts/transfers/parameter-budgets'
import { type App, serve } from '../../kit/http/serve.ts'
import { limitOfCohort } from '../decisions/approval-limit.service.ts'
import { say } from './parameter-budget.messages.ts'
import {
  budgetsOfCohort,
  decideBudget,
  listBudgets,
  proposeBudget,
  withdrawBudget,
} from './parameter-budgets.service.ts'

/** The calls on what limits an approval: budgets of parameters, and the limit of the approver. */
export function parameterBudgetRoutes(app: App) {
  serve(app, parameterBudgets.list, ({ db, actor, locale, settings }) =>
    listBudgets(db, actor, locale, settings.fourEyes),
  )
  serve(app, parameterBudgets.propose, async ({ db, actor, settings, params, body }) => {
    await proposeBudget(db, actor, settings.fourEyes, params.id, body)
    return { message: say.proposed }
  })
  serve(app, parameterBudgets.decide, async ({ db, actor, settings, params, body }) => {
    await decideBudget(db, actor, settings.fourEyes, params.id, body.action)
    return { message: say[body.action] }
  })
  serve(app, parameterBudgets.withdraw, async ({ db, actor, params }) => {
    await withdrawBudget(db, actor, params.id)
    return { message: say.withdrawn }
  })
  serve(app, approvalLimits.ofCohort, ({ db, actor, locale, settings, params }) =>
    limitOfCohort(db, actor, locale, settings.fourEyes, params.id),
  )
  serve(app, parameterBudgets.ofCohort, async ({ db, params }) => ({
    years: await budgetsOfCohort(db, params.id),
  }))
}
