import { execFileSync } from 'node:child_process'
import { randomBytes, randomUUID } from 'node:crypto'
import { once } from 'node:events'
import {
  appendFileSync,
  chownSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import type { IncomingMessage } from 'node:http'
import { request } from 'node:https'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { afterAll, expect, test } from 'vitest'
import { parse, stringify } from 'yaml'
import { password, until } from '../portal.ts'
import { copySources, makeStandIns, startEngine } from './compose/engine.ts'
import { freePort } from './debian-postgres.ts'
import { guideOf } from './trial/guide.ts'

const folder = mkdtempSync(join(tmpdir(), 'portal-compose-'))
const sources = join(folder, 'portal')
const place = join(sources, 'deploy/compose')
const engine = await startEngine(folder)
const { docker } = engine
const compose = (words: string[], input = '') =>
  execFileSync('docker-compose', ['--project-name', 'portal', ...words], {
    cwd: place,
    env: engine.env,
    encoding: 'utf8',
    input,
    stdio: ['pipe', 'pipe', 'pipe'],
  })
afterAll(async () => {
  compose(['down', '--volumes'])
  await engine.stop()
  rmSync(folder, { recursive: true, force: true })
}, 60_000)

const [port, apiMachine, workerMachine] = [await freePort(), await freePort(), await freePort()]
type Init = { method?: string; body?: unknown; headers?: Record<string, string> }
/** Asks the proxy of the containers by the portal's name. */
async function ask(path: string, { method = 'GET', body, headers = {} }: Init = {}) {
  const sent = request({
    ...{ host: '127.0.0.1', port, path, method, rejectUnauthorized: false },
    servername: 'portal.example.org',
    headers: { host: 'portal.example.org', 'content-type': 'application/json', ...headers },
  })
  sent.end(body === undefined ? undefined : JSON.stringify(body))
  const [answer] = (await once(sent, 'response')) as [IncomingMessage]
  return { status: answer.statusCode, headers: answer.headers, text: await text(answer) }
}
const isUp = () =>
  ask('/').then(
    ({ status }) => status === 200,
    () => false,
  )

/** What docs/operating/containers.md says before `up`, with an address and a certificate of this machine. */
function install() {
  const file = parse(readFileSync(join(place, 'compose.yaml'), 'utf8'), { merge: true })
  // Compose 1.29 does not know the name of the project.
  delete file.name
  file.services.proxy.ports = [`127.0.0.1:${port}:443`]
  // Another portal may run on this machine.
  for (const [name, own] of Object.entries({ api: apiMachine, worker: workerMachine }))
    file.services[name].ports = file.services[name].ports.map((each: string) =>
      each.replace(/:\d+:/, `:${own}:`),
    )
  writeFileSync(join(place, 'compose.yaml'), stringify(file))
  writeFileSync(join(place, '.env'), 'PORTAL_VERSION=1\n')
  const settings = join(place, 'portal.env')
  const env = readFileSync(settings, 'utf8')
  writeFileSync(settings, env.replace(/(?<=^PORTAL_INSTALLATION=).*/m, randomUUID()))
  for (const name of ['secrets', 'backups', 'letsencrypt/live/portal'])
    mkdirSync(join(place, name), { recursive: true, mode: 0o700 })
  const address = (role: string) =>
    `postgresql://portal_${role}:${randomBytes(24).toString('hex')}@database:5432/portal`
  const secrets = {
    secret: randomBytes(36).toString('base64'),
    superuser: randomBytes(24).toString('hex'),
    'release-key': docker(['run', '--rm', 'portal:1', 'node', 'deploy/registry/src/command.ts', 'key:make']),
    database: address('app'),
    'database-owner': address('owner'),
    smtp: 'smtp://127.0.0.1:9',
  }
  for (const [name, content] of Object.entries(secrets)) {
    writeFileSync(join(place, 'secrets', name), `${content}\n`, { mode: 0o600 })
    chownSync(join(place, 'secrets', name), 1000, 1000)
  }
  for (const name of ['secrets', 'backups']) chownSync(join(place, name), 1000, 1000)
  const certificate = join(place, 'letsencrypt/live/portal')
  execFileSync('openssl', [
    ...['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '2', '-subj', '/CN=portal.example.org'],
    ...['-keyout', join(certificate, 'privkey.pem'), '-out', join(certificate, 'fullchain.pem')],
  ])
}

/** Runs a command of the portal as the page says. */
const run = (service: string, name: string, ...words: string[]) =>
  compose(['run', '--rm', '-T', '--no-deps', service, 'node', `api/src/commands/${name}.ts`, ...words])
/** The administrator signs in, with a session of its own as a browser has it. */
async function signIn() {
  const { headers } = await ask('/api/session')
  const cookies = (headers['set-cookie'] ?? []).map((each) => each.split(';')[0] ?? '')
  const token = cookies.find((each) => each.startsWith('XSRF-TOKEN='))?.slice('XSRF-TOKEN='.length) ?? ''
  return ask('/api/login', {
    method: 'POST',
    body: { email: 'awa@example.org', password },
    headers: {
      'x-requested-with': 'XMLHttpRequest',
      cookie: cookies.join('; '),
      'x-xsrf-token': decodeURIComponent(token),
    },
  })
}

test('an operator builds the image, starts the portal by Compose, backs up, upgrades, goes back, restores and changes the secret', async () => {
  makeStandIns(engine, folder)
  copySources(sources)
  docker(['build', '--quiet', '--tag', 'portal:1', '--file', join(place, 'Dockerfile'), sources])
  // What an operator pulls beside the base.
  const [base, whole] = ['gcr.io/distroless/cc-debian12', 'portal:1'].map((name) =>
    Number(docker(['inspect', '--format', '{{.Size}}', name])),
  )
  expect(((whole ?? 0) - (base ?? 0)) / 1e6).toBeLessThan(225)
  install()
  compose(['up', '--detach'])
  await until(isUp, 120_000)
  compose(
    [
      ...['run', '--rm', '-T', '-e', 'DATABASE_URL_FILE=/run/secrets/database'],
      ...['-e', 'PORTAL_SECRET_FILE=/run/secrets/secret', 'prepare', 'node'],
      ...['api/src/commands/admin-create.ts', 'awa@example.org', 'Awa', 'Diarra'],
    ],
    `${password}\n`,
  )
  expect((await signIn()).status).toBe(200)
  compose(['run', '--rm', '-T', 'backup'])
  expect(readdirSync(join(place, 'backups'))).toEqual([expect.stringMatching(/^\d{8}T\d{6}Z$/)])
  expect(run('worker', 'ledger-verify')).toMatch(/The ledger holds/)
  // Prometheus on this machine.
  for (const at of [apiMachine, workerMachine])
    expect(await (await fetch(`http://127.0.0.1:${at}/metrics`)).text()).toContain('portal_database_up 1')
  expect(run('erasures', 'audit-erase', 'user', '1')).toMatch(/The values of \d+ audit rows/)

  // The next release: api and worker are made anew, and the api's address goes to somebody else.
  docker(['tag', 'portal:1', 'portal:2'])
  writeFileSync(join(place, '.env'), 'PORTAL_VERSION=2\n')
  const api = compose(['ps', '--quiet', 'api']).trim()
  const { IPAddress } = JSON.parse(docker(['inspect', api]))[0].NetworkSettings.Networks.portal_default
  docker(['rm', '--force', api])
  const taken = ['--network', 'portal_default', '--ip', IPAddress]
  const other = docker(['run', '--detach', '--rm', ...taken, 'base', 'sleep', '600'])
  const away = await ask('/')
  expect([away.status, away.headers['retry-after']]).toEqual([503, '5'])
  expect(away.text).toContain('comes back by itself')
  compose(['run', '--rm', '-T', '--no-deps', 'release'])
  compose(['run', '--rm', '-T', '--no-deps', 'prepare'])
  compose(['up', '--detach'])
  compose(['restart', 'proxy'])
  await until(isUp, 60_000)
  docker(['rm', '--force', other])
  expect((await signIn()).status).toBe(200)

  writeFileSync(join(place, '.env'), 'PORTAL_VERSION=1\n')
  compose(['run', '--rm', '-T', '--no-deps', 'release'])
  compose(['up', '--detach', '--no-deps', 'api', 'worker'])
  await until(isUp, 60_000)
  expect((await signIn()).status).toBe(200)

  // A new password of a role needs its file and a start.
  const file = join(place, 'secrets/database')
  writeFileSync(file, readFileSync(file, 'utf8').replace(/(?<=portal_app:)\w+/, 'another0password'))
  compose(['up', '--detach', '--force-recreate', 'roles', 'api'])
  await until(isUp, 60_000)
  expect((await signIn()).status).toBe(200)

  await restore()
  await until(isUp, 60_000)
  expect((await signIn()).status).toBe(200)

  await changeSecret()
  await until(isUp, 60_000)
  expect((await signIn()).status).toBe(200)
}, 1_500_000)

/** What docs/operating/containers.md says under "Restore": the first backup, into another database and another volume. */
async function restore() {
  const psql = (line: string) =>
    compose(['exec', '-T', 'database', 'psql', '--username', 'postgres', '--command', line])
  compose(['stop', 'proxy', 'api', 'worker'])
  psql('alter database portal rename to portal_before')
  appendFileSync(join(place, '.env'), 'PORTAL_DATA=portal_data_restored\n')
  compose(['run', '--rm', '-T', 'roles'])
  compose(['run', '--rm', '-T', '--no-deps', 'worker', 'node', '--version'])
  const [backup] = readdirSync(join(place, 'backups'))
  expect(compose(['run', '--rm', '-T', 'restore', `/backups/${backup}`])).toContain('Not verified yet')
  const verified = compose(['run', '--rm', '-T', '--no-deps', 'worker', 'node', 'api/src/commands/verify.ts'])
  expect(verified).toMatch(/audit log: holds.*ledger: holds/s)
  compose(['up', '--detach'])
}

/** What it says under "Change of the secret", with the lines of the page, which wants the plugin of Compose. */
async function changeSecret() {
  const [begin = '', check = '', end = ''] = guideOf('containers.md').blocksBelow('Change of the secret')
  const type = (block: string) =>
    execFileSync(
      'sh',
      [
        '-euc',
        block
          .replaceAll('docker compose', 'docker-compose -p portal')
          .replaceAll(' --wait', '')
          .replaceAll('run --rm', 'run --rm -T'),
      ],
      {
        cwd: place,
        env: engine.env,
        encoding: 'utf8',
        stdio: ['ignore', 'pipe', 'pipe'],
      },
    )
  const secret = readFileSync(join(place, 'secrets/secret'), 'utf8')
  expect(type(begin)).toMatch(/The former secret .* has nothing sealed any more/)
  for (const name of ['secret', 'secret-former']) {
    const { mode, uid } = statSync(join(place, 'secrets', name))
    expect([name, mode & 0o777, uid]).toEqual([name, 0o600, 1000])
  }
  await until(async () => {
    try {
      return type(check)
    } catch {
      // The worker signs its files anew within a minute.
      return false
    }
  }, 120_000)
  type(end)
  expect(readFileSync(join(place, 'secrets/secret'), 'utf8')).not.toBe(secret)
}
