import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { parse, parseAllDocuments } from 'yaml'
import { fetchHelm } from './pods/helm.ts'

// The schemas of Kubernetes, of its Gateway API and of the operator of Prometheus, as packages of npm.
const packages = [
  'kubernetes-models@4.5.1',
  '@kubernetes-models/gateway-api@2.0.0',
  '@kubernetes-models/prometheus-operator@6.0.0',
]
const schemas: Record<string, string> = {
  'gateway.networking.k8s.io': '@kubernetes-models/gateway-api',
  'monitoring.coreos.com': '@kubernetes-models/prometheus-operator',
}
const chart = join(import.meta.dirname, '../../../deploy/helm')
const folder = mkdtempSync(join(tmpdir(), 'portal-helm-'))
let program = ''
const helm = (...words: string[]) => execFileSync(program, words, { encoding: 'utf8' })
afterAll(() => rmSync(folder, { recursive: true }))
beforeAll(() => {
  program = fetchHelm(folder, packages).helm
}, 120_000)

type Manifest = {
  apiVersion: string
  kind: string
  metadata: { name: string }
  spec: Record<string, unknown>
}

/** What Helm makes of the chart with its values, or with others. */
const rendered = (...words: string[]): Manifest[] =>
  parseAllDocuments(helm('template', 'portal', chart, ...words))
    .map((document) => document.toJS() as Manifest | null)
    .filter((manifest) => manifest !== null)

type Models = Record<string, new (of: Manifest) => { validate(): void }>

/** Throws what the schema of its kind says against a manifest. */
async function validate(manifest: Manifest) {
  const { apiVersion, kind } = manifest
  const [group = ''] = apiVersion.split('/')
  const name = schemas[group] ?? 'kubernetes-models'
  const file = join(folder, 'node_modules', name, apiVersion, `${kind}.js`)
  const models = (await import(pathToFileURL(file).href)) as Models & { default?: Models }
  const Model = models[kind] ?? models.default?.[kind]
  if (!Model) throw new Error(`no schema of ${kind}`)
  new Model(manifest).validate()
}

test('an operator of Kubernetes gets manifests from Helm that its schemas accept', async () => {
  expect(helm('lint', '--strict', chart)).toContain('0 chart(s) failed')
  const manifests = rendered()
  expect(manifests.map(({ kind }) => kind).sort()).toEqual(
    [
      'CronJob',
      'CronJob',
      'Deployment',
      'Deployment',
      'Ingress',
      'Job',
      'NetworkPolicy',
      'NetworkPolicy',
      'NetworkPolicy',
      'NetworkPolicy',
    ].concat(['PersistentVolumeClaim', 'PodDisruptionBudget', 'PodDisruptionBudget', 'Service']),
  )
  for (const manifest of manifests) await validate(manifest)
  const [deployment] = manifests.filter(({ kind }) => kind === 'Deployment')
  if (!deployment) throw new Error('no deployment')
  await expect(validate({ ...deployment, spec: { ...deployment.spec, replicas: 'two' } })).rejects.toThrow(
    'replicas',
  )
})

test('an operator’s own values arrive in every place, also those with signs that YAML reads', async () => {
  const values = parse(readFileSync(join(chart, 'values.yaml'), 'utf8')) as { mailFrom: string }
  const given = ['--set', 'api.replicas=4', '--set-string', `mailFrom=Écoles: ${values.mailFrom}`]
  const manifests = rendered(...given)
  const api = manifests.find(({ kind, metadata }) => kind === 'Deployment' && metadata.name === 'portal-api')
  expect(api?.spec.replicas).toBe(4)
  expect(JSON.stringify(api)).toContain(`Écoles: ${values.mailFrom}`)
  for (const manifest of manifests) await validate(manifest)
})

test('an operator’s own settings, secrets, ways out, gateway, monitors and probes arrive, quoted as Helm does it', async () => {
  const secret = { setting: 'PORTAL_SECRET_NEXT_FILE', key: 'secret-next' }
  const scanner = { ports: [{ protocol: 'TCP', port: 3310 }] }
  const lists = {
    extraEnv: [{ name: 'PORTAL_KEEP_DAYS', value: 'sessions=60 <"&">' }],
    extraSecrets: [secret],
    'api.extraSecrets': [{ setting: 'PORTAL_OIDC', key: 'oidc' }],
    extraEgress: [scanner],
    ingresses: [{ class: 'nginx', annotations: { 'nginx.org/client-max-body-size': '30m' } }],
    gateways: [{ name: 'public', namespace: 'gateways' }],
    podMonitors: [{ name: 'portal', labels: { release: 'prometheus' } }],
    probes: [
      {
        name: 'portal',
        labels: { release: 'prometheus' },
        exporter: 'blackbox.monitoring:9115',
        modules: 'portal-modules.example.net:443',
      },
    ],
  }
  const manifests = rendered(
    ...Object.entries(lists).flatMap(([name, list]) => ['--set-json', `${name}=${JSON.stringify(list)}`]),
  )
  const of = (kind: string, name: string) =>
    manifests.find((each) => each.kind === kind && each.metadata.name === name)
  const pod = JSON.stringify(of('Deployment', 'portal-api'))
  const env = [
    lists.extraEnv[0],
    { name: secret.setting, value: '/run/secrets/secret-next' },
    { name: 'PORTAL_OIDC', value: '/run/secrets/oidc' },
  ]
  for (const each of env) expect(pod).toContain(JSON.stringify(each))
  expect(pod).toContain('"key":"oidc"')
  expect(JSON.stringify(of('Deployment', 'portal-worker'))).not.toContain('oidc')
  expect(of('NetworkPolicy', 'portal')?.spec.egress).toContainEqual(scanner)
  expect(of('Ingress', 'portal')?.spec.ingressClassName).toBe('nginx')
  expect(of('HTTPRoute', 'portal-public')?.spec.parentRefs).toEqual(lists.gateways)
  expect(of('PodMonitor', 'portal')?.metadata).toMatchObject(lists.podMonitors[0] as object)
  expect(of('Probe', 'portal')?.spec.prober).toEqual({ url: 'blackbox.monitoring:9115' })
  for (const manifest of manifests) await validate(manifest)
  const route = of('HTTPRoute', 'portal-public')
  if (!route) throw new Error('no route')
  await expect(validate({ ...route, spec: { ...route.spec, hostnames: ['a name'] } })).rejects.toThrow(
    'hostnames',
  )
})

test('an operator of Kubernetes gives the alerts to the operator of Prometheus, which takes them', async () => {
  const spec = parse(readFileSync(join(chart, '../monitoring/alerts.yml'), 'utf8'))
  const rules = { apiVersion: 'monitoring.coreos.com/v1', kind: 'PrometheusRule', spec }
  await validate({ ...rules, metadata: { name: 'portal' } })
})
