import { createClient } from '@portal/client/client'
import { type Session, session } from '@portal/contracts/session'
import { activate, currentLocale } from '@portal/i18n/locale'
import type { ModuleBuild } from '@portal/sdk/manifest'
import { flagsAsDeclared, settingsAsDeclared } from '../harness/as-declared.ts'
import { type FakePortal, fakePortal } from '../harness/fake-portal.ts'

/** The session of a signed-in person. */
export type SignedIn = Session & { user: NonNullable<Session['user']> }

/** The client of a real portal. This server forwards `/api` to it. */
export type Deployed = ReturnType<typeof deployedPortal>

/** Makes the client of the portal. `onSignedOut` is called after a 401. */
export function deployedPortal(onSignedOut: () => void) {
  const client = createClient({ base: '/api', locale: currentLocale, onUnauthorized: onSignedOut })
  return {
    client,
    session: () => client.call(session.read),
    signIn: async (body: { email: string; password: string; code?: string }) =>
      (await client.call(session.signIn, { body })).session,
    signOut: () => client.call(session.signOut),
  }
}

/** The host for the module: calls and session are those of the portal, messages and navigation stay in this page. */
export function portalFor(
  { client }: Deployed,
  module: ModuleBuild,
  { user, permissions, settings }: SignedIn,
): Pick<FakePortal, 'host' | 'speak'> {
  const { host } = fakePortal({
    module,
    permissions,
    events: module.events,
    flags: flagsAsDeclared(module),
    settings: settingsAsDeclared(module),
  })
  return {
    host: {
      ...host,
      client,
      session: {
        user,
        permissions,
        settings,
        get locale() {
          return currentLocale()
        },
      },
    },
    speak: activate,
  }
}
