import { readdirSync, readFileSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { buildAll } from '@portal/build/build-all'
import { modulesAddress } from '@portal/contracts/modules-address'
import type { RegistryModule } from '@portal/sdk/manifest'
import { fileHeaders, moduleFileHeaders, pageHeaders } from '../../gateway/src/headers.ts'
import { modulesOrigin } from '../../gateway/src/modules-origin.ts'
import type { StageContents } from '../src/browser/stage.ts'
import { root } from './emit.ts'
import { type PackedFile, tarball } from './tarball.ts'

/** The product's modules on whose pages others have tabs. */
const hosts = ['mfe-cases', 'mfe-geo-schools']
const version = '0.1.0'

/** Stand-ins for addresses and builds that are known when a test runs. */
const at = {
  portal: 'http://portal.invalid',
  frames: 'http://frames.invalid',
  machine: 'http://machine.invalid/',
}
const framed = { name: 'NAME', build: 'BUILD', images: ['https://images.invalid'] }

/** The archive of `@portal/stage`: the built shell, the modules that have tabs of others, and the gateway's headers. */
export const stageArchive = `portal-stage-${version}.tgz`

/** Copies for servers that compress, and source maps that no browser gets. */
const isLeft = (path: string) => /\.(br|gz|map)$/.test(path)

function filesIn(folder: string): PackedFile[] {
  return readdirSync(join(root, 'dist', folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !isLeft(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
    .map((path) => ({
      path: path.slice(join(root, 'dist').length + 1).replaceAll('\\', '/'),
      content: readFileSync(path),
    }))
}

/** The shell's files that its pages of now name. The folder also has those of earlier builds, for open tabs. */
function shellFiles(): PackedFile[] {
  const all = filesIn('shell')
  const texts = all.filter(({ path }) => /\.(html|json|js|css)$/.test(path))
  const wanted = new Set(all.filter(({ path }) => !path.startsWith('shell/assets/')))
  const named = (file: PackedFile) => file.path.split('/').at(-1) ?? ''
  const unknown = new Map(all.filter((file) => !wanted.has(file)).map((file) => [named(file), file]))
  // Names of lazy files are put together from an id and a hash, so a file is looked for by its hash.
  const mark = (name: string) => /\.([0-9a-f]{10})\./.exec(name)?.[1] ?? name
  for (let before = -1; before !== wanted.size; ) {
    before = wanted.size
    const read = texts.filter((file) => wanted.has(file)).map(({ content }) => String(content))
    for (const [name, file] of unknown)
      if (read.some((text) => text.includes(mark(name)))) {
        wanted.add(file)
        unknown.delete(name)
      }
  }
  return [...wanted]
}

function contents(): StageContents {
  const { modules } = JSON.parse(readFileSync(join(root, 'dist/modules.json'), 'utf8')) as {
    modules: RegistryModule[]
  }
  // The test portal has one module, so one host is enough.
  const modulesAt = modulesAddress(at.frames)
  const options = { publicUrl: at.portal, modulesAt, frameSrc: null, dev: false }
  const frames = modulesOrigin(modulesAt, at.portal)
  return {
    modules: modules.filter(({ name }) => hosts.includes(name)).map((each) => ({ ...each, previous: null })),
    headers: {
      page: pageHeaders(options),
      frame: frames.pageHeaders(framed, {}),
      developedFrame: frames.pageHeaders({ ...framed, base: at.machine }, {}),
      file: fileHeaders(),
      moduleFile: moduleFileHeaders('module.js'),
      framesFile: frames.fileHeaders({}),
    },
  }
}

/** Builds what changed, and writes the archive into a folder. Returns its name. */
export async function packStage(to: string): Promise<string> {
  await buildAll()
  const made = contents()
  const folders = made.modules.map(({ name, build }) => `modules/${name}/${build}`)
  const manifest = {
    ...{ name: '@portal/stage', version, license: 'Apache-2.0', type: 'module' },
    exports: { './package.json': './package.json' },
  }
  const files = [
    ...shellFiles(),
    ...folders.flatMap(filesIn),
    { path: 'stage.json', content: Buffer.from(JSON.stringify(made)) },
    { path: 'package.json', content: Buffer.from(`${JSON.stringify(manifest, null, 2)}\n`) },
  ]
  await writeFile(join(to, stageArchive), tarball(files))
  return stageArchive
}
