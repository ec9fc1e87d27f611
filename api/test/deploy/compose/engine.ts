import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, existsSync, mkdirSync, realpathSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { until } from '../../portal.ts'

const packages = 'apt-get install docker.io docker-compose debootstrap'
/** Debian's own client builds images without a plugin. */
const programs = ['/usr/bin/docker', '/usr/sbin/dockerd', '/usr/bin/docker-compose', '/usr/sbin/debootstrap']
const root = join(import.meta.dirname, '../../../..')

/** Debian's Docker, with images and containers in `folder` and a socket of its own. It needs root. */
export async function startEngine(folder: string) {
  const missing = programs.filter((program) => !existsSync(program))
  if (missing.length) throw new Error(`${missing.join(', ')} are missing: ${packages}`)
  const host = `unix://${folder}/docker.sock`
  const words = ['--host', host, '--data-root', join(folder, 'images'), '--exec-root', join(folder, 'run')]
  const daemon = spawn('/usr/sbin/dockerd', [...words, '--pidfile', join(folder, 'docker.pid')], {
    stdio: 'ignore',
  })
  const env = { ...process.env, DOCKER_HOST: host, DOCKER_BUILDKIT: '1' }
  /** Runs a command of Docker and returns what it prints. */
  const docker = (words: string[], input?: string) =>
    execFileSync('/usr/bin/docker', words, { env, encoding: 'utf8', input, maxBuffer: 1e9 }).trim()
  await until(async () => {
    try {
      return docker(['info'])
    } catch {
      return false
    }
  }, 30_000)
  return {
    env,
    docker,
    async stop() {
      daemon.kill('SIGTERM')
      await once(daemon, 'exit')
    },
  }
}
type Engine = Awaited<ReturnType<typeof startEngine>>

/** Makes the images that the files of deploy/compose name and that no registry in reach has. */
export function makeStandIns({ docker }: Engine, folder: string) {
  const [base, context] = [join(folder, 'base'), join(folder, 'stand-ins')]
  execFileSync(
    'debootstrap',
    ['--variant=minbase', '--include=ca-certificates,libstdc++6', 'bookworm', base],
    {
      stdio: 'ignore',
    },
  )
  execFileSync('sh', ['-c', 'tar --create --directory "$0" . > "$1"', base, `${base}.tar`])
  docker(['import', `${base}.tar`, 'base'])
  mkdirSync(context)
  for (const name of ['Dockerfile', 'entrypoint.sh'])
    cpSync(join(import.meta.dirname, name), join(context, name))
  cpSync('/etc/ssl/certs/ca-certificates.crt', join(context, 'ca-certificates.crt'))
  cpSync(realpathSync(process.execPath), join(context, 'node'))
  const npm = execFileSync('sh', ['-c', 'realpath "$(command -v npm)"'], { encoding: 'utf8' }).trim()
  cpSync(dirname(dirname(npm)), join(context, 'npm'), { recursive: true })
  for (const [target, name] of [
    ['libraries', 'gcr.io/distroless/cc-debian12'],
    ['node', 'node:24-bookworm-slim'],
    ['nginx', 'nginx:1.28-bookworm'],
    ['postgres', 'postgres:17-bookworm'],
  ] as const)
    docker(['build', '--quiet', '--target', target, '--tag', name, context])
}

/** The sources as an operator has them, with what is changed and not committed. */
export function copySources(to: string) {
  mkdirSync(to)
  execFileSync('sh', [
    '-c',
    'cd "$0" && git ls-files -z --cached --others --exclude-standard | tar --create --null --files-from - | tar --extract --directory "$1"',
    root,
    to,
  ])
}
