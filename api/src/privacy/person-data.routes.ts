import { personData } from '@portal/contracts/access/person-data'
import { auditRead } from '../kit/audit/reads.ts'
import { transaction } from '../kit/database/db.ts'
import { type App, serve } from '../kit/http/serve.ts'
import { startExport } from '../kit/jobs/exports.ts'
import { readableShelves } from '../modules/readable-shelves.service.ts'
import { askErasure, decideErasure, withdrawErasure } from './erasure-decisions.service.ts'
import { listErasures } from './erasure-requests.service.ts'
import { say } from './messages.ts'
import { type PersonExport, personExport } from './person.export.ts'
import { personAt, readPersonData } from './person-data.service.ts'

/** The calls on the data of one person. */
export function personDataRoutes(app: App) {
  serve(app, personData.read, async ({ db, actor, locale, params }) => {
    const { person, page, erasure } = await readPersonData(db, locale, params)
    if (person) await auditRead(db, actor, 'opened', person.subject.type, person.subject.id)
    return { person: page, erasure }
  })
  serve(app, personData.export, async ({ db, registry, actor, locale, params, body }) => {
    const { kind, id, person } = await personAt(db, params, body.cases, actor)
    const sees = {
      all_cases: actor.can('cases.view'),
      sensitive: actor.can('students.sensitive'),
      records: await readableShelves(registry, actor),
    }
    const asked: PersonExport = { kind, id, subject: person.subject, ...body, ...sees }
    return transaction(db, (tx) =>
      startExport(tx, actor, locale, personExport, asked, `person-${kind}-${id}`),
    )
  })
  serve(app, personData.erasures, async ({ db, locale, query }) => ({
    erasures: await listErasures(db, locale, query),
  }))
  serve(app, personData.askErasure, async ({ db, actor, params, body }) => {
    await askErasure(db, actor, params, body)
    return { message: say.asked }
  })
  serve(app, personData.decideErasure, async ({ db, actor, params, body }) => ({
    message: await decideErasure(db, actor, params.id, body),
  }))
  serve(app, personData.withdrawErasure, async ({ db, actor, params, body }) => {
    await withdrawErasure(db, actor, params.id, body.version)
    return { message: say.withdrawn }
  })
}
