import { execFile, execFileSync } from 'node:child_process'
import { chownSync, closeSync, mkdirSync, openSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { stringify } from 'yaml'
import type { Engine } from './engine.ts'
import { type Policy, rulesOf } from './network-policies.ts'
import { Probed, type Probes } from './probes.ts'

const run = promisify(execFile)

/** What podman writes for every container. */
const filesOfPodman = [
  '/etc/hosts',
  '/etc/hostname',
  '/etc/resolv.conf',
  '/etc/passwd',
  '/etc/group',
  '/etc/mtab',
  '/run/.containerenv',
]

type Container = { name: string; image: string; ports?: { name: string; containerPort: number }[] } & Probes
type Volume = {
  name: string
  secret?: {
    secretName: string
    defaultMode: number
    optional?: boolean
    items: { key: string; path: string }[]
  }
  emptyDir?: { sizeLimit?: string }
  persistentVolumeClaim?: { claimName: string }
}
export type Template = {
  metadata: { labels: Record<string, string> }
  spec: {
    containers: Container[]
    initContainers?: Container[]
    volumes: Volume[]
    securityContext: { fsGroup: number }
    terminationGracePeriodSeconds?: number
  }
}
/** The data of the secrets, as Kubernetes keeps them. */
export type Secrets = Record<string, Record<string, string>>

export type Options = {
  engine: Engine
  folder: string
  policies: Policy[]
  /** The addresses of pods that are not podman's, by one of their labels. */
  others: Record<string, string>
  secrets: Secrets
}

/** What a kubelet says of a volume that it cannot make. The container is not started, so nothing is in its log. */
export class MountFault extends Error {}

/**
 * Plays the templates of pods by podman, and does what podman 4.3 leaves out as a kubelet does it:
 * - It knows Pods, Deployments and claims, so templates of Jobs and CronJobs become Pods, with nothing changed inside.
 * - Volumes: of a Secret it mounts every key, still in base64 and with mode 0644; an emptyDir is one volume for all pods that call it
 *   the same; claims have neither fsGroup nor size. Here each volume is a folder of this machine, made with owner, group and mode.
 * - `ports` would be opened on this machine. In Kubernetes they only name ports.
 * - The probes of start and readiness are not read, and that of liveness would ask by curl, which the image does not have.
 * - terminationGracePeriodSeconds is not read, and NetworkPolicies are not known: here they are rules of nftables in each pod's
 *   network, which are there before its first container starts.
 * - runAsNonRoot, seccompProfile, requests, sizeLimit, topologySpreadConstraints and fsGroup are not read. Its own profile of
 *   seccomp applies to every container.
 */
export class Cluster {
  readonly #options: Options
  readonly pods: Pod[] = []

  constructor(options: Options) {
    this.#options = options
  }

  /** Makes a pod and starts it. Resolves after its init containers have ended, and throws if one of them failed. */
  async play(name: string, template: Template): Promise<Pod> {
    const { engine, folder, policies, others } = this.#options
    const { podman } = engine
    const place = join(folder, name)
    mkdirSync(place)
    const volumes = template.spec.volumes.map((volume) => ({
      name: volume.name,
      hostPath: {
        path: this.#mount(place, volume, template.spec.securityContext.fsGroup),
        type: 'Directory',
      },
    }))
    const withoutPorts = (containers: Container[] = []) => containers.map(({ ports: _, ...rest }) => rest)
    const spec = {
      ...template.spec,
      volumes,
      containers: withoutPorts(template.spec.containers),
      ...(template.spec.initContainers && { initContainers: withoutPorts(template.spec.initContainers) }),
    }
    const file = join(place, 'pod.yaml')
    const { labels } = template.metadata
    writeFileSync(file, stringify({ apiVersion: 'v1', kind: 'Pod', metadata: { name, labels }, spec }))
    // So that logs of init containers can be read.
    const kept = ['--annotation', 'io.podman.annotations.init.container.type=always']
    await podman('kube', 'play', '--start=false', '--network', 'portal', ...kept, file)
    const infra = await podman('pod', 'inspect', name, '--format', '{{.InfraContainerID}}')
    await podman('start', infra)
    const [pid = '', address = ''] = (
      await podman(
        'inspect',
        infra,
        '--format',
        '{{.State.Pid}} {{.NetworkSettings.Networks.portal.IPAddress}}',
      )
    ).split(' ')
    const rules = join(place, 'rules.nft')
    writeFileSync(rules, rulesOf(policies, labels, others))
    const network = openSync(`/proc/${pid}/ns/net`, 'r')
    const pod = new Pod({ engine, name, template, address, network, place })
    await pod.nft('--file', rules)
    this.pods.push(pod)
    await podman('pod', 'start', name).catch((error) => {
      pod.failedToStart = String(error)
    })
    return pod
  }

  /** A folder as a kubelet makes it. Its path is returned. */
  #mount(place: string, { name, secret, persistentVolumeClaim: claim }: Volume, group: number): string {
    if (secret) return this.#mountSecret(join(place, name), secret, group)
    const path = claim ? join(this.#options.folder, `claim-${claim.claimName}`) : join(place, name)
    mkdirSync(path, { recursive: true })
    chownSync(path, 0, group)
    execFileSync('chmod', [claim ? '2775' : '2777', path])
    if (claim) {
      // What a new disk has at its root.
      mkdirSync(join(path, 'lost+found'), { recursive: true })
      execFileSync('chmod', ['2770', join(path, 'lost+found')])
    }
    return path
  }

  #mountSecret(
    path: string,
    { secretName, defaultMode, optional, items }: NonNullable<Volume['secret']>,
    group: number,
  ) {
    const data = this.#options.secrets[secretName]
    if (!data && !optional) throw new MountFault(`MountVolume.SetUp failed: secret "${secretName}" not found`)
    const files = join(path, '..data')
    mkdirSync(files, { recursive: true })
    for (const { key, path: file } of items) {
      const content = data?.[key]
      if (content === undefined && optional) continue
      if (content === undefined)
        throw new MountFault(`MountVolume.SetUp failed: references non-existent secret key: ${key}`)
      writeFileSync(join(files, file), Buffer.from(content, 'base64'))
      chownSync(join(files, file), 0, group)
      execFileSync('chmod', [defaultMode.toString(8), join(files, file)])
      symlinkSync(join('..data', file), join(path, file))
    }
    return path
  }
}

