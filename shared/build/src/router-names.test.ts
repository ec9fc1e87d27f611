import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createRsbuild, mergeRsbuildConfig } from '@rsbuild/core'
import { expect, onTestFinished, test } from 'vitest'
import { moduleConfig } from './rsbuild.ts'
import { root } from './sources.ts'

/** Builds a module of a single page, as a partner's is built. */
async function buildWith(page: string) {
  await mkdir(join(root, 'node_modules/.cache'), { recursive: true })
  const dir = await mkdtemp(join(root, 'node_modules/.cache/mfe-names-'))
  onTestFinished(() => rm(dir, { recursive: true, force: true }))
  await mkdir(join(dir, 'src'))
  await symlink(join(root, 'node_modules'), join(dir, 'node_modules'))
  await writeFile(join(dir, 'package.json'), JSON.stringify({ name: 'mfe-names', version: '1.0.0' }))
  const manifest = { name: 'mfe-names', contract: '^1.2.0' }
  await writeFile(join(dir, 'portal.module.json'), JSON.stringify(manifest))
  await writeFile(join(dir, 'src/page.ts'), page)
  await writeFile(join(dir, 'src/module.ts'), `export default () => import('./page.ts')`)
  // Nothing is kept of it: the bundler writes its cache a moment longer than the build lasts, and the folder is removed.
  const rsbuildConfig = mergeRsbuildConfig(moduleConfig(dir), { performance: { buildCache: false } })
  const rsbuild = await createRsbuild({ cwd: dir, rsbuildConfig })
  const { close } = await rsbuild.build()
  await close()
}

test('a module is built with the names of the router that the portal shares, and with its types', async () => {
  await buildWith(
    `import { Link, type Location, useParams } from 'react-router-dom'
     export default (at: Location) => [Link, useParams(), at]`,
  )
})

test('a partner who imports a name that the portal does not share reads which, and which there are', async () => {
  const built = buildWith(
    `import { Link, useFetcher } from 'react-router-dom'
     export { useBlocker } from 'react-router-dom'
     export default () => [Link, useFetcher()]`,
  )
  await expect(built).rejects.toThrow(
    'The portal does not share useBlocker, useFetcher of react-router-dom. A module can import Link, NavLink, Navigate,',
  )
})

test('a partner who takes the router as a whole is refused, because nobody can say what of it', async () => {
  const built = buildWith(
    `import * as router from 'react-router-dom'\nexport default () => Object.keys(router)`,
  )
  await expect(built).rejects.toThrow('The portal does not share * of react-router-dom.')
})
