import { t } from '@lingui/core/macro'
import type { NavItem } from '@portal/sdk/manifest'
import { isAllowed } from '../platform/registry.ts'
import { shellPages } from './addresses.ts'

const path = '/admin/modules'

/** The menu's last section, for whoever looks after the modules. */
export function modulesSection(permissions: readonly string[]): NavItem[] {
  if (!isAllowed(shellPages[path].permission, permissions)) return []
  const name = t`Modules`
  return [{ path, label: { en: name, fr: name }, icon: 'modules', order: 100, children: [] }]
}
