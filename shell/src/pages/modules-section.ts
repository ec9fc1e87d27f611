import { t } from '@lingui/core/macro'
import type { NavItem } from '@portal/sdk/manifest'
import { registry } from '../platform/live-registry.ts'
import { mayOpen } from './addresses.ts'

const path = '/admin/modules'

/** The menu's last section, for whoever looks after the modules. */
export function modulesSection(permissions: readonly string[]): NavItem[] {
  if (!mayOpen(path, permissions, registry.modules)) return []
  const name = t`Modules`
  return [{ path, label: { en: name, fr: name }, icon: 'modules', order: 100, children: [] }]
}
