import { t } from '@lingui/core/macro'
import { isNamedAt } from '@portal/contracts/module-calls'
import { type BuildRef, readBuild } from '../builds.ts'

/** The server's sentence for a call that the manifest of an isolated module does not name; null for one that it names. */
export async function refusalIfNotNamed(of: BuildRef, method: string, path: string): Promise<string | null> {
  const manifest = await readBuild(of)
  if (isNamedAt(manifest, method, path)) return null
  const { name } = manifest
  return t`The module ${name} may not make this call, because its manifest does not name it.`
}
