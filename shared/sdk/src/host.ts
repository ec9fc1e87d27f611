import type { I18n } from '@lingui/core'
import type { Client } from '@portal/client/client'
import type { ModuleFlags } from '@portal/contracts/module-flags'
import type { SettingValue } from '@portal/contracts/module-settings'
import type { Permission } from '@portal/contracts/permissions'
import type { Session, SessionUser } from '@portal/contracts/session'
import type { QueryClient } from '@tanstack/react-query'
import { createContext, useContext, useEffect } from 'react'
import type { Extensions } from './extensions.ts'
import type { HostEvents } from './host-events.ts'

/** A session with somebody in it: a module never runs without one. */
export type HostSession = Omit<Session, 'user'> & { user: SessionUser }

/** What a module may know of the shell. Never a token, never the router itself. */
export type Host = {
  /** The module's own name and build, for its logs. */
  module: { name: string; version: string; build: string }
  /** The typed call of `@portal/client`, bound to the portal's session. */
  client: Client
  session: HostSession
  /** One permission, or several of which one is enough. The server decides again at every call. */
  can(permission: Permission | readonly Permission[]): boolean
  queryClient: QueryClient
  i18n: I18n
  /** A message that passes, shown by the shell. */
  notify: Record<
    'good' | 'bad' | 'info',
    (title: string, more?: { detail?: string; reference?: string }) => void
  >
  navigate(to: string, options?: { replace?: boolean }): void
  /** Sets a dirty flag; returns the function that clears it. */
  registerDirty(): () => void
  /** The module's switches as this person has them, as they were when it was loaded. A portal of before 1.5 has none. */
  flags?: Readonly<Record<string, boolean>> | undefined
  /** The module's settings, as they were when it was loaded. `useSetting` of `@portal/sdk/settings` has their types. */
  settings?: Readonly<Record<string, SettingValue>> | undefined
  /** For modules whose manifest names events; `useEvent` and `usePublish` of `@portal/sdk/events` use it. */
  events?: HostEvents | undefined
  /** What modules add to pages of others, for those who draw such a page; not in a frame and not in tests. */
  extensions?: Extensions | undefined
}

/** Provided by the shell around every module, and by the standalone pages and tests that have no shell. */
export const HostContext = createContext<Host | null>(null)

/** What the shell offers to a module. */
export function useHost(): Host {
  const host = useContext(HostContext)
  if (!host) throw new Error('useHost needs a HostContext around it.')
  return host
}

/** Who is signed in, with what permissions, language and settings. */
export const useSession = (): HostSession => useHost().session

/** Whether the person may do something; a hook, so that what it hides follows the session. */
export const useCan = (): Host['can'] => useHost().can

/** Whether this person has a switch that the module's manifest declares. It stays the same until the module is loaded anew. */
export const useFlag = (flag: keyof ModuleFlags): boolean => useHost().flags?.[flag] ?? false

/** While `dirty`, leaving the page asks first, and a new version waits. */
export function useDirty(dirty: boolean): void {
  const { registerDirty } = useHost()
  useEffect(() => (dirty ? registerDirty() : undefined), [dirty, registerDirty])
}
