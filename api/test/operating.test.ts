import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { parse, parseAllDocuments } from 'yaml'
import { readSettings, SettingsFault } from '../src/kit/settings.ts'
import { type Reader, settingWords } from '../src/setting-words.ts'
import { isSecret, settingNames } from '../src/settings-page.ts'

const root = join(import.meta.dirname, '../..')
const read = (path: string) => readFileSync(join(root, path), 'utf8')
type Program = { name: string; env: Record<string, string>; secrets: string[]; after: string[]; text: string }

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

type Pod = {
  containers: Container[]
  initContainers?: Container[]
  volumes: { name: string; secret?: { items: { key: string }[] }; emptyDir?: object }[]
  securityContext: Record<string, unknown>
  automountServiceAccountToken: boolean
}
type Container = {
  name: string
  env: { name: string; value: string }[]
  volumeMounts: { name: string; mountPath: string; readOnly?: boolean }[]
  securityContext: Record<string, unknown>
  ports?: { name: string; containerPort: number }[]
  resources: { limits: { memory: string } }
  [probe: `${string}Probe`]: { httpGet: { path: string; port: string } }
}
type Manifest = {
  kind: string
  metadata: { name: string; annotations?: Record<string, string> }
  spec: Record<string, unknown> & {
    template?: { spec: Pod }
    jobTemplate?: { spec: { template: { spec: Pod } } }
  }
}

type Values = Record<string, unknown>
const values = parse(read('deploy/helm/values.yaml')) as Values
const at = (of: Values, path: string) =>
  path.split('.').reduce<unknown>((value, part) => (value as Values | undefined)?.[part], of)

/** A template with values at its places, and what is in a loop once for each item. There is nothing else in it (deploy/helm/README.md). */
function filled(text: string, given: Values): string {
  const loop = /^ *\{\{- range \.Values\.([\w.]+) \}\}\n(.*?)^ *\{\{- end \}\}\n/gms
  const looped = text.replace(loop, (_, list: string, body: string) =>
    (at(given, list) as unknown[])
      .map((item) =>
        body
          .replaceAll('{{ toJson . }}', () => JSON.stringify(item))
          .replace(/\{\{ toJson \.(\w+) \}\}/g, (_, key: string) => JSON.stringify((item as Values)[key]))
          .replace(/\{\{ \.(\w+) \}\}/g, (_, key: string) => String((item as Values)[key])),
      )
      .join(''),
  )
  return looped.replace(/\{\{ \$?\.(Values|Release)\.([\w.]+) \}\}/g, (_, kind, path: string) => {
    const value = kind === 'Release' ? 1 : at(given, path)
    if (typeof value !== 'string' && typeof value !== 'number') throw new Error(`${path} is no value`)
    return String(value)
  })
}
/** What Kubernetes gets with the values of values.yaml, or with others. */
const render = (given = values): Manifest[] =>
  readdirSync(join(root, 'deploy/helm/templates')).flatMap((name) =>
    parseAllDocuments(filled(read(`deploy/helm/templates/${name}`), given)).flatMap(
      (document) => (document.toJS() as Manifest | null) ?? [],
    ),
  )
const manifests = render()
const podOf = ({ kind, spec }: Manifest): Pod | undefined => {
  if (kind === 'CronJob') return spec.jobTemplate?.spec.template.spec
  return kind === 'Deployment' || kind === 'Job' ? spec.template?.spec : undefined
}
const podsOf = (all: Manifest[]) =>
  all.flatMap((manifest) => {
    const pod = podOf(manifest)
    return pod ? [{ manifest, pod }] : []
  })
const pods = podsOf(manifests)

/** The containers of the chart. The job before each release comes before api and worker. */
const charted = (of = pods): Program[] =>
  of.flatMap(({ manifest, pod }) => {
    const isHook = manifest.metadata.annotations?.['helm.sh/hook'] === 'pre-install,pre-upgrade'
    const before = (pod.initContainers ?? []).map(({ name }) => name)
    return [...(pod.initContainers ?? []), ...pod.containers].map((container) => {
      const mount = container.volumeMounts.find(({ mountPath }) => mountPath === '/run/secrets')
      const volume = pod.volumes.find(({ name }) => name === mount?.name)
      return {
        name: container.name,
        env: Object.fromEntries(container.env.map(({ name, value }) => [name, value])),
        secrets: volume?.secret?.items.map(({ key }) => key) ?? [],
        after: isHook ? before.filter((name) => name !== container.name) : ['prepare'],
        text: JSON.stringify(pod),
      }
    })
  })

