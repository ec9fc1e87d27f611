import type { Host } from '@portal/sdk'
import type { NavigateFunction } from 'react-router-dom'
import type { Loaded } from './container.ts'
import { registerDirty } from './NewBuild.tsx'
import { withOwnServers } from './with-own-servers.ts'

type Page = {
  /** What the person may do now. */
  permissions: readonly string[]
  /** Shows a message in the page. */
  say: (text: string) => void
  navigate: NavigateFunction
}

/** The host of a module that stands alone: permissions, messages and navigation are those of this page. */
export function hostAlone(host: Host, record: Loaded['record'], { permissions, say, navigate }: Page): Host {
  const { client, session } = host
  return {
    ...host,
    client: withOwnServers(client, record, () => ({ id: session.user.id, permissions })),
    can: (wanted: string | readonly string[]) => [wanted].flat().some((each) => permissions.includes(each)),
    notify: { good: say, bad: say, info: say },
    registerDirty,
    navigate: (to: string, options?: { replace?: boolean }) => void navigate(to, options),
  }
}
