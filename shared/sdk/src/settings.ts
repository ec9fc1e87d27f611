import type { ModuleSettings } from '@portal/contracts/module-settings'
// By its name, so that it is the portal's copy in a module too, which has the context.
import { useHost } from '@portal/sdk'

/** A setting that the module's manifest declares. It stays the same until the module is loaded anew. */
export const useSetting = <Name extends keyof ModuleSettings>(name: Name): ModuleSettings[Name] =>
  useHost().settings?.[name] as ModuleSettings[Name]
