type Port = { protocol: string; port: number }
type Peer = { podSelector?: { matchLabels: Record<string, string> }; namespaceSelector?: object }
export type Policy = {
  metadata: { name: string }
  spec: {
    podSelector: { matchLabels: Record<string, string> }
    policyTypes: ('Ingress' | 'Egress')[]
    egress?: { to?: Peer[]; ports: Port[] }[]
    ingress?: { from: Peer[]; ports: Port[] }[]
  }
}

/**
 * The rules of nftables that NetworkPolicies are for a pod with these labels. Where it may go they hold to the address and the
 * port; who comes in, to the port only, because podman has no namespaces. What is refused is written down.
 */
export function rulesOf(
  policies: Policy[],
  labels: Record<string, string>,
  others: Record<string, string>,
): string {
  const own = policies.filter(({ spec }) =>
    Object.entries(spec.podSelector.matchLabels).every(([name, value]) => labels[name] === value),
  )
  const isFor = (type: 'Ingress' | 'Egress') => own.filter(({ spec }) => spec.policyTypes.includes(type))
  const [out, incoming] = [isFor('Egress'), isFor('Ingress')]
  if (!out.length || !incoming.length) throw new Error('A pod without a policy may do everything.')
  const log = '{ ip daddr . meta l4proto . th dport }'
  const outside = out
    .flatMap(({ spec }) => spec.egress ?? [])
    .flatMap(({ to, ports }) =>
      addressesOf(to, others).flatMap((where) =>
        ports.map(
          ({ protocol, port }) => `${where}${protocol.toLowerCase()} dport ${port} add @opened ${log} accept`,
        ),
      ),
    )
  const inside = incoming
    .flatMap(({ spec }) => spec.ingress ?? [])
    .flatMap(({ ports }) =>
      ports.map(({ protocol, port }) => `${protocol.toLowerCase()} dport ${port} accept`),
    )
  const set = (name: string) =>
    `set ${name} { type ipv4_addr . inet_proto . inet_service; flags dynamic; size 1000; }`
  return `table inet portal {
  ${['opened', 'refused', 'refusedIncoming'].map(set).join('\n  ')}
  chain outgoing {
    type filter hook output priority 0; policy accept;
    oifname "lo" accept
    ct state established,related accept
    ${outside.join('\n    ')}
    meta nfproto ipv4 meta l4proto { tcp, udp } add @refused ${log}
    reject
  }
  chain incoming {
    type filter hook input priority 0; policy accept;
    iifname "lo" accept
    ct state established,related accept
    ${inside.join('\n    ')}
    meta nfproto ipv4 meta l4proto { tcp, udp } add @refusedIncoming ${log}
    drop
  }
}
`
}

/** The matches of nftables for whom a rule names. */
function addressesOf(to: Peer[] | undefined, others: Record<string, string>): string[] {
  if (!to) return ['']
  return to.flatMap(({ podSelector }) =>
    Object.entries(podSelector?.matchLabels ?? {}).map(([name, value]) => {
      const address = others[`${name}=${value}`]
      if (!address) throw new Error(`No pod has the label ${name}=${value}.`)
      return `ip daddr ${address} `
    }),
  )
}
