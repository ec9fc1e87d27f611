import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { readSettings, SettingsFault } from '../../src/kit/process/settings.ts'
import { isSecret, settingNames } from '../../src/settings-page.ts'
import { charted, ownersCommands, type Program, read, root } from '../deploy/chart.ts'

/** The lines of an environment file. */
const settingsIn = (text: string): Record<string, string> =>
  Object.fromEntries(
    text
      .split('\n')
      .filter((line) => /^[A-Z]/.test(line))
      .map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]),
  )

function units(): Program[] {
  const folder = 'deploy/systemd'
  const names = readdirSync(join(root, folder)).filter((name) => name.endsWith('.service'))
  return names.map((name) => {
    const text = read(`${folder}/${name}`)
    const all = (key: string) =>
      [...text.matchAll(new RegExp(`^${key}=(.*)$`, 'gm'))].map(([, value = '']) => value)
    const env = all('Environment').flatMap((line) => line.split(' '))
    return {
      name: name.replace(/^portal-|\.service$/g, ''),
      env: {
        ...(all('EnvironmentFile').length && settingsIn(read(`${folder}/portal.env`))),
        ...settingsIn(env.join('\n')),
      },
      secrets: all('LoadCredential').map((line) => line.split(':')[0] ?? ''),
      after: all('Requires').map((each) => each.replace(/^portal-|\.service$/g, '')),
      text,
    }
  })
}

type Service = {
  env_file?: string
  environment?: Record<string, string>
  secrets?: string[]
  depends_on?: Record<string, { condition: string }>
}
type StoreService = Service & {
  image?: string
  command?: string[]
  entrypoint?: string[]
  profiles?: string[]
  volumes?: string[]
}
const composed = (file: string) =>
  parse(read(`deploy/compose/${file}`), { merge: true }) as {
    services: Record<string, Service>
    volumes: Record<string, object>
    secrets: Record<string, { file: string }>
  }

/** The services of the files, put together as Compose does it: settings and what to wait for by name, secrets one after the other. */
function containers(...files: string[]): Program[] {
  const services: Record<string, Service> = {}
  for (const [name, service] of files.flatMap((file) => Object.entries(composed(file).services))) {
    const { environment, secrets = [], depends_on, ...before } = services[name] ?? {}
    services[name] = {
      ...before,
      ...service,
      environment: { ...environment, ...service.environment },
      secrets: [...secrets, ...(service.secrets ?? [])],
      depends_on: { ...depends_on, ...service.depends_on },
    }
  }
  return Object.entries(services)
    .filter(([, { env_file }]) => env_file)
    .map(([name, service]) => ({
      name,
      env: { ...settingsIn(read('deploy/compose/portal.env')), ...service.environment },
      secrets: service.secrets ?? [],
      after: Object.keys(service.depends_on ?? {}),
      text: JSON.stringify(service),
    }))
}

