import { t } from '@lingui/core/macro'
import { registry } from '../platform/live-registry.ts'
import type { Section } from '../platform/registry.ts'
import { mayOpen, type ShellPath } from './addresses.ts'
import { inBoth } from './home-section.ts'

/** The menu's last sections, for whoever looks after the modules and the portal. */
export function modulesSection(permissions: readonly string[]): Section[] {
  const sections: [ShellPath, string, Section['icon']][] = [
    ['/admin/modules', t`Modules`, 'modules'],
    ['/admin/system', t`State of the portal`, 'good'],
  ]
  return sections
    .filter(([path]) => mayOpen(path, permissions, registry.modules))
    .map(([path, name, icon]) => ({ path, label: inBoth(name), icon, order: 100, children: [] }))
}
