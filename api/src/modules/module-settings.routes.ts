import { moduleFlags } from '@portal/contracts/module-flags'
import { moduleSettings } from '@portal/contracts/module-settings'
import { type App, serve } from '../kit/http/serve.ts'
import { say } from './messages.ts'
import { decideFlag, listFlags, ownFlags } from './module-flags.service.ts'
import { changeSettings, ownSettings, readSettings } from './module-settings.service.ts'

/** What administrators decide for a module, its flags and its settings, and what the module itself reads of them. */
export function moduleSettingsRoutes(app: App) {
  serve(app, moduleFlags.list, ({ db, registry, params }) => listFlags(db, registry, params.module))
  serve(app, moduleFlags.decide, async ({ db, registry, actor, params, body }) => ({
    message: say.flagDecided,
    flag: await decideFlag(db, registry, actor, params, body),
  }))
  serve(app, moduleFlags.own, async ({ db, registry, actor, params }) => ({
    flags: await ownFlags(db, registry, actor, params.module),
  }))

  serve(app, moduleSettings.read, ({ db, registry, params }) => readSettings(db, registry, params.module))
  serve(app, moduleSettings.change, async ({ db, registry, actor, params, body }) => ({
    message: say.settingsChanged,
    ...(await changeSettings(db, registry, actor, params.module, body)),
  }))
  serve(app, moduleSettings.own, async ({ db, registry, params }) => ({
    settings: await ownSettings(db, registry, params.module),
  }))
}
