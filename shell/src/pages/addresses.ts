import type { Permission } from '@portal/contracts/permissions'
import { isAllowed } from '../platform/registry.ts'

/** A page of the shell's own: the name of its chunk, and who may open it; everybody signed in where it does not say. */
export type ShellPage = {
  chunk: string
  permission?: Permission | readonly Permission[]
  /** Also open to whoever sees how one of the modules fares. */
  watched?: true
}

/**
 * The shell's own addresses. The page is a chunk of that name, the words of all pages are `pages-<locale>`; the gateway lists both in
 * the head of the document.
 */
export const shellPages = {
  '/home': { chunk: 'home' },
  '/home/attendance': { chunk: 'attendance' },
  '/home/attendance/import': { chunk: 'imports', permission: 'sync.manage' },
  '/home/messages': { chunk: 'messages' },
  '/home/records': { chunk: 'imports' },
  '/home/survey': { chunk: 'survey', permission: 'survey.view' },
  '/home/reports': { chunk: 'modules' },
  '/admin/sync': { chunk: 'sync', permission: 'sync.manage' },
  '/admin/modules': { chunk: 'modules', permission: ['modules.manage', 'modules.admit'], watched: true },
  '/admin/system': { chunk: 'system', permission: 'system.view' },
  '/profile': { chunk: 'profile' },
} as const satisfies Record<string, ShellPage>
export type ShellPath = keyof typeof shellPages

/** Whether somebody with these permissions may open a page of the shell's own. */
export const mayOpen = (
  path: ShellPath,
  permissions: readonly string[],
  modules: readonly { name: string }[],
): boolean => {
  const { permission, watched }: ShellPage = shellPages[path]
  return (
    isAllowed(permission, permissions) ||
    (watched === true && modules.some(({ name }) => permissions.includes(`${name}.watch`)))
  )
}
