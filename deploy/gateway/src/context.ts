import type { ModulesAddress } from '@portal/contracts/modules-address'
import type { Visitor } from '@portal/registry/audience'
import { openPageFiles } from '@portal/registry/page-files'
import type { FastifyInstance } from 'fastify'
import { type Builds, openBuilds } from './builds.ts'
import { devReload } from './dev-reload.ts'
import { type HeaderOptions, pageHeaders } from './headers.ts'
import { type LiveNow, liveFromFile, liveFromRegistry } from './live.ts'
import { type ModulesOrigin, modulesOrigin } from './modules-origin.ts'
import type { GatewayOptions, ReadSession, SessionAnswer } from './options.ts'
import { pageReader, type ReadPage } from './pages.ts'

/** What pages and files are served from, and to whom. */
export type GatewayContext = {
  distDir: string
  headers: HeaderOptions
  /** The headers of a page without scripts of a developer's machine. */
  pageHeaders: Record<string, string>
  modulesAt: ModulesAddress | null
  /** The hosts of isolated modules; null if they do not run. */
  frames: ModulesOrigin | null
  /** Whether a browser may load a module from a developer's machine. */
  developed: boolean
  session: ReadSession | undefined
  live: LiveNow
  read: ReadPage
  /** The last change of a page before it is sent. */
  finish: (html: string) => string
  builds: Builds
  /** Finds files of pages of other releases; undefined without a registry. */
  pageFiles: ReturnType<typeof openPageFiles> | undefined
}

/** Opens what the gateway serves from: the registry, or the folder of a build. */
export function makeContext(app: FastifyInstance, options: GatewayOptions): GatewayContext {
  const { distDir, publicUrl, frameSrc, registry, dev = false, modulesAt = null } = options
  const live = registry ? liveFromRegistry(app, registry, modulesAt) : liveFromFile(app, distDir)
  const headers = { publicUrl, frameSrc, modulesAt, dev }
  return {
    distDir,
    headers,
    pageHeaders: pageHeaders(headers),
    modulesAt,
    frames: modulesAt && modulesOrigin(modulesAt, publicUrl, options.listedHosts),
    developed: options.moduleOverride ?? false,
    session: options.session,
    live,
    read: pageReader(distDir),
    finish: dev ? devReload(app, live) : (html) => html,
    builds: openBuilds(distDir, registry),
    pageFiles: registry && openPageFiles(registry.store, (message) => app.log.error(message)),
  }
}

/** The person who asks, as canaries are chosen by; null if nobody is signed in. */
export const visitorOf = (session: SessionAnswer | undefined): Visitor | null =>
  session?.user ? { id: session.user.id, roles: session.user.roles.map(({ name }) => name) } : null
