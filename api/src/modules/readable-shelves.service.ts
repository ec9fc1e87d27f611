import type { PortalRegistry } from '@portal/registry'
import type { Actor } from '../kit/http/session.ts'
import { liveModules } from './live-modules.ts'
import { allowing } from './shelves.ts'

/** The collections whose records this person may read now, as `module/collection`; of a disabled or withheld module none. */
export async function readableShelves(registry: PortalRegistry, actor: Actor): Promise<string[]> {
  const granted = new Set<string>(actor.permissions)
  const open = (await liveModules(registry)).modules.filter(
    ({ disabled, withheld }) => !disabled && !withheld,
  )
  return open.flatMap(({ name: module, collections }) =>
    collections
      .filter((announced) => allowing(announced, 'read').some((permission) => granted.has(permission)))
      .map(({ name }) => `${module}/${name}`),
  )
}
