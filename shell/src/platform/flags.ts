import { moduleFlags } from '@portal/contracts/module-flags'
import type { ModuleBuild } from '@portal/sdk/manifest'
import { client } from '../session/client.ts'

/** So long a module waits for its switches. Its own files take longer on most lines. */
const timeoutMs = 3_000

/** The switches of a module as this person has them. If they do not come, they are as its team has declared them. */
export async function readFlags({ name, flags = [] }: ModuleBuild): Promise<Record<string, boolean>> {
  const declared = Object.fromEntries(flags.map(({ id, default: usual }) => [id, usual]))
  if (flags.length === 0) return declared
  const late = new Promise<null>((resolve) => setTimeout(resolve, timeoutMs, null))
  const asked = client.call(moduleFlags.own, { params: { module: name } }).catch(() => null)
  return { ...declared, ...(await Promise.race([asked, late]))?.flags }
}
