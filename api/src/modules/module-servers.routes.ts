import { moduleBackends } from '@portal/contracts/module-backends'
import { moduleTokens } from '@portal/contracts/module-tokens'
import { type App, type Call, serve } from '../kit/http/serve.ts'
import { callBackend } from './backends.service.ts'
import { say } from './messages.ts'
import {
  createModuleToken,
  listModuleTokens,
  revokeModuleToken,
  tokenCollections,
} from './module-tokens.service.ts'
import { publicKeys } from './vouchers.service.ts'

/** The servers of modules: the tokens with which they call the portal, and the calls that the portal passes on to them. */
export function moduleServerRoutes(app: App) {
  serve(app, moduleTokens.list, async ({ db, registry, params }) => ({
    tokens: await listModuleTokens(db, params.module),
    collections: await tokenCollections(registry, params.module),
  }))
  serve(app, moduleTokens.create, async ({ db, registry, actor, params, body }) => ({
    message: say.tokenCreated,
    ...(await createModuleToken(db, registry, actor, params.module, body)),
  }))
  serve(app, moduleTokens.revoke, async ({ db, actor, params }) => {
    await revokeModuleToken(db, actor, params.module, params.id)
    return { message: say.tokenRevoked }
  })

  serve(app, moduleBackends.keys, async ({ settings }) => ({ keys: publicKeys(settings.secret) }))
  serve(app, moduleBackends.get, (call) => passOn(call, 'GET'))
  serve(app, moduleBackends.create, (call) => passOn(call, 'POST', call.body))
  serve(app, moduleBackends.update, (call) => passOn(call, 'PUT', call.body))
  serve(app, moduleBackends.remove, (call) => passOn(call, 'DELETE'))
}

type ToBackend = Call & { params: { module: string; backend: string; rest: string } }

/** Passes a call on to a server of its module, with the query as it came. */
const passOn = (call: ToBackend, method: 'GET' | 'POST' | 'PUT' | 'DELETE', body?: Record<string, unknown>) =>
  callBackend(call, call.actor, {
    ...{ ...call.params, method, locale: call.locale, request_id: call.request_id },
    search: /\?.*$/.exec(call.request.raw.url ?? '')?.[0] ?? '',
    ...(body && { body }),
  })
