import { schools } from '@portal/contracts/registers'
import { type App, serve } from '../kit/serve.ts'
import { listSchools } from './schools.service.ts'

/** The calls of section 7 on schools. */
export function schoolRoutes(app: App) {
  serve(app, schools.list, ({ db, query }) => listSchools(db, query))
}
