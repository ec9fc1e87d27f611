import type { ModulesAddress } from '@portal/contracts/modules-address'
import type { PortalRegistry } from '@portal/registry'
import type { FastifyReply, FastifyRequest } from 'fastify'

/** Settings of the static side of the portal. */
export type GatewayOptions = {
  /** Folder of the build: `shell/`, `modules/`, `external/`, `modules.json`. */
  distDir: string
  /** Path prefix of the API, `/api`. Requests below it never get a page. */
  apiBase: string
  publicUrl: string
  /** The hosts on which isolated modules run. Without them they do not run. */
  modulesAt?: ModulesAddress
  /** Hosts from which frames may draw images without https. */
  listedHosts?: readonly string[]
  /** Origin of the analytics host, or null. */
  frameSrc: string | null
  /** Pages reload when a build is published (`npm run dev`). */
  dev?: boolean
  /**
   * The session in the form of `GET /session`. It is inlined into pages that need a session, which saves a round trip.
   * Throws a `SessionUnavailable` if sessions cannot be read now.
   */
  session?: ReadSession
  /** Knows which modules are live, and stores their files. Without a registry the build folder is served. */
  registry?: PortalRegistry
  /** Lets a browser load a module from its own machine (`/dev/override`). For development, never in production. */
  moduleOverride?: boolean
}

/** The fields of a session that decide about canaries. The others are passed through. */
export type SessionAnswer = { user: { id: number; roles: readonly { name: string }[] } | null }

export type ReadSession = (request: FastifyRequest, reply: FastifyReply) => Promise<SessionAnswer>
