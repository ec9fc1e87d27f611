import { t } from '@lingui/core/macro'
import type { NavItem } from '@portal/sdk/manifest'
import { registry } from '../platform/live-registry.ts'
import { mayOpen } from './addresses.ts'

/** The menu's last section, for whoever looks after the modules and the portal. */
export function modulesSection(permissions: readonly string[]): NavItem[] {
  const item = (path: '/admin/modules' | '/admin/system', name: string, order: number): NavItem[] =>
    mayOpen(path, permissions, registry.modules)
      ? [{ path, label: { en: name, fr: name }, icon: 'modules', order, children: [] }]
      : []
  return [...item('/admin/modules', t`Modules`, 100), ...item('/admin/system', t`State of the portal`, 101)]
}
