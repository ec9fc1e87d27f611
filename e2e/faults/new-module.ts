import { execFile } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import { sentOf } from '@portal/sdk/gates/file-names'
import type { ModuleBuild } from '@portal/sdk/manifest'
import type { Publishable } from '../stage/publishing.ts'

const root = join(import.meta.dirname, '../..')
const run = promisify(execFile)

/** The command in the packages of a module. */
export const commandOf = (dir: string) => join(dir, 'node_modules/@portal/module/bin/portal-module.mjs')

/** Runs `portal-module` in a module, and returns what it prints, also when it fails. */
export async function portalModule(dir: string, ...words: string[]): Promise<string> {
  const done = await run(process.execPath, [commandOf(dir), ...words], { cwd: dir }).catch((fault) => fault)
  return done.stdout
}

/** What the compiler has to say of a module, with the words that its build makes. Nothing, if its types fit. */
export async function typeFaults(dir: string): Promise<string> {
  await portalModule(dir, 'words')
  const compiler = join(dir, 'node_modules/typescript/bin/tsc')
  const done = await run(process.execPath, [compiler, '--noEmit', '-p', '.'], { cwd: dir }).catch(
    (fault) => fault,
  )
  return done.stdout
}

/** A module outside of the repository, as `module:new` makes it. What is installed in it is this repository's. */
export async function makeModule(dir: string) {
  await run(process.execPath, [join(root, 'deploy/portal-module/packing/new-module.ts'), dir])
  await installPackages(dir)
}

/** Installs the portal's packages from `vendor/`, in the place of those that are installed; the others are this repository's. */
export async function installPackages(dir: string) {
  const packages = join(dir, 'node_modules')
  if (!existsSync(packages)) {
    mkdirSync(packages)
    for (const name of readdirSync(join(root, 'node_modules')))
      if (!name.startsWith('.') && name !== '@portal')
        symlinkSync(join(root, 'node_modules', name), join(packages, name))
  }
  rmSync(join(packages, '@portal'), { recursive: true, force: true })
  mkdirSync(join(packages, '@portal'))
  for (const archive of readdirSync(join(dir, 'vendor'))) {
    const folder = join(packages, '@portal', /^portal-([a-z0-9]+)-/.exec(archive)?.[1] ?? '')
    mkdirSync(folder)
    await run('tar', ['xzf', join(dir, 'vendor', archive), '-C', folder, '--strip-components=1'])
  }
}

/** The files of a build with their compressed copies. */
export function asSent(record: ModuleBuild, read: (file: string) => Buffer): Publishable['files'] {
  const files = Object.keys(sentOf(record)).flatMap((file) => {
    const content = read(file)
    return [
      [file, content],
      [`${file}.br`, brotliCompressSync(content)],
      [`${file}.gz`, gzipSync(content)],
    ] as const
  })
  return Object.fromEntries(files)
}

/** The files of a module's build, as the portal is given them. */
export function readModule(dir: string): Publishable {
  const read = (file: string) => readFileSync(join(dir, 'dist', file))
  const text = read('build.json').toString()
  const record = JSON.parse(text) as ModuleBuild
  return { record, text, files: asSent(record, read) }
}
