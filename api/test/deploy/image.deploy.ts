import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  chmodSync,
  chownSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { password, until } from '../portal.ts'
import { freePort, startDebianPostgres } from './debian-postgres.ts'
import { copyLibraries } from './pods/libraries.ts'

// The image without a container engine: a folder with what the Dockerfile copies, which is read-only and the root of the
// programs, and account 1000. Of the system it has the C and C++ libraries only, which is less than the image's base has.
const root = join(import.meta.dirname, '../../..')
const image = mkdtempSync(join(tmpdir(), 'portal-image-'))
const data = mkdtempSync(join(tmpdir(), 'portal-image-data-'))
const account = 1000
afterAll(() => {
  for (const folder of [image, data]) rmSync(folder, { recursive: true })
})

/** Bytes of the files of a folder, which is what a layer has. */
const bytes = (folder: string) =>
  Number(
    execFileSync('du', ['--summarize', '--apparent-size', '--bytes', folder], { encoding: 'utf8' }).split(
      '\t',
    )[0],
  )

beforeAll(() => {
  chmodSync(image, 0o755)
  for (const name of ['proc', 'tmp', 'var/lib/portal', 'usr/local/bin'])
    mkdirSync(join(image, name), { recursive: true })
  execFileSync(process.execPath, [join(root, 'deploy/compose/programs.ts'), join(image, 'portal')])
  const node = join(image, 'usr/local/bin/node')
  cpSync(realpathSync(process.execPath), node)
  copyLibraries(image, join(image, 'portal'))
  chownSync(data, account, account)
}, 120_000)

const enter = `root=$0
  mount --bind "$0" "$0" && mount -o remount,bind,ro "$0" && mount -t proc proc "$0/proc" && mount -t tmpfs tmp "$0/tmp" &&
  mount --bind "$1" "$0/var/lib/portal" && shift &&
  exec unshare --root="$root" --wd=/portal --setuid=${account} --setgid=${account} "$@"`

/** Starts a program in the image, with mounts of its own that end with it. */
const start = (env: Record<string, string>, words: string[]): ChildProcess =>
  spawn('unshare', ['--mount', 'sh', '-c', enter, image, data, '/usr/local/bin/node', ...words], {
    env: {
      PATH: '/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin',
      NODE_ENV: 'production',
      HOST: '127.0.0.1',
      PORTAL_DATA_DIR: '/var/lib/portal',
      ...env,
    },
  })

async function run(env: Record<string, string>, words: string[], input = ''): Promise<string> {
  const child = start(env, words)
  child.stdin?.end(input)
  if (!child.stdout || !child.stderr) throw new Error('no output')
  const [out, err, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')])
  if (code !== 0) throw new Error(`${words.join(' ')} ended with ${code}: ${err}`)
  return out.trim()
}

test('whoever pulls the image gets the programs without compilers, and they are small', () => {
  expect(bytes(join(image, 'portal')) / 1e6).toBeLessThan(80)
  // The base of the image has 23 MB, with the libraries that are in this folder, too.
  expect(bytes(image) / 1e6).toBeLessThan(225)
})

test('an operator starts a portal from the image, and its administrator signs in', async () => {
  const postgres = await startDebianPostgres()
  const { ownerUrl, appUrl } = await postgres.database('image')
  const [port, apiMachine, workerMachine] = [await freePort(), await freePort(), await freePort()]
  const host = 'portal.example.org'
  const settings = {
    PORTAL_PUBLIC_URL: `https://${host}`,
    PORTAL_INSTALLATION: '6f1f8fcd-6f0c-4d0e-8d54-7d9a2f8c1f10',
    PORTAL_SECRET: 'a secret of more than thirty-two characters',
    PORTAL_AGENCY_HOSTS: 'api.agency.example',
    DATABASE_URL: appUrl,
  }
  const key = await run({}, ['deploy/registry/src/command.ts', 'key:make'])
  await run({ PORTAL_RELEASE_KEY: key }, ['deploy/registry/src/command.ts', 'release'])
  await run({ ...settings, DATABASE_OWNER_URL: ownerUrl }, ['api/src/commands/prepare.ts'])
  const command = 'api/src/commands/admin-create.ts'
  await run(settings, [command, 'awa@example.org', 'Awa', 'Diarra'], `${password}\n`)

  const ports = { api: apiMachine, worker: workerMachine }
  for (const role of ['api', 'worker'] as const) {
    const child = start(
      {
        ...settings,
        PORTAL_ROLE: role,
        PORT: String(port),
        PORTAL_MACHINE_PORT: String(ports[role]),
        SMTP_URL: 'smtp://127.0.0.1:9',
        TRUSTED_PROXIES: '127.0.0.1',
      },
      ['api/src/main.ts'],
    )
    onTestFinished(async () => {
      child.kill('SIGTERM')
      await once(child, 'exit')
    })
  }
  for (const machine of Object.values(ports))
    await until(() =>
      fetch(`http://127.0.0.1:${machine}/readyz`).then(
        ({ ok }) => ok,
        () => false,
      ),
    )

  const through = { 'x-forwarded-proto': 'https', 'x-forwarded-for': '192.0.2.1' }
  const read = (path: string) => fetch(`http://127.0.0.1:${port}${path}`, { headers: through })
  expect((await read('/login')).status).toBe(200)
  expect(await (await read('/modules.json')).text()).toContain('mfe-transfers')
  const cookies = (await read('/api/session')).headers.getSetCookie().map((each) => each.split(';')[0] ?? '')
  const token = cookies.find((each) => each.startsWith('XSRF-TOKEN='))?.slice('XSRF-TOKEN='.length) ?? ''
  const signedIn = await fetch(`http://127.0.0.1:${port}/api/login`, {
    method: 'POST',
    headers: {
      ...through,
      'content-type': 'application/json',
      'x-requested-with': 'XMLHttpRequest',
      cookie: cookies.join('; '),
      'x-xsrf-token': decodeURIComponent(token),
    },
    body: JSON.stringify({ email: 'awa@example.org', password }),
  })
  expect(signedIn.status).toBe(200)
})

test('every library that the programs name is in the image and can be loaded', async () => {
  for (const workspace of ['api', 'deploy/registry', 'deploy/gateway', 'shared/excel']) {
    const { dependencies } = JSON.parse(readFileSync(join(root, workspace, 'package.json'), 'utf8')) as {
      dependencies: Record<string, string>
    }
    const names = Object.keys(dependencies).filter((name) => !name.startsWith('@portal/'))
    const load = `import { createRequire } from 'node:module'
      const { resolve } = createRequire('/portal/${workspace}/package.json')
      for (const name of ${JSON.stringify(names)}) await import(resolve(name))`
    await run({}, ['--input-type=module', '--eval', load])
  }
})
