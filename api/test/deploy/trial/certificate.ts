import { execFileSync } from 'node:child_process'
import { mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** Makes a certificate for names, under the names of files that certbot gives. Returns it, for those who have to trust it. */
export function makeCertificate(folder: string, names: string[]): string {
  mkdirSync(folder, { recursive: true })
  const [certificate, key] = [join(folder, 'fullchain.pem'), join(folder, 'privkey.pem')]
  const words = ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '30', '-subj', `/CN=${names[0]}`]
  const known = `subjectAltName=${names.map((name) => `DNS:${name}`).join(',')}`
  execFileSync('openssl', [...words, '-addext', known, '-keyout', key, '-out', certificate], {
    stdio: 'ignore',
  })
  return readFileSync(certificate, 'utf8')
}
