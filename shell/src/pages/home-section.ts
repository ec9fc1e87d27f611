import { t } from '@lingui/core/macro'
import type { NavItem } from '@portal/sdk/manifest'
import { registry } from '../platform/live-registry.ts'
import { isAllowed } from '../platform/registry.ts'
import { type ShellPage, type ShellPath, shellPages } from './addresses.ts'

/** The menu's first section: the shell's own pages, in the same form as those of modules. */
export function homeSection(permissions: readonly string[]): NavItem {
  const entries: [ShellPath, string][] = [
    ['/home', t`Home`],
    ['/home/attendance', t`Attendance`],
    ['/home/messages', t`Messages`],
    ['/home/survey', t`Survey`],
    ...(hasReports(permissions) ? [['/home/reports', t`Reports`] satisfies [ShellPath, string]] : []),
    ['/admin/sync', t`Message devices`],
  ]
  const children = entries
    .filter(([path]) => isAllowed((shellPages[path] as ShellPage).permission, permissions))
    .map(([path, label]) => ({ path, label: inBoth(label) }))
  return { path: '/home', label: inBoth(t`Home`), icon: 'home', order: 0, children }
}

/** Whether a module has a report for this person. */
const hasReports = (permissions: readonly string[]) =>
  registry.modules.some(({ reports }) =>
    reports?.some(({ permission }) => isAllowed(permission, permissions)),
  )

/** Sections are computed again when the language changes, so that one text serves for both languages. */
export const inBoth = (text: string) => ({ en: text, fr: text })
