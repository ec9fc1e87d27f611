import { i18n } from '@lingui/core'
import type { Host, HostSession } from '@portal/sdk'
import type { RegistryModule } from '@portal/sdk/manifest'
import { client, queryClient } from '../session/client.ts'
import { registerDirty } from '../session/dirty.ts'
import { permissionsNow, useSessionStore } from '../session/session.ts'
import type { Given } from './given.ts'
import { registry } from './live-registry.ts'
import { notify } from './notify.ts'
import { isAllowed } from './registry.ts'
import { navigate } from './tab-router.ts'

function sessionNow(): HostSession {
  const { session } = useSessionStore.getState()
  if (!session?.user) throw new Error('A module was opened without a session.')
  return { ...session, user: session.user }
}

const shared: Omit<Host, 'module'> = {
  client,
  // A getter, so that a host that a module keeps always has the current session.
  get session() {
    return sessionNow()
  },
  can: (permission) => isAllowed(permission, permissionsNow()),
  queryClient,
  i18n,
  notify,
  navigate,
  registerDirty,
}

// The shared part is the prototype: a copy would freeze the session that was current when it was made.
const hostOf = (module: Host['module'], given?: Given): Host =>
  Object.assign(Object.create(shared), { module }, given)

/** The own parts of the host of each loaded module, as they were when it was loaded. */
export const givenTo = new Map<string, Given>()

/** What one module gets. */
export const makeHost = ({
  name,
  version,
  build,
}: Pick<RegistryModule, 'name' | 'version' | 'build'>): Host =>
  hostOf({ name, version, build }, givenTo.get(name))

/** The same for the shell's own pages. */
export const makeShellHost = (): Host =>
  hostOf({ name: 'shell', version: PORTAL_VERSION, build: registry.shell ?? '' })
