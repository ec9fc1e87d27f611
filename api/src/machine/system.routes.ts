import { system } from '@portal/contracts/home/system'
import { type App, serve } from '../kit/http/serve.ts'
import { readSystem } from './system.service.ts'

/** The call of the page for administrators who have no monitor of their own. */
export function systemRoutes(app: App) {
  serve(app, system.read, (call) => readSystem(call))
}
