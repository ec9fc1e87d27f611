import { i18n } from '@lingui/core'
import type { Host, HostSession } from '@portal/sdk'
import type { RegistryModule } from '@portal/sdk/manifest'
import { client, queryClient } from '../session/client.ts'
import { permissionsNow, useSessionStore } from '../session/session.ts'
import { registerDirty } from './dirty.ts'
import { notify } from './notify.ts'
import { registry } from './place.ts'
import { isAllowed } from './registry.ts'
import { navigate } from './router.ts'

function sessionNow(): HostSession {
  const { session } = useSessionStore.getState()
  if (!session?.user) throw new Error('A module was opened without a session.')
  return { ...session, user: session.user }
}

const shared: Omit<Host, 'module'> = {
  client,
  // Reads the moment's, so that what a module keeps does not grow old.
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

// Made upon the shared part, not copied from it: a copy would hold the session of its first moment.
const hostOf = (module: Host['module']): Host => Object.assign(Object.create(shared), { module })

/** What one module gets. */
export const makeHost = ({
  name,
  version,
  build,
}: Pick<RegistryModule, 'name' | 'version' | 'build'>): Host => hostOf({ name, version, build })

/** The same for the shell's own pages. */
export const makeShellHost = (): Host =>
  hostOf({ name: 'shell', version: PORTAL_VERSION, build: registry.shell ?? '' })
