import { currentLocale } from '@portal/i18n/locale'
import { HostContext, useLingui } from '@portal/sdk'
import { lazyFile, useLazy } from '@portal/ui/lazy'
import type { NavEntry } from '@portal/ui/Sidebar'
import { Toaster } from '@portal/ui/Toaster'
import { useEffect, useMemo } from 'react'
import { makeShellHost } from '../../platform/host.ts'
import { registry } from '../../platform/live-registry.ts'
import { useCodesNeeded, useSessionStore } from '../../session/session.ts'
import { sayKept } from '../kept-messages.ts'
import { useFrame } from '../opened.ts'
import { keepFiles } from './keep-files.ts'
import { Offline } from './notices.tsx'
import { useImprint } from './useImprint.ts'
import { useKeys } from './useKeys.ts'
import { useNotifications } from './useNotifications.ts'

/** The notices above every page. */
export const Notices = Offline

/** Toasts, beginning with those that were sent before this file has loaded. */
export function Messages() {
  useEffect(sayKept, [])
  return <Toaster />
}

/** The components that lie over the page. */
export function Floats({ entries }: { entries: NavEntry[] }) {
  const session = useSessionStore((state) => state.session)
  const expired = useSessionStore((state) => state.expired)
  const codesNeeded = useCodesNeeded()
  const host = useMemo(() => session && makeShellHost(), [session])
  useLingui()
  const locale = currentLocale()
  // biome-ignore lint/correctness/useExhaustiveDependencies: the page without a line follows the language
  useEffect(() => void keepFiles(registry).catch(() => {}), [locale])
  useKeys(entries)
  useImprint()
  if (codesNeeded) return null
  return (
    <HostContext value={host}>
      <Bell />
      {!expired && <Sheets entries={entries} />}
    </HostContext>
  )
}

/** Listens for the bell, also while its list is closed. */
function Bell() {
  useNotifications()
  return null
}

/** Search, notifications and the list of keys. */
const lazySheets = lazyFile(() => import(/* webpackChunkName: "sheets" */ './sheets.ts'))

function Sheets({ entries }: { entries: NavEntry[] }) {
  const opened = useFrame((state) => state.opened)
  const sheets = useLazy(lazySheets)
  if (!sheets || !opened) return null
  if (opened === 'search') return <sheets.SearchSheet entries={entries} />
  if (opened === 'keys') return <sheets.KeysSheet entries={entries} />
  return <sheets.NotificationsSheet />
}
