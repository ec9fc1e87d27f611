import { execFileSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { beforeEach, expect, onTestFinished, test } from 'vitest'
import { buildId, forgetSources } from './sources.ts'

let dir: string

const git = (at: string, ...args: string[]) =>
  execFileSync(
    'git',
    ['-c', 'user.name=Awa', '-c', 'user.email=awa@partner.example', '-c', 'init.defaultBranch=main', ...args],
    { cwd: at, stdio: 'pipe' },
  )

function write(at: string, file: string, content: string | Buffer) {
  mkdirSync(dirname(join(at, file)), { recursive: true })
  writeFileSync(join(at, file), content)
}

/** The installed packages of the portal, which are not committed. */
const install = (at: string) =>
  write(at, 'node_modules/@portal/sdk/package.json', '{"name":"@portal/sdk","version":"1.0.0","digest":"d"}')

function folder() {
  const made = mkdtempSync(join(tmpdir(), 'build-id-'))
  onTestFinished(() => rmSync(made, { recursive: true, force: true }))
  return made
}

function idOf(at: string) {
  forgetSources()
  return buildId(at)
}

beforeEach(() => {
  dir = folder()
  write(dir, '.gitignore', 'node_modules/\ndist/\n*.key.json\ncoverage/\n')
  write(dir, 'package-lock.json', '{\n  "lockfileVersion": 3\n}\n')
  write(dir, 'src/module.ts', 'export const one = 1\nexport const two = 2\n')
  write(dir, 'src/logo.png', Buffer.from([0x89, 0x50, 0x0d, 0x0a, 0x00, 0x0d, 0x0a]))
  install(dir)
  git(dir, 'init', '-q')
  git(dir, 'add', '.')
  git(dir, 'commit', '-qm', 'Begin')
})

test('a team that commits nothing new keeps the id of its build', () => {
  const before = idOf(dir)
  git(dir, 'commit', '-q', '--allow-empty', '-m', 'Nothing new')
  expect(idOf(dir)).toBe(before)
})

test('a team’s key, reports and editor settings do not change the id of its build', () => {
  const before = idOf(dir)
  write(dir, 'awa.key.json', '{}')
  write(dir, 'coverage/report.html', '<p>')
  write(dir, '.idea/workspace.xml', '<x/>')
  expect(idOf(dir)).toBe(before)
})

test('a team’s CI gets the same id as the laptop, from a clone, with the line endings of Windows, and without git', () => {
  const clones = ['input', 'true'].map((autocrlf) => {
    const clone = join(folder(), 'elsewhere')
    git(dir, 'clone', '-q', '-c', `core.autocrlf=${autocrlf}`, dir, clone)
    return clone
  })
  const exported = folder()
  cpSync(dir, exported, { recursive: true })
  rmSync(join(exported, '.git'), { recursive: true })
  for (const clone of clones) install(clone)
  expect([...clones, exported].map(idOf)).toEqual(Array(3).fill(idOf(dir)))
})

test('a team that changes, adds or removes a source gets another id', () => {
  const ids = [idOf(dir)]
  write(dir, 'src/page.ts', 'export const page = 1\n')
  ids.push(idOf(dir))
  write(dir, 'src/page.ts', 'export const page = 2\n')
  ids.push(idOf(dir))
  rmSync(join(dir, 'src/logo.png'))
  ids.push(idOf(dir))
  expect(new Set(ids).size).toBe(4)
})

test('a team that builds in a hook of git gets the same id', () => {
  const before = idOf(dir)
  process.env.GIT_DIR = '.git'
  onTestFinished(() => void delete process.env.GIT_DIR)
  write(dir, 'awa.key.json', '{}')
  expect(idOf(dir)).toBe(before)
})
