import type { FastifyInstance } from 'fastify'
import { makeContext } from './context.ts'
import { registerFiles } from './files.ts'
import type { GatewayOptions } from './options.ts'
import { serveFiles } from './serve-files.ts'
import { servePages } from './serve-pages.ts'

/** Serves shell, modules, registry and the consultant's page, inside the api process or as a separate process. */
export async function gateway(app: FastifyInstance, options: GatewayOptions): Promise<void> {
  const context = makeContext(app, options)
  await registerFiles(app, options.distDir)
  serveFiles(app, context)
  servePages(app, context, options.apiBase)
}
