import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  appendFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { until } from '../../portal.ts'
import { openTerminal } from './terminal.ts'

const needed = {
  debootstrap: 'debootstrap',
  'systemd-nspawn': 'systemd-container',
  nft: 'nftables',
  ip: 'iproute2',
  openssl: 'openssl',
}
const places = [...(process.env.PATH ?? '').split(delimiter), '/usr/sbin', '/sbin']

/** Throws a sentence if this machine cannot boot another one. */
function checkPrograms() {
  if (process.getuid?.() !== 0)
    throw new Error('This test boots a Debian machine: run it as root, on Debian.')
  const missing = Object.entries(needed).filter(
    ([program]) => !places.some((place) => existsSync(join(place, program))),
  )
  if (missing.length > 0)
    throw new Error(
      `This test boots a Debian machine: apt-get install ${missing.map(([, name]) => name).join(' ')}`,
    )
}

const run = (program: string, ...words: string[]) =>
  execFileSync(program, words, {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, PATH: places.join(delimiter) },
  })

/**
 * An empty Debian 13: the packages that Debian calls required, systemd, and nothing else. PORTAL_TRIAL_BASE names a folder
 * with such a system, for machines that do not reach Debian's servers.
 */
function makeRoot(root: string) {
  const base = process.env.PORTAL_TRIAL_BASE
  if (base) run('cp', '--archive', `${base}/.`, root)
  else run('debootstrap', '--variant=minbase', '--include=systemd,systemd-sysv,dbus', 'trixie', root)
  const resolvers = ['/run/systemd/resolve/resolv.conf', '/etc/resolv.conf'].find((path) => existsSync(path))
  rmSync(join(root, 'etc/resolv.conf'), { force: true })
  if (resolvers) cpSync(realpathSync(resolvers), join(root, 'etc/resolv.conf'))
  // Whoever types apt-get install says yes.
  writeFileSync(join(root, 'etc/apt/apt.conf.d/90yes'), 'APT::Get::Assume-Yes "true";\n')
  appendFileSync(join(root, 'etc/hosts'), '127.0.0.1 localhost\n')
}

/** A network of its own for the machine, which reaches what this one reaches. Returns its address and what removes it. */
function makeNetwork(name: string) {
  const third = process.pid % 250
  const [ours, address] = [`10.213.${third}.1`, `10.213.${third}.2`]
  const forwarding = '/proc/sys/net/ipv4/ip_forward'
  const before = readFileSync(forwarding, 'utf8')
  run('ip', 'netns', 'add', name)
  const remove = () => {
    writeFileSync(forwarding, before)
    run('ip', 'netns', 'delete', name)
    run('nft', 'delete', 'table', 'ip', name)
  }
  run('nft', 'add', 'table', 'ip', name)
  run('ip', 'link', 'add', name, 'type', 'veth', 'peer', 'name', 'host0', 'netns', name)
  run('ip', 'address', 'add', `${ours}/30`, 'dev', name)
  run('ip', 'link', 'set', name, 'up')
  run('ip', '-n', name, 'address', 'add', `${address}/30`, 'dev', 'host0')
  run('ip', '-n', name, 'link', 'set', 'host0', 'up')
  run('ip', '-n', name, 'link', 'set', 'lo', 'up')
  run('ip', '-n', name, 'route', 'add', 'default', 'via', ours)
  writeFileSync(forwarding, '1')
  run('nft', `add chain ip ${name} out { type nat hook postrouting priority 100 ; }`)
  run('nft', `add rule ip ${name} out ip saddr ${ours}/30 masquerade`)
  return { ours, address, remove }
}

/** If this machine reaches the internet through a proxy with a certificate of its own, the other one has to know it. */
function trustWhatWeTrust(root: string): Record<string, string> {
  const own = process.env.NODE_EXTRA_CA_CERTS
  if (!own) return {}
  const place = '/usr/local/share/ca-certificates/here.crt'
  mkdirSync(join(root, '/usr/local/share/ca-certificates'), { recursive: true })
  cpSync(realpathSync(own), join(root, place))
  return { NODE_EXTRA_CA_CERTS: place, NPM_CONFIG_CAFILE: place }
}

/** Boots an empty Debian 13 in a container of systemd, and opens a terminal on it. */
export async function bootMachine() {
  checkPrograms()
  const folder = mkdtempSync(join(tmpdir(), 'portal-trial-'))
  const root = join(folder, 'root')
  mkdirSync(root, { mode: 0o755 })
  const ends: (() => unknown)[] = [() => rmSync(folder, { recursive: true, force: true })]
  const end = async () => {
    for (const one of ends.toReversed()) await one()
  }
  try {
    makeRoot(root)
    const env = {
      PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin',
      HOME: '/root',
      TERM: 'dumb',
      DEBIAN_FRONTEND: 'noninteractive',
      ...trustWhatWeTrust(root),
    }
    const name = `trial${process.pid}`
    const { ours, address, remove } = makeNetwork(name)
    ends.push(remove)
    const machine = boot(root, name, join(folder, 'boot.log'))
    ends.push(() => halt(machine))
    const enter = await until(async () => entrance(machine), 90_000)
    const terminal = openTerminal(root, enter, env)
    ends.push(terminal.close)
    return { root, ours, address, ...terminal, end }
  } catch (error) {
    await end()
    throw error
  }
}

function boot(root: string, network: string, log: string): ChildProcess {
  const out = openSync(log, 'w')
  const words = ['--quiet', '--boot', '--register=no', '--keep-unit', '--resolv-conf=off', '--console=pipe']
  return spawn(
    'systemd-nspawn',
    [...words, `--network-namespace-path=/run/netns/${network}`, '--directory', root],
    // systemd of Debian 13 knows the newer control groups only.
    { stdio: ['ignore', out, out], env: { ...process.env, SYSTEMD_NSPAWN_UNIFIED_HIERARCHY: '1' } },
  )
}

async function halt(machine: ChildProcess) {
  if (machine.exitCode !== null) return
  const gone = once(machine, 'exit')
  machine.kill('SIGTERM')
  const late = setTimeout(() => machine.kill('SIGKILL'), 30_000)
  await gone
  clearTimeout(late)
}

/** The words that run a command on the machine, once it has booted. Its process 1 is not the first child of systemd-nspawn. */
function entrance({ pid, exitCode }: ChildProcess): string[] | undefined {
  if (exitCode !== null) throw new Error('The machine did not boot: systemd-nspawn has ended.')
  const child = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim()
  const enter = ['nsenter', '--target', child, '--all', '--root', '--wd']
  const [program = '', ...words] = enter
  try {
    return run(program, ...words, 'systemctl', 'is-system-running').trim() === 'running' ? enter : undefined
  } catch {
    return undefined
  }
}
