import { execFileSync } from 'node:child_process'
import { randomBytes, randomUUID } from 'node:crypto'
import { mkdirSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { programs } from '../../../../scripts/lib/programs.mjs'
import { freePort } from '../debian-postgres.ts'
import { makeGateways } from './gateways.ts'
import { makeNginx } from './nginx.ts'
import { Program } from './program.ts'

const root = join(import.meta.dirname, '../../../..')
type AtEnd = (end: () => Promise<unknown>) => void

/** The sources of a release, with its own build in `dist`. */
export type Release = string
export const thisRelease: Release = root

export type ServerOptions = {
  folder: string
  ownerUrl: string
  appUrl: string
  agencyHost: string
  /** The release that the processes start with. */
  release?: Release
  settings?: Record<string, string>
  /** The data folder of the workers, if it is not to be a new one. */
  workersDir?: string
  /** Two machines with nginx in a network of their own, and not one on this machine. It needs root. */
  twoGateways?: boolean
  atEnd: AtEnd
}

const isOk = async (url: string) => (await fetch(url, { signal: AbortSignal.timeout(3_000) })).status === 200

/** An api or a worker. `release` is what it runs after its next start. */
export type Server = { program: Program; release: Release; port: number; machinePort: number }

/**
 * What a portal on several servers is made of, besides its database: a store of files and modules, two apis, which serve the
 * pages too, behind nginx with TLS, and two workers. Every machine but the workers' has a data folder of its own.
 */
export async function startServers(options: ServerOptions) {
  const { folder, ownerUrl, appUrl, agencyHost, atEnd } = options
  const logs = join(folder, 'logs')
  mkdirSync(logs)
  // A copy of a portal has the store of that portal.
  const store = options.settings?.S3_ENDPOINT ? null : await startStore(folder, logs)
  atEnd(async () => store?.program.stop('SIGKILL'))
  const gateways = options.twoGateways ? makeGateways(folder, atEnd) : null
  const publicPort = await freePort()
  const url = gateways?.url ?? `https://localhost:${publicPort}`
  const host = gateways?.here ?? '127.0.0.1'
  const shared = {
    PATH: process.env.PATH,
    // Answers are compared with their contracts, and the agency may be on this machine.
    NODE_ENV: 'test',
    PORTAL_DEMO: 'false',
    PORTAL_REQUIRE_CODES: 'false',
    PORTAL_PUBLIC_URL: url,
    PORTAL_SECRET: randomBytes(32).toString('base64url'),
    PORTAL_INSTALLATION: randomUUID(),
    PORTAL_AGENCY_HOSTS: agencyHost,
    HOST: host,
    TRUSTED_PROXIES: gateways?.proxies.join() ?? '127.0.0.1',
    PORTAL_STORAGE: 's3',
    S3_FILES_BUCKET: 'files',
    S3_BUCKET: 'modules',
    S3_KEY: 'portal',
    ...(store && { S3_ENDPOINT: store.url, S3_SECRET: store.secret }),
    PORTAL_DRAIN_SECONDS: '5',
    LOG_LEVEL: 'warn',
    ...options.settings,
  }
  const make = async (role: 'api' | 'worker', name: string): Promise<Server> => {
    const [port, machinePort] = [await freePort(), await freePort()]
    const server = { release: options.release ?? thisRelease, port, machinePort } as Server
    const { script, nodeArgs, env } = programs[role]
    server.program = new Program({
      name,
      command: process.execPath,
      get args() {
        return [...nodeArgs, join(server.release, relative(root, script))]
      },
      get env() {
        return {
          ...{ ...shared, ...env, DATABASE_URL: appUrl, PORTAL_DIST_DIR: join(server.release, 'dist') },
          ...{ PORT: String(port), PORTAL_MACHINE_PORT: String(machinePort) },
          // The mark of sending has to be one for all workers.
          PORTAL_DATA_DIR:
            role === 'api' ? join(folder, name) : (options.workersDir ?? join(folder, 'workers')),
        }
      },
      log: join(logs, `${name}.log`),
      // Releases up to 0.1.0 are ready before they listen.
      isUp: async () =>
        (await isOk(`http://${host}:${machinePort}/readyz`)) &&
        (role === 'worker' || (await isOk(`http://${host}:${port}/api/health`))),
    })
    atEnd(() => server.program.stop('SIGKILL'))
    return server
  }
  const apis = [await make('api', 'api-1'), await make('api', 'api-2')]
  const workers = [await make('worker', 'worker-1'), await make('worker', 'worker-2')]
  const ports = apis.map(({ port }) => port)
  const nginx = gateways ? null : await makeNginx({ folder, logs, port: publicPort, apis: ports })
  atEnd(async () => nginx?.program.stop('SIGKILL'))
  const certificate = gateways?.certificate ?? nginx?.certificate ?? ''
  /** Runs a command of a release to its end, with the settings of the servers. */
  const command = (
    script: string,
    words: string[] = [],
    release: Release = thisRelease,
    more: Record<string, string> = {},
  ) =>
    execFileSync(process.execPath, [join(release, script), ...words], {
      env: {
        ...shared,
        ...more,
        DATABASE_URL: appUrl,
        DATABASE_OWNER_URL: ownerUrl,
        PORTAL_DATA_DIR: join(folder, 'commands'),
        PORTAL_DIST_DIR: join(release, 'dist'),
        PORTAL_RELEASE_KEY: releaseKey,
        // The commands of the registry ask the portal for its store.
        NODE_EXTRA_CA_CERTS: certificate,
      },
      encoding: 'utf8',
    })
  const releaseKey = execFileSync(
    process.execPath,
    [join(root, 'deploy/registry/src/command.ts'), 'key:make'],
    { encoding: 'utf8' },
  ).trim()
  const run = async () => {
    const all = [...apis, ...workers].map(({ program }) => program)
    if (nginx) all.push(nginx.program)
    for (const program of all) program.start()
    await Promise.all(all.map((program) => program.ready()))
    await gateways?.start(ports)
  }
  return {
    url,
    settings: shared,
    /** What people's browsers reach, if no name server knows the name. */
    address: gateways?.address,
    certificate: readFileSync(certificate, 'utf8'),
    apis,
    workers,
    gateways,
    store: store?.program,
    command,
    /** release, prepare, then api and worker, and nginx. */
    async start(release: Release = thisRelease) {
      command('deploy/registry/src/command.ts', ['release'], release)
      command('api/src/commands/prepare.ts', [], release)
      await run()
    },
    run,
  }
}

async function startStore(folder: string, logs: string) {
  const port = await freePort()
  const secret = randomBytes(24).toString('hex')
  const url = `http://127.0.0.1:${port}`
  const program = new Program({
    name: 'object store',
    command: process.execPath,
    args: [programs.store.script],
    env: {
      OBJECT_STORE_PORT: String(port),
      OBJECT_STORE_SECRET: secret,
      OBJECT_STORE_BUCKETS: 'files,modules',
      OBJECT_STORE_DIR: join(folder, 'store'),
    },
    log: join(logs, 'store.log'),
    isUp: async () => (await fetch(`${url}/-/objects`)).ok,
  })
  program.start()
  await program.ready()
  return { program, url, secret }
}
