import { existsSync, readdirSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'

/** The page on which a module runs alone, bundled for this module's React and packages; by their addresses. */
export async function aloneFiles(dir: string): Promise<[path: string, content: Buffer][]> {
  const { createRsbuild } = await import('@rsbuild/core')
  const { aloneConfig } = await import('@portal/build/rsbuild')
  const folder = join(dir, 'node_modules/.cache/portal/alone')
  const packed = join(import.meta.dirname, 'page.jsx')
  const entry = existsSync(packed) ? packed : join(import.meta.dirname, 'page.tsx')
  const rsbuild = await createRsbuild({ cwd: dir, rsbuildConfig: aloneConfig(dir, entry, folder) })
  await (await rsbuild.build()).close()
  const names = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((found) => found.isFile())
    .map((found) => join(found.parentPath, found.name))
  return Promise.all(
    names.map(
      async (name): Promise<[string, Buffer]> => [
        name.slice(folder.length).replaceAll('\\', '/'),
        await readFile(name),
      ],
    ),
  )
}
