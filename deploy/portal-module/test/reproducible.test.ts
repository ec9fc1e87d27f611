import { execFile } from 'node:child_process'
import {
  constants,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { filesBelow, integrityOf } from '@portal/build/files'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { root } from '../packing/emit.ts'
import { pack } from '../packing/pack.ts'
import { newModule } from '../src/new.ts'

const run = promisify(execFile)
let place: string
let vendor: string
beforeAll(async () => {
  place = mkdtempSync(join(tmpdir(), 'portal-twice-'))
  vendor = join(place, 'vendor')
  await pack(vendor)
}, 240_000)
// Two folders with packages, on a busy disk.
afterAll(() => rmSync(place, { recursive: true, force: true }), 60_000)

type Manifest = { dependencies?: object; optionalDependencies?: object }
const manifestIn = (folder: string): Manifest =>
  JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))

/** Installs the portal's packages from their archives, and all that they and the module ask for as it is installed here. */
async function install(dir: string) {
  const packages = join(dir, 'node_modules')
  mkdirSync(join(packages, '@portal'), { recursive: true })
  const asked: Manifest[] = [manifestIn(dir)]
  for (const archive of readdirSync(vendor)) {
    const folder = join(packages, '@portal', /^portal-([a-z0-9]+)-/.exec(archive)?.[1] ?? '')
    mkdirSync(folder)
    await run('tar', ['xzf', join(vendor, archive), '-C', folder, '--strip-components=1'])
    asked.push(manifestIn(folder))
  }
  for (const { dependencies, optionalDependencies } of asked)
    for (const name of Object.keys({ ...dependencies, ...optionalDependencies })) {
      const [from, to] = [join(root, 'node_modules', name), join(packages, name)]
      if (existsSync(to) || !existsSync(from)) continue
      cpSync(from, to, { recursive: true, verbatimSymlinks: true, mode: constants.COPYFILE_FICLONE })
      asked.push(manifestIn(from))
    }
}

const git = (dir: string, ...words: string[]) =>
  run('git', ['-c', 'user.name=Awa', '-c', 'user.email=awa@partner.example', ...words], { cwd: dir })

/** The hash of every file that a build writes, its compressed copies too. */
async function built(dir: string, env: NodeJS.ProcessEnv) {
  await install(dir)
  const command = join(dir, 'node_modules/@portal/module/bin/portal-module.mjs')
  await run(process.execPath, [command, 'build'], { cwd: dir, env: { ...process.env, ...env } })
  const folder = join(dir, 'dist')
  return Object.fromEntries(
    filesBelow(folder).map((file) => [file, integrityOf(readFileSync(join(folder, file)))]),
  )
}

test('a team that builds one commit in two folders of other names gets the same bytes, on the laptop and in CI', async () => {
  const laptop = join(place, 'mfe-clinics')
  await newModule(laptop, vendor)
  const write = (file: string, text: string) => writeFileSync(join(laptop, file), text)
  write('src/notes/notes.module.css', '.own { color: navy; background: url(./mark.svg) }\n')
  write(
    'src/notes/mark.svg',
    `<svg xmlns="http://www.w3.org/2000/svg"><!-- ${'mark '.repeat(4000)} --></svg>\n`,
  )
  const page = readFileSync(join(laptop, 'src/notes/NotesPage.tsx'), 'utf8')
  const styled = page.replace(/<Trans>.*<\/Trans>/, '<span className={styles.own}>$&</span>')
  write('src/notes/NotesPage.tsx', `import styles from './notes.module.css'\n${styled}`)
  await git(laptop, 'init', '-q')
  await git(laptop, 'add', '-A')
  await git(laptop, 'commit', '-qm', 'Begin')
  const ci = join(place, 'builds/group/0/checkout of a runner')
  mkdirSync(dirname(ci), { recursive: true })
  await git(place, 'clone', '-q', laptop, ci)
  expect(basename(ci)).not.toBe(basename(laptop))
  const here = await built(laptop, { TZ: 'Africa/Bamako', LANG: 'fr_FR.UTF-8' })
  const there = await built(ci, { TZ: 'Asia/Tokyo', LANG: 'C', CI: 'true' })
  expect(Object.keys(here).map((file) => file.replace(/^.*\./, '.'))).toEqual(
    expect.arrayContaining(['.js', '.css', '.svg', '.map', '.json', '.br', '.gz']),
  )
  expect(there).toEqual(here)
}, 240_000)
