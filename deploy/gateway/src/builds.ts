import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { PortalRegistry } from '@portal/registry'
import type { ModuleBuild } from '@portal/sdk/manifest'
import { inside } from './files.ts'
import type { Shown } from './live.ts'

/** The builds of modules: their files and their `build.json`. */
export type Builds = {
  /** Where a file of a module is, from the registry or from the build folder, which has those of older pages. */
  file(path: string): Promise<string | null>
  /** The text of such a file. */
  text(path: string): Promise<string | null>
  /** The `build.json` of a module that people may have. */
  buildOf(module: Shown): Promise<ModuleBuild | null>
}

export function openBuilds(distDir: string, registry: PortalRegistry | undefined): Builds {
  const known = new Map<string, ModuleBuild>()

  async function file(path: string): Promise<string | null> {
    const built = inside(join(distDir, 'modules'), path)
    return (built && (await registry?.store.file(`modules/${path}`))) || built
  }

  async function text(path: string): Promise<string | null> {
    const found = await file(path)
    return found && readFile(found, 'utf8').catch(() => null)
  }

  async function buildOf({ name, build, withheld, disabled }: Shown): Promise<ModuleBuild | null> {
    if (withheld || disabled) return null
    const path = `${name}/${build}/build.json`
    const before = known.get(path)
    if (before) return before
    const record = await text(path)
    if (!record) return null
    const found = JSON.parse(record) as ModuleBuild
    // A build is immutable.
    known.set(path, found)
    return found
  }

  return { file, text, buildOf }
}
