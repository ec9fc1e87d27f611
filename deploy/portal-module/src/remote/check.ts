import type { BuiltModule } from '@portal/build/build-module'
import { finding } from '../finding.ts'
import { loadBuilt } from '../harness/load.ts'
import { openWindow } from '../harness/window.ts'
import type { Check } from '../portal.ts'

/** Loads an imported remote without a portal. It must expose a component, which is not drawn here. */
export async function tryRemote({ folder, record }: BuiltModule): Promise<Check> {
  openWindow()
  return finding('module', async () => {
    const exposed = await loadBuilt(folder, record)
    if (typeof exposed !== 'function' && !(exposed instanceof Object && '$$typeof' in exposed))
      throw new Error(`${record.remote?.expose} has no default export that is a component.`)
    return `${record.remote?.expose} of ${record.remote?.name} is a component, on the portal's React.`
  })
}
