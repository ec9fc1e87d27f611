import { execFile, execFileSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, readFileSync, realpathSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { copyLibraries } from './libraries.ts'

const run = promisify(execFile)
const root = join(import.meta.dirname, '../../../..')
const packages = 'apt-get install podman catatonit runc nftables iproute2 jq'
const programs = ['podman', 'catatonit', 'runc', 'nft', 'ip', 'nsenter', 'jq']

/**
 * Debian's podman with images, pods and a network of its own in `folder`, which needs root. Pods know the names of `hosts` as a
 * cluster's name servers would tell them.
 */
export async function startEngine(folder: string, subnet: string, hosts: Record<string, string>) {
  const places = [...(process.env.PATH ?? '').split(':'), '/usr/sbin', '/sbin']
  const missing = programs.filter((name) => !places.some((place) => existsSync(join(place, name))))
  if (missing.length) throw new Error(`${missing.join(', ')} are missing: ${packages}`)
  const names = Object.entries(hosts).map(([name, address]) => `${address} ${name}\n`)
  writeFileSync(join(folder, 'hosts'), names.join(''))
  // Not every machine lets its limits be raised, which podman would do. runc runs with every layout of control groups, and Debian's
  // crun not with mixed ones.
  writeFileSync(
    join(folder, 'containers.conf'),
    `[containers]
default_ulimits = ["nofile=4096:4096", "nproc=4096:4096"]
base_hosts_file = "${join(folder, 'hosts')}"
[engine]
runtime = "runc"
cgroup_manager = "cgroupfs"
events_logger = "file"
`,
  )
  const env = { ...process.env, PATH: places.join(':'), CONTAINERS_CONF: join(folder, 'containers.conf') }
  const roots = ['--root', join(folder, 'images'), '--runroot', join(folder, 'run')]
  const words = [...roots, '--tmpdir', join(folder, 'tmp'), '--network-config-dir', join(folder, 'networks')]
  /** Runs a command of podman and returns what it prints. It does not wait for it synchronously: what pods call may be in this process. */
  const podman = async (...given: string[]) => {
    const { stdout } = await run('podman', [...words, ...given], { env, maxBuffer: 1e8 })
    return stdout.trim()
  }
  await podman('network', 'create', '--disable-dns', '--subnet', subnet, 'portal')
  return {
    env,
    podman,
    /** A command line that is podman with the folders of this engine, for scripts. */
    line: `CONTAINERS_CONF=${env.CONTAINERS_CONF} podman ${words.join(' ')}`,
    async logs(container: string) {
      const { stdout, stderr } = await run('podman', [...words, 'logs', container], { env, maxBuffer: 1e8 })
      return stdout + stderr
    },
    async stop() {
      await podman('pod', 'rm', '--all', '--force', '--time', '0')
      await podman('network', 'rm', '--force', 'portal')
      await podman('image', 'rm', '--all', '--force')
    },
  }
}
export type Engine = Awaited<ReturnType<typeof startEngine>>

/**
 * Builds the image by the Dockerfile. Its base and what its first stage makes are taken from this machine: the base has the C
 * libraries and certificates of Debian, and neither shell nor anything else.
 */
export async function buildImage({ podman }: Engine, folder: string, name: string) {
  const [base, made] = [join(folder, 'base'), join(folder, 'made')]
  for (const place of [join(base, 'etc/ssl/certs'), join(base, 'tmp'), join(made, 'usr/local/bin')])
    mkdirSync(place, { recursive: true })
  mkdirSync(join(made, 'data'))
  execFileSync(process.execPath, [join(root, 'deploy/compose/programs.ts'), join(made, 'programs')])
  cpSync(realpathSync(process.execPath), join(made, 'usr/local/bin/node'))
  copyLibraries(base, join(made, 'programs'))
  cpSync('/etc/ssl/certs/ca-certificates.crt', join(base, 'etc/ssl/certs/ca-certificates.crt'))
  writeFileSync(join(base, 'etc/nsswitch.conf'), 'hosts: files dns\n')
  const path = ['--change', 'ENV PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin']
  for (const [place, image] of [
    [base, 'gcr.io/distroless/cc-debian12'],
    [made, 'localhost/made'],
  ] as const) {
    execFileSync('tar', ['--create', '--file', `${place}.tar`, '--directory', place, '.'])
    await podman('import', ...path, `${place}.tar`, image)
  }
  const dockerfile = readFileSync(join(root, 'deploy/compose/Dockerfile'), 'utf8')
  const [, ours = ''] = /^(FROM gcr\.io\/distroless.*)/ms.exec(dockerfile) ?? []
  writeFileSync(join(folder, 'Dockerfile'), `FROM localhost/made AS build\n${ours}`)
  await podman('build', '--quiet', '--tag', name, '--file', join(folder, 'Dockerfile'), folder)
}
