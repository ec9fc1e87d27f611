import { execFileSync } from 'node:child_process'

const ip = (...words: string[]) => execFileSync('/usr/sbin/ip', words, { encoding: 'utf8' })

/** A machine of the network, as far as it has a network of its own. */
export type Machine = {
  address: string
  /** The words that start a program on it. */
  inside: (command: string, args: readonly string[]) => { command: string; args: string[] }
  /** Whether it has that address at the moment. */
  has(address: string): boolean
  /** Its cable, out or in. */
  cable(state: 'down' | 'up'): void
  /** Takes away an address if it is there, as a start of the machine would. */
  forget(address: string): void
}

/**
 * Machines and this one in a network of namespaces (apt-get install iproute2; it needs root). The switch is in a namespace of its
 * own, too, so that no rule of this machine's firewall, such as Docker's, reaches it.
 */
export function makeNetwork(names: readonly string[], atEnd: (end: () => Promise<unknown>) => void) {
  const id = process.pid
  const base = `10.213.${id % 250}`
  const lan = `portal-lan-${id}`
  const add = (namespace: string) => {
    ip('netns', 'add', namespace)
    atEnd(async () => ip('netns', 'del', namespace))
    ip('-n', namespace, 'link', 'set', 'lo', 'up')
  }
  add(lan)
  ip('-n', lan, 'link', 'add', 'switch', 'type', 'bridge')
  ip('-n', lan, 'link', 'set', 'switch', 'up')
  /** A cable from the switch. Its other end is called `end`, in the namespace or on this machine. */
  const plug = (port: string, end: string, address: string, namespace?: string) => {
    const there = ['netns', namespace ?? String(id)]
    const at = namespace ? ['-n', namespace] : []
    ip('-n', lan, 'link', 'add', port, 'type', 'veth', 'peer', 'name', end, ...there)
    ip('-n', lan, 'link', 'set', port, 'master', 'switch', 'up')
    ip(...at, 'address', 'add', `${address}/24`, 'dev', end)
    ip(...at, 'link', 'set', end, 'up')
  }
  const here = `${base}.1`
  plug('here', `portal${id}`, here)
  const machines = names.map((name, index): Machine => {
    const namespace = `portal-${name}-${id}`
    const address = `${base}.${index + 2}`
    add(namespace)
    plug(name, 'eth0', address, namespace)
    return {
      address,
      inside: (command, args) => ({
        command: '/usr/sbin/ip',
        args: ['netns', 'exec', namespace, command, ...args],
      }),
      has: (other) => ip('-n', namespace, 'address', 'show', 'dev', 'eth0').includes(` ${other}/`),
      cable: (state) => void ip('-n', lan, 'link', 'set', name, state),
      forget: (other) => void ip('-n', namespace, 'address', 'flush', 'dev', 'eth0', 'to', other),
    }
  })
  return { here, shared: `${base}.10`, machines }
}