/** The share of the processor that a program asks for: of systemd, Compose or Kubernetes. The first two have a usual one. */
const shareOf = (text: string) => {
  const [, unit, container, pod] =
    /^CPUWeight=(\d+)$|"cpu_shares":(\d+)|"requests":\{"cpu":"(\d+)m/m.exec(text) ?? []
  if (unit) return Number(unit) / 100
  if (container) return Number(container) / 1024
  return pod ? Number(pod) / 500 : 1
}

const known = settingNames()
describe.each([
  ['systemd', units()],
  ['compose', containers('compose.yaml')],
  ['compose with an object store', containers('compose.yaml', 'store.yaml')],
  ['compose while the secret is changed', containers('compose.yaml', 'former-secret.yaml')],
  ['helm', charted()],
])('an operator who uses deploy/%s', (_, programs) => {
  const of = (name: string) => programs.find((program) => program.name === name) as Program
  test('sets only settings that exist, and no secret in plain text', () => {
    for (const { name, env } of programs) {
      expect(
        Object.keys(env).filter((setting) => !known.includes(setting)),
        name,
      ).toEqual([])
      expect(Object.keys(env).filter(isSecret), name).toEqual([])
    }
  })

  test('gives each program the secrets that its settings name, and no other', () => {
    for (const { name, env, secrets } of programs) {
      const files = Object.entries(env)
        .filter(([setting]) => setting.endsWith('_FILE'))
        .map(([, path]) => path.replace(/^(%d|\/run\/secrets)\//, ''))
      expect([...new Set(files)].sort(), name).toEqual([...secrets].sort())
    }
    for (const name of ['api', 'worker'])
      expect(of(name).secrets).not.toEqual(expect.arrayContaining(['database-owner']))
  })

  test('has modules published, then the database migrated, then api and worker', () => {
    expect(of('prepare').after).toContain('release')
    expect(of('api').after).toContain('prepare')
    expect(of('worker').after).toContain('prepare')
  })

  test('lets people come before jobs where both want the processor', () => {
    expect(shareOf(of('worker').text) / shareOf(of('api').text)).toBe(0.5)
  })

  test.each(['api', 'worker'] as const)('starts a portal in production as %s with these settings', (role) => {
    const env = { ...of(role).env, PORTAL_INSTALLATION: '7c9e6679-7425-40de-944b-e07fc1f90ae7' }
    const given = Object.fromEntries(Object.entries(env).filter(([setting]) => !setting.endsWith('_FILE')))
    const settings = readSettings({
      ...given,
      DATABASE_URL: 'postgresql://portal_app:x@database/portal',
      PORTAL_SECRET: 'x'.repeat(32),
      S3_KEY: 'portal',
      S3_SECRET: 'x',
    })
    expect(settings).toMatchObject({ role, demo: false, requireCodes: true, fourEyes: true })
    expect(settings.publicUrl).toMatch(/^https:/)
    expect(settings.machine.port).toBeGreaterThan(0)
    expect(settings.machine.public).toBe(false)
    const patience = Number(
      /(?:TimeoutStopSec=|"stop_grace_period":"|"terminationGracePeriodSeconds":)(\d+)/.exec(
        of(role).text,
      )?.[1],
    )
    // After draining, main.ts gives open calls and jobs 9.5 s.
    expect(patience * 1000).toBeGreaterThanOrEqual(settings.drainMs + 10_000)
  })
})

test('an operator’s command gets the address of the owner of the database if it is the owner who has to do it, and no other does', () => {
  const folder = 'api/src/commands'
  // The first two run as a unit of their own, the last one is given both addresses by whoever moves.
  const apart = ['migrate', 'prepare', 'data-move']
  const asking = readdirSync(join(root, folder))
    .filter((name) => /process\.argv|parseArgs|runCommand\(/.test(read(`${folder}/${name}`)))
    .filter((name) => /databaseOwnerUrl|DATABASE_OWNER_URL/.test(read(`${folder}/${name}`)))
    .map((name) => name.replace('.ts', ''))
  expect(ownersCommands()).toEqual(asking.filter((name) => !apart.includes(name)))
})

test('an operator’s nginx starts: the buffers of an answer are as large as that of its head, which nginx asks for', () => {
  for (const file of ['systemd/nginx.conf', 'systemd/nginx-servers.conf', 'compose/nginx.conf']) {
    const [, size] = /proxy_buffer_size (\w+);/.exec(read(`deploy/${file}`)) ?? []
    expect(/proxy_buffers \d+ (\w+);/.exec(read(`deploy/${file}`))?.[1], file).toBe(size)
  }
})

test('an operator’s nginx answers with a page that comes back by itself when no api does, in all files with the same words', () => {
  const pages = ['systemd/nginx.conf', 'systemd/nginx-servers.conf', 'compose/nginx.conf'].map(
    (file) => /^ {2}location @away \{.*?^ {2}\}/ms.exec(read(`deploy/${file}`))?.[0],
  )
  expect(pages[0]).toContain('Retry-After 5')
  expect(new Set(pages).size).toBe(1)
})

test('an operator’s nginx masks links that let in whoever has them, in all files with the same words, for each of its servers', () => {
  const files = ['systemd/nginx.conf', 'systemd/nginx-servers.conf', 'compose/nginx.conf']
  const masks = files.map(
    (file) => /^map \$uri \$masked_uri \{.*?^log_format portal [^\n]*/ms.exec(read(`deploy/${file}`))?.[0],
  )
  // `nginx.deploy.ts` runs them. Here: neither the address as it came, nor where people came from.
  expect(masks[0]).not.toMatch(/\$(request|request_uri|args|http_referer)\b/)
  expect(new Set(masks).size).toBe(1)
  for (const file of files) {
    const servers = read(`deploy/${file}`)
      .split(/^server \{$/m)
      .slice(1)
    expect(servers).toHaveLength(2)
    for (const server of servers) {
      expect(server.match(/^ *access_log .*/gm), file).toEqual([
        '  access_log /var/log/nginx/access.log portal;',
      ])
      expect(server.match(/^ *error_log .*/gm), file).toEqual(['  error_log /var/log/nginx/error.log crit;'])
    }
  }
})

test('the image has the version of Node that everything is tested with', () => {
  const { devDependencies } = JSON.parse(read('package.json')) as { devDependencies: Record<string, string> }
  const [major] = (devDependencies.node ?? '').split('.')
  expect(read('deploy/compose/Dockerfile')).toContain(`FROM node:${major}-`)
})

test.each([
  ['systemd', units()],
  ['compose', containers('compose.yaml')],
  ['compose with an object store', containers('compose.yaml', 'store.yaml')],
  ['helm', charted()],
])(
  'whoever was promised an erasure is erased by a program of deploy/%s, as the owner of the database',
  (_, programs) => {
    const { secrets = [], text = '' } = programs.find(({ name }) => name === 'erasures') ?? {}
    expect(text).toMatch(/person-erase\.ts(","| )--approved/)
    const store = programs
      .find(({ name }) => name === 'worker')
      ?.secrets.filter((name) => name.startsWith('s3-'))
    expect([...secrets].sort()).toEqual(['database-owner', ...(store ?? []), 'secret'].sort())
  },
)

test.each([
  ['systemd', units()],
  ['compose', containers('compose.yaml')],
  ['helm', charted()],
])(
  'an operator of %s who forgets the id of the installation cannot start, because two such portals would make the same keys',
  (_, programs) => {
    const { PORTAL_INSTALLATION = '' } = programs.find(({ name }) => name === 'worker')?.env ?? {}
    const start = (demo: string) =>
      readSettings({
        DATABASE_URL: 'postgresql://portal_app:x@database/portal',
        PORTAL_SECRET: 'x'.repeat(32),
        PORTAL_PUBLIC_URL: 'https://portal.example.org',
        PORTAL_DEMO: demo,
        PORTAL_INSTALLATION,
      })
    expect(() => start('false')).toThrow(
      new SettingsFault(
        `PORTAL_INSTALLATION is ${PORTAL_INSTALLATION}, which is the example: each installation has an id of its own, from which keys of payments are made. uuidgen makes one.`,
      ),
    )
    expect(start('true').installation).toBe(PORTAL_INSTALLATION)
  },
)

test('an operator of systemd is told to enable every timer', () => {
  const timers = readdirSync(join(root, 'deploy/systemd')).filter((name) => name.endsWith('.timer'))
  const enabledBy = (page: string) =>
    [...read(`docs/operating/${page}`).matchAll(/systemctl enable --now ([^`\n]*)/g)].flatMap(
      ([, names = '']) => names.split(' '),
    )
  const ofServers = timers.filter((name) => name.startsWith('portal-pgbackrest@'))
  expect(enabledBy('several-servers.md')).toEqual(expect.arrayContaining(ofServers))
  const ofOne = timers.filter((name) => !ofServers.includes(name))
  expect(enabledBy('systemd.md')).toEqual(expect.arrayContaining(ofOne))
})

test('an operator of several servers hands the secret of the store to every unit that reads the settings, or it would not start', () => {
  const page = read('docs/operating/several-servers.md')
  const [, named = ''] = /for each in ([a-z ]+); do\n.*?s3-secret/s.exec(page) ?? []
  const reading = readdirSync(join(root, 'deploy/systemd')).flatMap((file) => {
    const [, name] = /^portal-([a-z]+)\.service$/.exec(file) ?? []
    return name && read(`deploy/systemd/${file}`).includes('bin/node ') ? [name] : []
  })
  expect(reading.length).toBeGreaterThan(4)
  expect(named.split(' ').sort()).toEqual(reading.sort())
})

test('an operator of containers backs up what the portal writes, without a right to change it', () => {
  const { services, volumes } = parse(read('deploy/compose/compose.yaml'), { merge: true })
  const { backup, api } = services
  expect(backup.profiles).toEqual(['backup'])
  expect(backup.secrets).toEqual(['database-owner'])
  expect(backup.volumes).toContain(`${api.volumes[0]}:ro`)
  expect(backup.environment.PORTAL_DATA_DIR).toBe(api.volumes[0].split(':')[1])
  expect(backup.image).toBe(services.database.image)
  const named = Object.values(services as Record<string, { volumes?: string[] }>)
    .flatMap((service) => service.volumes ?? [])
    .flatMap((volume) => /^[a-z]+(?=:)/.exec(volume) ?? [])
  expect([...new Set(named)].sort()).toEqual(Object.keys(volumes).sort())
})

test('an operator who adds an object store has one that nobody else reaches, a bucket before the portal starts, and its backup', () => {
  const { services, volumes, secrets } = composed('store.yaml')
  const { store, bucket, api, worker, 'files-backup': backup } = services as Record<string, StoreService>
  for (const [name, service] of Object.entries({ store, bucket, backup })) {
    expect(service, name).not.toHaveProperty('ports')
    expect(service, name).toMatchObject({ read_only: true, cap_drop: ['ALL'], user: '1000:1000' })
    expect(service?.image, name).toMatch(/:\d+\.\d+$/)
  }
  // The worker and the api name what the store is told to make and to listen on.
  for (const program of [api, worker]) {
    const { S3_ENDPOINT, S3_FILES_BUCKET } = program?.environment ?? {}
    expect(S3_ENDPOINT).toBe('http://store:8333')
    expect(bucket?.entrypoint?.join(' ')).toMatch(
      new RegExp(`s3.bucket.create -name ${S3_FILES_BUCKET}'.*grep -q ${S3_FILES_BUCKET}$`, 's'),
    )
    expect(backup?.entrypoint?.join(' ')).toContain(`:s3:${S3_FILES_BUCKET} `)
    expect(backup?.environment?.RCLONE_S3_ENDPOINT).toBe(S3_ENDPOINT)
    expect(program?.depends_on).toEqual({ bucket: { condition: 'service_completed_successfully' } })
  }
  // With `-ip` alone its own probe would not reach it.
  for (const option of ['-s3.config=/run/secrets/store', '-ip=store', '-ip.bind=0.0.0.0'])
    expect(store?.command).toContain(option)
  expect(store?.volumes).toEqual(['store:/data'])
  expect(Object.keys(volumes)).toEqual(['store'])
  expect(backup?.profiles).toEqual(['backup'])
  // The page says how each file of secrets is made.
  const page = read('docs/operating/containers.md')
  for (const { file } of Object.values(secrets)) expect(page, file).toContain(`> ${file}`)
})

test('an operator of containers has logs that end, roles before the tables, and a proxy that finds a new api', () => {
  const { services } = composed('compose.yaml')
  const lasting = ['database', 'roles', 'release', 'prepare', 'api', 'worker', 'proxy']
  for (const name of lasting) expect(services[name], name).toMatchObject({ logging: { driver: 'local' } })
  expect(services.prepare?.depends_on?.roles?.condition).toBe('service_completed_successfully')
  // The account of PostgreSQL in its container cannot read the secrets, that of `roles` can.
  expect(services.database?.secrets).toEqual(['superuser'])
  expect(read('deploy/compose/nginx.conf')).toMatch(
    /resolver 127\.0\.0\.11 .*;\n.*set \$api http:\/\/api:8080;/,
  )
  // Timers of the host know no variables of a shell.
  const page = read('docs/operating/containers.md')
  for (const name of ['PORTAL_VERSION', 'COMPOSE_FILE'])
    expect(page).toMatch(new RegExp(`echo ${name}=.* >>? \\.env`))
  expect(page).not.toMatch(/export (PORTAL_VERSION|COMPOSE_FILE)/)
})

test('a probe of a container asks /readyz at the port of its machine paths', () => {
  for (const { name, env, text } of containers('compose.yaml').filter(({ env }) => env.PORTAL_MACHINE_PORT))
    expect(text, name).toContain(`http://127.0.0.1:${env.PORTAL_MACHINE_PORT}/readyz`)
})
