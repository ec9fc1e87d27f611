import { t } from '@lingui/core/macro'
import { registry } from '../platform/live-registry.ts'
import type { Section } from '../platform/registry.ts'
import { mayOpen, type ShellPath } from './addresses.ts'

/** The menu's last sections, for whoever looks after the modules and the portal. */
export function modulesSection(permissions: readonly string[]): Section[] {
  const section = (path: ShellPath, name: string, icon: Section['icon'], order: number): Section[] =>
    mayOpen(path, permissions, registry.modules)
      ? [{ path, label: { en: name, fr: name }, icon, order, children: [] }]
      : []
  return [
    ...section('/admin/modules', t`Modules`, 'modules', 100),
    ...section('/admin/system', t`State of the portal`, 'good', 101),
  ]
}
