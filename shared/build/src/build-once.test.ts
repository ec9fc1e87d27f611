import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { buildOnce } from './build-once.ts'
import { aloneConfig } from './rsbuild.ts'
import { root } from './sources.ts'

test('a page that could not be built because a package lacked a file is built once the file is there', async () => {
  await mkdir(join(root, 'node_modules/.cache'), { recursive: true })
  const dir = await mkdtemp(join(root, 'node_modules/.cache/once-'))
  onTestFinished(() => rm(dir, { recursive: true, force: true }))
  const parts = join(dir, 'node_modules/parts')
  await mkdir(parts, { recursive: true })
  await writeFile(join(parts, 'package.json'), JSON.stringify({ name: 'parts', version: '1.0.0' }))
  await writeFile(join(parts, 'index.js'), `export { words } from './words.js'`)
  await writeFile(join(dir, 'page.html'), '<div></div>')
  await writeFile(join(dir, 'page.tsx'), `import { words } from 'parts'\ndocument.title = words`)
  const page = { entry: join(dir, 'page.tsx'), folder: join(dir, 'built'), assetPrefix: '/' }
  const build = async () => {
    const { close } = await buildOnce(dir, aloneConfig(dir, { ...page, mode: 'production' }))
    await close()
  }

  await expect(build()).rejects.toThrow()
  await writeFile(join(parts, 'words.js'), `export const words = 'Élèves'`)
  await build()
})
