import { describe, expect, test } from 'vitest'
import { parseAllDocuments } from 'yaml'
import { type Reader, settingWords } from '../../src/setting-words.ts'
import { isSecret } from '../../src/settings-page.ts'
import {
  charted,
  type Manifest,
  manifests,
  ownersCommands,
  pods,
  podsOf,
  read,
  render,
  type Values,
  values,
} from './chart.ts'

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

  test('gets pods that start without a key of the secret, because only a program can say in its log what it misses', () => {
    const secrets = pods.flatMap(({ pod }) => pod.volumes.flatMap(({ secret }) => secret ?? []))
    expect(secrets.map(({ optional }) => optional)).toEqual(Array(6).fill(true))
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

  test('has both addresses asked for as people reach them, if a blackbox exporter is there', () => {
    const labels = { release: 'prometheus' }
    const exporter = 'blackbox.monitoring:9115'
    const probes = [{ name: 'portal', labels, exporter, modules: 'any.portal-modules.example.net:443' }]
    const made = render({ ...values, probes }).filter(({ kind }) => kind === 'Probe')
    const asked = (module: string, target: string) => ({
      spec: { prober: { url: exporter }, module, targets: { staticConfig: { static: [target] } } },
    })
    expect(made).toMatchObject([
      { metadata: { name: 'portal', labels }, ...asked('http_2xx', `${values.publicUrl}/`) },
      { metadata: { name: 'portal-modules', labels }, ...asked('tcp_tls', probes[0]?.modules ?? '') },
    ])
    expect(render().filter(({ kind }) => kind === 'Probe')).toEqual([])
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

  /** The page of this way. */
  const page = read('docs/operating/kubernetes.md')

  test('is told to wait for the migration as long as it may take, and how to go back, restore, run commands and change the secret', () => {
    const job = manifests.find(({ kind }) => kind === 'Job')
    const deadline = Number(job?.spec.activeDeadlineSeconds)
    expect(deadline).toBeGreaterThanOrEqual(3600)
    // To install, to upgrade and to restore.
    const waits = [...page.matchAll(/helm (?:install|upgrade) .*--timeout (\d+)m/g)]
    expect(waits.map(([, minutes]) => Number(minutes) * 60 > deadline)).toEqual([true, true, true])
    for (const words of ['helm rollback portal', '--no-hooks', 'key:make', 'admin-create'])
      expect(page).toContain(words)
    for (const heading of ['Commands', 'Upgrade', 'Rollback', 'Restore', 'Change of the secret'])
      expect(page).toContain(`\n## ${heading}\n`)
    // Commands that the owner of the database has to do run in a pod that has its address.
    for (const command of ownersCommands()) expect(page, command).toContain(command)
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
    const sizes = read('docs/operating.md')
    expect(sizes).toContain(`| a nation, 1.5 million girls |`)
    expect(sizes).toMatch(new RegExp(`${limits?.memory.replace('Gi', ' GB')}.*shared_buffers = 8GB`))
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
