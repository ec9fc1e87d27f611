import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse, parseAllDocuments } from 'yaml'

export const root = join(import.meta.dirname, '../../..')
export const read = (path: string) => readFileSync(join(root, path), 'utf8')

/** A program of the portal, as a way of operating it starts it. */
export type Program = {
  name: string
  env: Record<string, string>
  secrets: string[]
  after: string[]
  text: string
}

/** The commands that command.sh gives the address of the owner of the database. */
export function ownersCommands(): string[] {
  const [, given = ''] = /^ {2}(.+)\)\n.*database-owner/m.exec(read('deploy/systemd/command.sh')) ?? []
  return given.split(' | ')
}

type Pod = {
  containers: Container[]
  initContainers?: Container[]
  volumes: { name: string; secret?: { optional?: boolean; items: { key: string }[] }; emptyDir?: object }[]
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
export type Manifest = {
  kind: string
  metadata: { name: string; annotations?: Record<string, string> }
  spec: Record<string, unknown> & {
    template?: { spec: Pod }
    jobTemplate?: { spec: { template: { spec: Pod } } }
  }
}

export type Values = Record<string, unknown>
export const values = parse(read('deploy/helm/values.yaml')) as Values
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
export const render = (given = values): Manifest[] =>
  readdirSync(join(root, 'deploy/helm/templates')).flatMap((name) =>
    parseAllDocuments(filled(read(`deploy/helm/templates/${name}`), given)).flatMap(
      (document) => (document.toJS() as Manifest | null) ?? [],
    ),
  )
export const manifests = render()
const podOf = ({ kind, spec }: Manifest): Pod | undefined => {
  if (kind === 'CronJob') return spec.jobTemplate?.spec.template.spec
  return kind === 'Deployment' || kind === 'Job' ? spec.template?.spec : undefined
}
export const podsOf = (all: Manifest[]) =>
  all.flatMap((manifest) => {
    const pod = podOf(manifest)
    return pod ? [{ manifest, pod }] : []
  })
export const pods = podsOf(manifests)

/** The containers of the chart. The job before each release comes before api and worker. */
export const charted = (of = pods): Program[] =>
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