const known = settingNames()
describe.each([
  ['systemd', units()],
  ['compose', containers('compose.yaml')],
  ['compose with an object store', containers('compose.yaml', 'store.yaml')],
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

/** The commands that command.sh gives the address of the owner of the database. */
function ownersCommands(): string[] {
  const [, given = ''] = /^ {2}(.+)\)\n.*database-owner/m.exec(read('deploy/systemd/command.sh')) ?? []
  return given.split(' | ')
}

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
  const enabled = [...read('docs/operating.md').matchAll(/systemctl enable --now ([^`\n]*)/g)]
  expect(enabled.flatMap(([, names = '']) => names.split(' '))).toEqual(expect.arrayContaining(timers))
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
  const page = read('docs/operating.md')
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
  expect(read('docs/operating.md')).not.toMatch(/export (PORTAL_VERSION|COMPOSE_FILE)/)
})

test('a probe of a container asks /readyz at the port of its machine paths', () => {
  for (const { name, env, text } of containers('compose.yaml').filter(({ env }) => env.PORTAL_MACHINE_PORT))
    expect(text, name).toContain(`http://127.0.0.1:${env.PORTAL_MACHINE_PORT}/readyz`)
})

describe('an operator who uses deploy/helm', () => {
  const all = pods.flatMap(({ pod }) =>
    [...(pod.initContainers ?? []), ...pod.containers].map((container) => ({ pod, container })),
  )

  test('runs every container without root, writes to its own folders only, and with a limit of memory', () => {
    expect(all.map(({ container }) => container.name).sort()).toEqual([
      'api',
      'erasures',
      'ledger',
      'prepare',
      'release',
      'worker',
    ])
    for (const { pod, container } of all) {
      expect(pod.securityContext, container.name).toMatchObject({
        runAsNonRoot: true,
        runAsUser: 1000,
        seccompProfile: { type: 'RuntimeDefault' },
      })
      expect(pod.automountServiceAccountToken, container.name).toBe(false)
      expect(container.securityContext, container.name).toEqual({
        readOnlyRootFilesystem: true,
        allowPrivilegeEscalation: false,
        capabilities: { drop: ['ALL'] },
      })
      expect(container.volumeMounts.map(({ mountPath }) => mountPath).sort()).toEqual([
        '/run/secrets',
        '/tmp',
        '/var/lib/portal',
      ])
      expect(
        container.volumeMounts.every(({ name }) => pod.volumes.some((volume) => volume.name === name)),
      ).toBe(true)
      expect(container.resources.limits.memory, container.name).toMatch(/Gi$/)
    }
  })

  test('has probes on the machine port, which the public address does not reach', () => {
    for (const name of ['api', 'worker']) {
      const { container } = all.find((each) => each.container.name === name) as (typeof all)[number]
      const machine = container.ports?.find((port) => port.name === 'machine')?.containerPort
      expect(container.env.find((each) => each.name === 'PORTAL_MACHINE_PORT')?.value).toBe(String(machine))
      expect(container.livenessProbe?.httpGet).toEqual({ path: '/livez', port: 'machine' })
      // People go on seeing the portal's own page while its database is away.
      const path = name === 'api' ? '/readyz?exclude=database' : '/readyz'
      expect(container.readinessProbe?.httpGet).toEqual({ path, port: 'machine' })
    }
    const service = manifests.find(({ kind }) => kind === 'Service')
    expect(service?.spec.ports).toEqual([{ name: 'http', port: 80, targetPort: 'http' }])
  })

  test('is reached through an ingress that needs no annotation, or through gateways, at both names', () => {
    const hosts = [values.host, values.modulesHost]
    const routes = (given: Values) =>
      render(given).filter(({ kind }) => kind === 'Ingress' || kind === 'HTTPRoute')
    const [ingress, ...others] = routes(values)
    expect(others).toEqual([])
    // ingress-nginx was archived in March 2026.
    expect(ingress?.spec.ingressClassName).toBe('traefik')
    expect(ingress?.metadata.annotations).toEqual({})
    expect(ingress?.spec.rules).toMatchObject(hosts.map((host) => ({ host })))
    const gateways = [{ name: 'public', namespace: 'gateways' }]
    const [route, ...more] = routes({ ...values, ingresses: [], gateways })
    expect(more).toEqual([])
    expect(route).toMatchObject({
      kind: 'HTTPRoute',
      spec: {
        parentRefs: gateways,
        hostnames: hosts,
        rules: [{ backendRefs: [{ name: 'portal-api', port: 80 }] }],
      },
    })
  })

  test('has api and worker read by Prometheus under the names that alerts and panels ask for, and the database too', () => {
    const podMonitors = [{ name: 'portal', labels: { release: 'prometheus' } }]
    const [processes, database] = render({ ...values, podMonitors }).filter(
      ({ kind }) => kind === 'PodMonitor',
    )
    expect(processes?.spec.podMetricsEndpoints).toMatchObject([
      {
        port: 'machine',
        relabelings: [
          {
            sourceLabels: ['__meta_kubernetes_pod_label_app_kubernetes_io_component'],
            targetLabel: 'job',
            replacement: 'portal-$1',
          },
          { targetLabel: 'instance' },
        ],
      },
    ])
    expect(database?.spec).toMatchObject({
      selector: { matchLabels: { 'cnpg.io/cluster': 'portal-database' } },
      podMetricsEndpoints: [{ port: 'metrics' }],
    })
    expect(render().filter(({ kind }) => kind === 'PodMonitor')).toEqual([])
  })

  test('keeps the mark of sending over restarts, and one api through a drain of nodes', () => {
    const { pod } = pods.find(
      ({ manifest }) => manifest.metadata.name === 'portal-worker',
    ) as (typeof pods)[number]
    expect(pod.volumes.find(({ name }) => name === 'data')).toEqual({
      name: 'data',
      persistentVolumeClaim: { claimName: 'portal-worker' },
    })
    const claim = manifests.find(({ kind }) => kind === 'PersistentVolumeClaim')
    expect(claim?.metadata.annotations?.['helm.sh/resource-policy']).toBe('keep')
    const budget = manifests.find(
      ({ kind, metadata }) => kind === 'PodDisruptionBudget' && metadata.name === 'portal-api',
    )
    expect(budget?.spec.minAvailable).toBe(1)
    expect(manifests.find(({ metadata }) => metadata.name === 'portal-api')?.spec.replicas).toBe(2)
  })

  test('lets nothing reach the pods but ingress and monitoring, and pods reach database, names and TLS only', () => {
    const policies = manifests.filter(({ kind }) => kind === 'NetworkPolicy')
    const base = policies.find(({ metadata }) => metadata.name === 'portal')
    expect(base?.spec.policyTypes).toEqual(['Ingress', 'Egress'])
    expect(base?.spec.ingress).toBeUndefined()
    const open = policies.flatMap(
      ({ spec }) => (spec.egress ?? []) as { to?: object; ports: { port: number }[] }[],
    )
    expect(open.filter(({ to }) => !to).flatMap(({ ports }) => ports.map(({ port }) => port))).toEqual(
      expect.arrayContaining([443, 465, 587]),
    )
    const incoming = policies.flatMap(({ spec }) => (spec.ingress ?? []) as { from?: object[] }[])
    expect(incoming.every(({ from }) => from?.length === 1)).toBe(true)
  })

  test('can set every setting of the page for the programs that read it, none of them twice, and secrets as files', () => {
    const by: Record<Reader, string[]> = {
      api: ['api'],
      worker: ['worker'],
      prepare: ['prepare'],
      commands: ['ledger', 'erasures'],
      registry: ['release'],
    }
    const set = charted().flatMap(({ env }) => Object.keys(env))
    const names = (Object.keys(settingWords) as (keyof typeof settingWords)[]).filter(
      (name) => !set.includes(name) && !set.includes(`${name}_FILE`),
    )
    expect(names).toEqual(
      expect.arrayContaining(['PORTAL_OIDC', 'CLAMAV_HOST', 'PORTAL_SECRET_NEXT', 'LOG_LEVEL']),
    )
    const secrets = names.filter(isSecret)
    const asSecrets = (apiOnly: boolean) =>
      secrets
        .filter((name) => (settingWords[name].for.join() === 'api') === apiOnly)
        .map((name) => ({ setting: `${name}_FILE`, key: name.toLowerCase() }))
    const programs = charted(
      podsOf(
        render({
          ...values,
          extraEnv: names.filter((name) => !isSecret(name)).map((name) => ({ name, value: 'a "word"' })),
          extraSecrets: asSecrets(false),
          api: { ...(values.api as Values), extraSecrets: asSecrets(true) },
        }),
      ),
    )
    for (const name of names)
      for (const program of settingWords[name].for.flatMap((reader) => by[reader])) {
        const { env = {}, secrets: files } = programs.find((each) => each.name === program) ?? {}
        if (!isSecret(name)) expect(env[name], `${name} of ${program}`).toBe('a "word"')
        else {
          expect(env[`${name}_FILE`], `${name} of ${program}`).toBe(`/run/secrets/${name.toLowerCase()}`)
          expect(files).toContain(name.toLowerCase())
        }
      }
    expect(programs.find(({ name }) => name === 'worker')?.secrets).not.toContain('analytics_secret')
    for (const { pod } of podsOf(render()))
      for (const { name, env } of [...(pod.initContainers ?? []), ...pod.containers])
        expect(new Set(env.map((each) => each.name)).size, name).toBe(env.length)
  })

  test('lets pods reach a scanner, a collector or a store in the cluster, if told', () => {
    const scanner = { ports: [{ protocol: 'TCP', port: 3310 }] }
    const policies = render({ ...values, extraEgress: [scanner] }).filter(
      ({ kind }) => kind === 'NetworkPolicy',
    )
    expect(policies.find(({ metadata }) => metadata.name === 'portal')?.spec.egress).toContainEqual(scanner)
  })

  /** What the page says of Kubernetes. */
  const section = () =>
    /^## First installation, with Kubernetes\n(.*?)^## /ms.exec(read('docs/operating.md'))?.[1] ?? ''

  test('is told to wait for the migration as long as it may take, and how to go back, restore, run commands and change the secret', () => {
    const job = manifests.find(({ kind }) => kind === 'Job')
    const deadline = Number(job?.spec.activeDeadlineSeconds)
    expect(deadline).toBeGreaterThanOrEqual(3600)
    const waits = [...section().matchAll(/helm (?:install|upgrade) .*--timeout (\d+)m/g)]
    expect(waits.map(([, minutes]) => Number(minutes) * 60 > deadline)).toEqual([true, true])
    for (const words of [
      'helm rollback portal',
      '--no-hooks',
      '(#restore-on-kubernetes)',
      'key:make',
      'admin-create',
    ])
      expect(section()).toContain(words)
    // Commands that the owner of the database has to do run in a pod that has its address.
    for (const command of ownersCommands()) expect(section(), command).toContain(command)
    expect(read('docs/operating.md')).toContain('### Restore on Kubernetes')
  })

  type Cluster = Manifest & { spec: Record<string, Values> & { plugins: Values[] } }
  const documentsOf = (file: string) =>
    parseAllDocuments(read(`deploy/helm/${file}`)).map((document) => document.toJS() as Cluster)
  const kindOf = (kind: string, file = 'database.yaml') =>
    documentsOf(file).find((each) => each.kind === kind) as Cluster

  test('loses nothing with the primary: each commit waits for one of two standbys, a failover for who has it, and the log is archived', () => {
    const [cluster, store, backup] = [kindOf('Cluster'), kindOf('ObjectStore'), kindOf('ScheduledBackup')]
    expect(cluster.metadata.name).toBe((values.database as { cluster: string }).cluster)
    expect(cluster.spec).toMatchObject({
      instances: 3,
      postgresql: {
        synchronous: { method: 'any', number: 1, dataDurability: 'required', failoverQuorum: true },
      },
      bootstrap: { initdb: { database: 'portal', owner: 'portal_owner' } },
      managed: { roles: [{ name: 'portal_app', login: true }] },
      storage: { size: expect.stringMatching(/Gi$/) },
      walStorage: { size: expect.stringMatching(/Gi$/) },
    })
    // CloudNativePG 1.26 deprecated its own archive for the plugin.
    expect(read('deploy/helm/database.yaml')).not.toContain('barmanObjectStore')
    const name = 'barman-cloud.cloudnative-pg.io'
    expect(cluster.spec.plugins).toEqual([
      { name, isWALArchiver: true, parameters: { barmanObjectName: store.metadata.name } },
    ])
    expect(store.spec.configuration?.destinationPath).toMatch(/^s3:/)
    expect(store.spec.retentionPolicy).toBe('30d')
    expect(backup.spec).toMatchObject({ method: 'plugin', pluginConfiguration: { name } })
  })

  test('gives the database as much shared memory as the page says, within what its pod may have', () => {
    const { spec } = kindOf('Cluster')
    const gib = (size: unknown) => Number(/^(\d+)(?:Gi|GB)$/.exec(String(size))?.[1])
    const { parameters } = spec.postgresql as { parameters: Record<string, string> }
    const { requests, limits } = spec.resources as Record<string, { memory: string }>
    expect(requests?.memory).toBe(limits?.memory)
    expect(gib(limits?.memory)).toBe(4 * gib(parameters.shared_buffers))
    const page = read('docs/operating.md')
    expect(page).toContain(`| a nation, 1.5 million girls |`)
    expect(page).toMatch(new RegExp(`${limits?.memory.replace('Gi', ' GB')}.*shared_buffers = 8GB`))
  })

  test('goes back to a moment with the names of the sample, into a cluster of another name', () => {
    const [before, after] = [kindOf('Cluster'), kindOf('Cluster', 'database-restored.yaml')]
    expect(after.metadata.name).not.toBe(before.metadata.name)
    expect(after.spec).toMatchObject({
      ...before.spec,
      plugins: [{ parameters: { serverName: after.metadata.name } }],
      bootstrap: {
        recovery: { database: 'portal', owner: 'portal_owner', source: 'before', recoveryTarget: {} },
      },
      externalClusters: [{ name: 'before', plugin: { parameters: { serverName: before.metadata.name } } }],
    })
  })
})
