import { execFile } from 'node:child_process'
import { readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { cp, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { ModuleBuild } from '@portal/sdk/manifest'
import { place } from '../stage/place.ts'
import { admit, publisher } from './publisher.ts'

const root = join(import.meta.dirname, '../..')
const command = join(root, 'deploy/portal-module/bin/portal-module.mjs')
const run = promisify(execFile)

/**
 * A remote as another team has it: a project of its own that knows React and the federation plugin, and nothing of
 * the portal. It is built in a folder outside this repository.
 */
export async function makeRemote() {
  const folder = await mkdtemp(join(tmpdir(), 'portal-remote-'))
  await cp(join(import.meta.dirname, 'plain-remote'), folder, { recursive: true })
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'))
  const build = () => run(process.execPath, ['build.mjs'], { cwd: folder })
  await build()
  let latest = { version: '2.3.0', heading: 'Rain in Kayes' }
  return {
    folder,
    /** Its next version, with another heading. */
    async rebuild(version: string, heading: string) {
      for (const [file, from, to] of [
        ['package.json', latest.version, version],
        ['src/Report.jsx', latest.heading, heading],
      ] as const) {
        const path = join(folder, file)
        writeFileSync(path, readFileSync(path, 'utf8').replace(from, to))
      }
      latest = { version, heading }
      await build()
    },
    end: () => rm(folder, { recursive: true, force: true }),
  }
}

/** Runs `portal-module` as a person of the team would; answers what it said. */
async function portalModule(folder: string, ...args: string[]): Promise<string> {
  const { stdout } = await run(process.execPath, [command, ...args], { cwd: folder })
  return stdout
}

/** Imports the remote, publishes it with one person's key and makes it live with another's, in the page or in a frame. */
export async function publishRemote(
  folder: string,
  name: string,
  flags: Record<string, string>,
  { trusted = true } = {},
) {
  const given = Object.entries({ name, ...flags }).flatMap(([flag, value]) => [`--${flag}`, value])
  await portalModule(folder, 'import', 'dist', ...given)
  const imported = join(folder, name)
  for (const person of ['awa', 'moussa']) {
    const { key } = await publisher(person, [name])
    const half = { kty: 'OKP', crv: 'Ed25519', x: key.jwk.x, d: key.jwk.d }
    const file = join(folder, `${person}.key.json`)
    writeFileSync(file, JSON.stringify({ id: key.id, person, private: half }), { mode: 0o600 })
  }
  const as = (person: string) => ['--portal', place.url, '--key', join(folder, `${person}.key.json`)]
  const published = await portalModule(imported, 'publish', ...as('awa'))
  const record: ModuleBuild = JSON.parse(readFileSync(join(imported, 'build.json'), 'utf8'))
  await admit({ record }, trusted)
  const promoted = await portalModule(imported, 'promote', ...as('moussa'))
  return { record, output: `${published}\n${promoted}` }
}
