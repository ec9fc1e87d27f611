import type { Waiting } from '@portal/contracts/home'
import { dueCases } from '../cases/cases.service.ts'
import { waitingImports } from '../imports/imports.service.ts'
import type { Actor } from '../kit/http/session.ts'
import type { Context } from '../kit/process/context.ts'
import { resolveLinks } from '../modules/module-links.service.ts'
import { buildsToAdmit } from '../modules/waiting-builds.service.ts'
import { waitingCohorts } from '../transfers/cohorts/cohorts.service.ts'

/** What waits for this person: lists to check, cohorts refused or in payment error, cases due, builds to admit (Messages 6.1). */
export async function waitingFor(
  context: Pick<Context, 'db' | 'registry' | 'log'>,
  actor: Actor,
): Promise<Waiting> {
  const { db } = context
  const [imports, cohorts, cases, builds] = await Promise.all([
    waitingImports(context, actor),
    waitingCohorts(db, actor),
    dueCases(db, actor),
    buildsToAdmit(context, actor),
  ])
  const { oldest } = imports
  const [link = null] = await resolveLinks(context, [oldest?.link ?? null])
  return {
    imports: { ...imports, oldest: oldest && { file_name: oldest.file_name, link } },
    cohorts,
    cases,
    builds,
  }
}
