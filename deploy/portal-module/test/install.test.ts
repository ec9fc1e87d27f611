import { execFile } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { root } from '../packing/emit.ts'
import { archives, pack } from '../packing/pack.ts'
import { newModule } from '../src/new.ts'

let place: string
beforeAll(async () => {
  place = mkdtempSync(join(tmpdir(), 'portal-install-'))
  await pack(join(place, 'vendor'))
}, 240_000)
afterAll(() => rmSync(place, { recursive: true, force: true }))

/** A public registry. It has every package in the version that is installed here, and also packages of a stranger called @portal. */
async function publicRegistry() {
  const asked: string[] = []
  const server = createServer((request, reply) => {
    const name = decodeURIComponent(request.url ?? '').slice(1)
    asked.push(name)
    const own = join(root, 'node_modules', name, 'package.json')
    const version = existsSync(own) ? JSON.parse(readFileSync(own, 'utf8')).version : '9.9.9'
    const address = `http://${request.headers.host}/${name}/-/${version}.tgz`
    const dist = { tarball: address, integrity: `sha512-${'A'.repeat(86)}==` }
    reply.setHeader('content-type', 'application/json')
    reply.end(
      JSON.stringify({
        name,
        'dist-tags': { latest: version },
        versions: { [version]: { name, version, dist } },
      }),
    )
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  const { port } = server.address() as { port: number }
  return { address: `http://127.0.0.1:${port}/`, asked }
}

/** `npm install` without fetching the files of packages: it decides only which package comes from where. */
function install(dir: string, registry: string): Promise<{ code: number; output: string }> {
  const kept = Object.entries(process.env).filter(([name]) => !/^(npm_|INIT_CWD|NODE_)/.test(name))
  const own = { npm_config_registry: registry, npm_config_cache: join(place, 'cache') }
  const args = ['install', '--package-lock-only', '--no-audit', '--no-fund', '--fetch-retries=0']
  return new Promise((resolve) => {
    const options = { cwd: dir, env: { ...Object.fromEntries(kept), ...own } }
    execFile('npm', args, options, (fault, out, err) =>
      resolve({ code: fault ? Number(fault.code ?? 1) : 0, output: out + err }),
    )
  })
}

async function scaffold(name: string) {
  const dir = join(place, name)
  await newModule(dir, join(place, 'vendor'))
  return dir
}

const ofPortal = (asked: string[]) => asked.filter((name) => name.includes('@portal'))

test('a team installs the portal’s packages from vendor/ with their hashes, and npm asks nobody else for them', async () => {
  const dir = await scaffold('mfe-clinics')
  const { address, asked } = await publicRegistry()
  expect(await install(dir, address)).toMatchObject({ code: 0 })
  expect(asked).toContain('react')
  expect(ofPortal(asked)).toEqual([])
  const { packages } = JSON.parse(readFileSync(join(dir, 'package-lock.json'), 'utf8'))
  for (const { name, file } of archives())
    expect(packages[`node_modules/${name}`]).toMatchObject({
      resolved: `file:vendor/${file}`,
      integrity: expect.stringMatching(/^sha512-/),
    })
}, 240_000)

test('a team that forgets a package of the portal gets none of a stranger who took its name', async () => {
  const dir = await scaffold('mfe-shops')
  const manifest = JSON.parse(readFileSync(join(dir, 'package.json'), 'utf8'))
  delete manifest.dependencies['@portal/client']
  manifest.dependencies['@portal/charts'] = '*'
  writeFileSync(join(dir, 'package.json'), JSON.stringify(manifest))
  const { address, asked } = await publicRegistry()
  const { code, output } = await install(dir, address)
  expect(ofPortal(asked)).toEqual([])
  expect(code).not.toBe(0)
  expect(output).toContain('packages-of-the-portal-are-in-vendor')
}, 240_000)
