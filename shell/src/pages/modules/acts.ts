import { t } from '@lingui/core/macro'
import type { ModuleStatus } from '@portal/contracts/modules'
import type { Permission } from '@portal/contracts/permissions'
import type { IconName } from '@portal/ui/Icon'

/** What an administrator may do with a module; promotion and revocation are its publishers'. */
export type ModuleAct = 'enable' | 'disable' | 'rollback' | 'trust' | 'isolate'
type Offered = { act: ModuleAct; label: string; icon: IconName; danger: boolean }

/** What a person may do with a module as it stands. */
export function actsOn(module: ModuleStatus, can: (permission: Permission) => boolean): Offered[] {
  const goesBack = module.canary !== null || module.previous !== null
  const managing: Offered[] = [
    module.state === 'disabled'
      ? { act: 'enable', label: t`Enable`, icon: 'play', danger: false }
      : { act: 'disable', label: t`Disable`, icon: 'stop', danger: true },
    ...(goesBack
      ? [{ act: 'rollback', label: t`Roll back`, icon: 'back', danger: true } satisfies Offered]
      : []),
  ]
  return [...(can('modules.manage') ? managing : []), ...(can('modules.admit') ? trustOf(module) : [])]
}

/** The product's own modules always run in the page. */
function trustOf({ runs }: ModuleStatus): Offered[] {
  if (runs === 'product') return []
  return runs === 'trusted'
    ? [{ act: 'isolate', label: t`Isolate`, icon: 'shield', danger: false }]
    : [{ act: 'trust', label: t`Trust`, icon: 'key', danger: true }]
}
