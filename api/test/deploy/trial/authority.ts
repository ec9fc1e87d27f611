import { spawn } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Agent, fetch } from 'undici'
import { until } from '../../portal.ts'
import { makeCertificate } from './certificate.ts'

const ports = { acme: 14000, management: 15000, names: 8053 }

/**
 * An authority that signs certificates by ACME, as those on the internet do: Pebble, which Debian has. It looks for every name at the
 * address of the machine. `certificate` is that of its own server, `root` is what signs.
 */
export async function startAuthority({
  host,
  ours,
  address,
}: {
  host: string
  ours: string
  address: string
}) {
  if (!existsSync('/usr/bin/pebble')) throw new Error('This test signs certificates: apt-get install pebble')
  const folder = mkdtempSync(join(tmpdir(), 'portal-authority-'))
  const certificate = makeCertificate(folder, [host])
  const config = join(folder, 'pebble.json')
  const pebble = {
    listenAddress: `${ours}:${ports.acme}`,
    managementListenAddress: `${ours}:${ports.management}`,
    certificate: join(folder, 'fullchain.pem'),
    privateKey: join(folder, 'privkey.pem'),
    httpPort: 80,
    tlsPort: 443,
  }
  writeFileSync(config, JSON.stringify({ pebble }))
  const names = ['-defaultIPv4', address, '-defaultIPv6', '', '-dns01', `${ours}:${ports.names}`]
  const others = ['http01', 'https01', 'tlsalpn01'].flatMap((kind) => [`-${kind}`, ''])
  const programs = [
    spawn('pebble-challtestsrv', [...names, ...others, '-management', `${ours}:8055`], { stdio: 'ignore' }),
    spawn('pebble', ['-config', config, '-dnsserver', `${ours}:${ports.names}`], {
      stdio: 'ignore',
      env: { ...process.env, PEBBLE_VA_NOSLEEP: '1' },
    }),
  ]
  const dispatcher = new Agent({ connect: { ca: certificate, servername: host } })
  const root = await until(
    () =>
      fetch(`https://${ours}:${ports.management}/roots/0`, { dispatcher }).then(
        (answer) => answer.text(),
        () => undefined,
      ),
    30_000,
  )
  return {
    certificate,
    root,
    url: `https://${host}:${ports.acme}/dir`,
    close() {
      for (const program of programs) program.kill()
      rmSync(folder, { recursive: true })
    },
  }
}
