import { execFileSync } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { freePort } from '../debian-postgres.ts'
import { Program } from './program.ts'

const shipped = join(import.meta.dirname, '../../../../deploy')
export const command = '/usr/sbin/nginx'

/** A certificate that signs itself, for these names, and its key. */
export function makeCertificate(folder: string, ...names: string[]) {
  const [key, certificate] = [join(folder, 'key.pem'), join(folder, 'certificate.pem')]
  const others = names.map((name) => `DNS:${name}`).join()
  const subject = ['-subj', `/CN=${names[0]}`, '-addext', `subjectAltName=${others}`]
  const words = ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '2', '-keyout', key, '-out']
  execFileSync('openssl', [...words, certificate, ...subject], { stdio: 'ignore' })
  return { key, certificate }
}

type Certificate = ReturnType<typeof makeCertificate>
type Shipped = 'systemd/nginx-servers.conf' | 'systemd/nginx.conf' | 'compose/nginx.conf'
type Place = {
  folder: string
  logs: string
  apis: readonly string[]
  certificate: Certificate
  of?: Shipped
}

/**
 * Writes a configuration of nginx with a file of deploy, that for several servers unless `of` names another, and returns its path.
 * Only the addresses of the apis, the folder of the logs and the certificate are others, and what `change` changes.
 */
export function writeNginx(
  { folder, logs, apis, certificate, of = 'systemd/nginx-servers.conf' }: Place,
  change = (text: string) => text,
): string {
  mkdirSync(folder)
  const text = readFileSync(join(shipped, of), 'utf8')
    .replace('10.0.0.11:8080', apis[0] ?? '')
    .replace('10.0.0.12:8080', apis[1] ?? '')
    .replace('127.0.0.1:8080', apis[0] ?? '')
    .replace('api:8080', apis[0] ?? '')
    .replaceAll('/var/log/nginx/', `${logs}/nginx-`)
    .replace(/ssl_certificate .*;/, `ssl_certificate ${certificate.certificate};`)
    .replace(/ssl_certificate_key .*;/, `ssl_certificate_key ${certificate.key};`)
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
    .map((name) => `${name}_temp_path ${folder}/${name};`)
    .join('\n')
  const file = join(folder, 'nginx.conf')
  writeFileSync(
    file,
    `daemon off;\nuser root;\nworker_processes 2;\npid ${folder}/nginx.pid;\nerror_log ${logs}/nginx-error.log notice;
events { worker_connections 1024; }\nhttp {\naccess_log ${logs}/nginx-access.log;\n${temporary}\n${change(text)}\n}\n`,
  )
  return file
}

type Before = { folder: string; logs: string; port: number; apis: readonly number[]; of?: Shipped }

/** One nginx, which people reach as localhost at a port. */
export async function makeNginx({ folder, logs, port, apis, of }: Before) {
  const certificate = makeCertificate(folder, 'localhost')
  const plainPort = await freePort()
  const addresses = apis.map((api) => `127.0.0.1:${api}`)
  const place = { folder: join(folder, 'nginx'), logs, apis: addresses, certificate, of }
  const file = writeNginx(place, (text) =>
    text
      .replace('listen 80;', `listen 127.0.0.1:${plainPort};`)
      .replace('listen 443 ssl http2;', `listen 127.0.0.1:${port} ssl http2;`)
      .replaceAll(/ *listen \[::\].*\n/g, '')
      .replaceAll('portal.example.org', 'localhost'),
  )
  const program = new Program({
    name: 'nginx (apt-get install nginx)',
    command,
    args: ['-c', file],
    log: join(logs, 'nginx.log'),
    isUp: async () => (await fetch(`http://localhost:${plainPort}/`, { redirect: 'manual' })).status === 301,
  })
  return { program, certificate: certificate.certificate, plainPort }
}
