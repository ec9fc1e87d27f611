import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { until } from '../../portal.ts'
import { type Machine, makeNetwork } from './network.ts'
import { command, makeCertificate, writeNginx } from './nginx.ts'
import { Program } from './program.ts'

const shipped = join(import.meta.dirname, '../../../../deploy/systemd/keepalived.conf')
type AtEnd = (end: () => Promise<unknown>) => void
type Gateway = { machine: Machine; nginx: Program; keepalived: Program }

/** nginx of a machine, with the file for several servers. */
function nginxOf(place: string, machine: Machine, apis: readonly string[], certificate: Certificate) {
  const file = writeNginx({ folder: join(place, 'nginx'), logs: place, apis, certificate })
  return new Program({
    name: 'nginx (apt-get install nginx)',
    ...machine.inside(command, ['-c', file]),
    log: join(place, 'nginx.log'),
    isUp: async () => (await fetch(`http://${machine.address}/`, { redirect: 'manual' })).status === 301,
  })
}
type Certificate = ReturnType<typeof makeCertificate>

/** keepalived of a machine, which may get the shared address or leave it to the other one. */
function keepalivedOf(place: string, machine: Machine, other: string, shared: string): Program {
  const file = join(place, 'keepalived.conf')
  const text = readFileSync(shipped, 'utf8')
    .replace('unicast_src_ip 10.0.0.2', `unicast_src_ip ${machine.address}`)
    .replace('10.0.0.3', other)
    .replace('10.0.0.10/24', `${shared}/24`)
  writeFileSync(file, text)
  const words = ['--dont-fork', '--log-console', '--vrrp', '--use-file', file]
  const pid = join(place, 'keepalived.pid')
  const pids = ['--pid', pid, '--vrrp_pid', join(place, 'vrrp.pid')]
  const log = join(place, 'keepalived.log')
  const program: Program = new Program({
    name: 'keepalived (apt-get install keepalived)',
    ...machine.inside('/usr/sbin/keepalived', [...words, ...pids]),
    log,
    isUp: async () => {
      const [sinceStart = ''] = readFileSync(log, 'utf8').split('Starting Keepalived').slice(-1)
      return Number(readFileSync(pid, 'utf8')) === program.pid && sinceStart.includes('BACKUP STATE')
    },
  })
  return program
}

/**
 * Two machines with nginx and keepalived, each with its file of deploy/systemd, in a network with this one. People reach the
 * portal at an address that one of the two has. The apis are on this machine.
 */
export function makeGateways(folder: string, atEnd: AtEnd) {
  const { here, shared, machines } = makeNetwork(['gateway-1', 'gateway-2'], atEnd)
  const name = 'portal.example.org'
  const certificate = makeCertificate(folder, name)
  const gateways: Gateway[] = []
  const lost = new Set<Gateway>()
  /** Who has the address, once it is one of those that are there. */
  const holder = () =>
    until(async () => {
      const present = gateways.filter((gateway) => !lost.has(gateway))
      const [first, ...others] = present.filter(({ machine }) => machine.has(shared))
      return others.length === 0 && first
    })
  const run = async ({ nginx, keepalived }: Gateway) => {
    nginx.start()
    await nginx.ready()
    keepalived.start()
    await keepalived.ready()
  }
  return {
    /** Where apis listen, so that both machines reach them. */
    here,
    proxies: machines.map(({ address }) => address),
    url: `https://${name}`,
    /** The address that people reach, as their name servers would say. */
    address: shared,
    certificate: certificate.certificate,
    /** Starts both, before the apis at these ports. */
    async start(ports: readonly number[]) {
      const apis = ports.map((port) => `${here}:${port}`)
      for (const [index, machine] of machines.entries()) {
        const place = join(folder, `gateway-${index + 1}`)
        mkdirSync(place)
        const other = machines[1 - index]?.address ?? ''
        const nginx = nginxOf(place, machine, apis, certificate)
        const keepalived = keepalivedOf(place, machine, other, shared)
        for (const program of [keepalived, nginx]) atEnd(() => program.stop('SIGKILL'))
        gateways.push({ machine, nginx, keepalived })
      }
      for (const gateway of gateways) await run(gateway)
      await holder()
    },
    holder,
    /** Kills the machine that has the address: nobody hears of it, and nothing on it ends connections. */
    async lose() {
      const gateway = await holder()
      lost.add(gateway)
      gateway.machine.cable('down')
      for (const program of [gateway.keepalived, gateway.nginx]) await program.stop('SIGKILL')
      gateway.machine.forget(shared)
    },
    /** Starts what was lost again. The address stays where it is. */
    async bringBack() {
      for (const gateway of lost) {
        gateway.machine.cable('up')
        await run(gateway)
        lost.delete(gateway)
      }
    },
  }
}