type PodOptions = {
  engine: Engine
  name: string
  template: Template
  address: string
  /** Its network, which stays until this file is closed, also after its containers have ended. */
  network: number
  place: string
}

/** A pod that podman runs. */
export class Pod {
  readonly name: string
  readonly address: string
  readonly probed: Probed
  failedToStart: string | undefined
  readonly #options: PodOptions

  constructor(options: PodOptions) {
    this.#options = options
    this.name = options.name
    this.address = options.address
    this.probed = new Probed(options.address, this.#main)
  }

  get #main(): Container {
    const [container] = this.#options.template.spec.containers
    if (!container) throw new Error('The pod has no container.')
    return container
  }
  #container = (name = this.#main.name) => `${this.name}-${name}`

  logs = (container?: string) => this.#options.engine.logs(this.#container(container))

  /** Waits until its container has ended, and returns its exit code. */
  async ended(): Promise<number> {
    return Number(await this.#options.engine.podman('wait', this.#container()))
  }

  async inspect(format: string, container?: string) {
    return this.#options.engine.podman('inspect', this.#container(container), '--format', format)
  }

  /** What is another than in the image, besides the places of mounts and the folders around them, which podman makes. */
  async changes(): Promise<string[]> {
    const { engine } = this.#options
    const mounted = JSON.parse(await this.inspect('{{json .Mounts}}')) as { Destination: string }[]
    const places = [...mounted.map(({ Destination }) => Destination), ...filesOfPodman]
    const isPlace = (path: string) => places.some((place) => place === path || place.startsWith(`${path}/`))
    const said = await engine.podman('diff', this.#container())
    return said.split('\n').filter((line) => line && !isPlace(line.slice(2)))
  }

  /** The volumes that have more in them than their `sizeLimit`, for which a kubelet ends a pod. */
  overfull(): string[] {
    const { template, place } = this.#options
    return template.spec.volumes
      .filter(({ name, emptyDir }) => {
        const words = ['--summarize', '--block-size=1', join(place, name)]
        const limit = Number(/^(\d+)Gi$/.exec(emptyDir?.sizeLimit ?? '')?.[1] ?? Infinity) * 2 ** 30
        return emptyDir && parseInt(execFileSync('du', words, { encoding: 'utf8' }), 10) > limit
      })
      .map(({ name }) => name)
  }

  /** Runs a command in its container, as `kubectl exec` does. */
  async exec(words: string[], input = ''): Promise<string> {
    const { engine } = this.#options
    const child = run(
      'sh',
      ['-c', `${engine.line} exec --interactive ${this.#container()} "$@"`, 'sh', ...words],
      { env: engine.env },
    )
    child.child.stdin?.end(input)
    return (await child).stdout
  }

  /** Runs nft in its network. */
  async nft(...words: string[]): Promise<string> {
    const { network, engine } = this.#options
    const inside = [`--net=/proc/${process.pid}/fd/${network}`, 'nft', ...words]
    return (await run('nsenter', inside, { env: engine.env })).stdout
  }

  /** The addresses that its containers have opened, or wanted to open and may not, as `address:port`. */
  async opened(which: 'opened' | 'refused' | 'refusedIncoming'): Promise<string[]> {
    const stdout = await this.nft('--json', 'list', 'set', 'inet', 'portal', which)
    const { nftables } = JSON.parse(stdout) as {
      nftables: { set?: { elem?: { concat: [string, string, number] }[] } }[]
    }
    const elements = nftables.flatMap(({ set }) => set?.elem ?? [])
    return elements.map(({ concat: [address, , port] }) => `${address}:${port}`).sort()
  }

  /** Ends it as a kubelet does: a signal, then its grace period, and then it is killed. Returns what its container ended with. */
  async end(): Promise<{ code: number; seconds: number }> {
    const { engine, template } = this.#options
    const began = performance.now()
    const grace = String(template.spec.terminationGracePeriodSeconds ?? 30)
    await engine.podman('stop', '--time', grace, this.#container())
    const seconds = (performance.now() - began) / 1000
    const code = Number(await this.inspect('{{.State.ExitCode}}'))
    return { code, seconds }
  }

  async remove() {
    this.probed.stop()
    const { engine, network } = this.#options
    closeSync(network)
    await engine.podman('pod', 'rm', '--force', '--time', '0', this.name)
  }
}
