import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { readSettings } from '../process/settings.ts'
import { readIdentityProviders } from './identity-providers.ts'

const folder = mkdtempSync(join(tmpdir(), 'portal-oidc-'))
afterAll(() => rmSync(folder, { recursive: true }))

const entry = {
  name: 'ministry',
  label: 'the ministry',
  issuer: 'https://id.example.org/realms/staff',
  client_id: 'portal',
  client_secret: 'hush',
  domains: ['Example.org'],
}
const partner = { ...entry, name: 'partner', domains: ['partner.example'] }
const read = (...entries: object[]) => readIdentityProviders(JSON.stringify(entries))
const environment = { DATABASE_URL: 'postgresql://localhost/portal', PORTAL_DEMO: 'true' }

test('an operator names providers in the setting or in a file, and their secrets in files of their own', () => {
  const secret = join(folder, 'secret')
  writeFileSync(secret, 'hush\n')
  const { client_secret: _, ...rest } = entry
  const list = JSON.stringify([{ ...rest, client_secret_file: secret }, partner])
  const file = join(folder, 'providers.json')
  writeFileSync(file, list)
  const providers = readIdentityProviders(list)
  expect(providers).toMatchObject([
    { name: 'ministry', clientId: 'portal', clientSecret: 'hush', domains: ['example.org'], longestMs: 5000 },
    { name: 'partner', domains: ['partner.example'] },
  ])
  expect(readIdentityProviders(file)).toEqual(providers)
  expect(readIdentityProviders('')).toEqual([])
})

test('an operator is told which entry is wrong and why, and never sees a secret there', () => {
  const { client_secret: _, ...open } = entry
  const { issuer: __, ...nowhere } = entry
  const empty = join(folder, 'empty')
  writeFileSync(empty, '\n')
  const only = 'issuer is an address with https, or with http on this machine, such as https://id.example.org'
  const faults: [string, unknown][] = [
    ['entry 1: issuer is missing', read(nowhere)],
    ['entry 2: name has small letters, digits and hyphens only', read(entry, { ...partner, name: 'A b' })],
    [`entry 1: ${only}`, read({ ...entry, issuer: 'http://id.example.org' })],
    [`entry 1: ${only}`, read({ ...entry, issuer: 'http://127.0.0.1.example.org' })],
    [`entry 1: ${only}`, read({ ...entry, issuer: 'https://user:pass@id.example.org' })],
    ['entry 1: domains names one domain at least', read({ ...entry, domains: [] })],
    ['entry 1: domains has domains such as example.org', read({ ...entry, domains: ['@example.org'] })],
    ['entry 1: domain is not known', read({ ...entry, domain: 'example.org' })],
    [
      'entry 1: it is an object with name, label, issuer, client_id and domains',
      readIdentityProviders('[1]'),
    ],
    ['entry 1: set either client_secret or client_secret_file', read(open)],
    ['entry 1: set either client_secret or client_secret_file', read({ ...entry, client_secret_file: 'x' })],
    [
      `entry 1: client_secret_file is ${folder}/none, which cannot be read (ENOENT)`,
      read({ ...open, client_secret_file: `${folder}/none` }),
    ],
    [`entry 1: the file ${empty} is empty`, read({ ...open, client_secret_file: empty })],
    ['has two entries with the name ministry', read(entry, { ...entry, domains: ['other.example'] })],
    [
      'names the domain example.org twice: one provider answers for it',
      read(entry, { ...entry, name: 'other' }),
    ],
    ['is neither a list in JSON nor a file with one', readIdentityProviders('[{"client_secret": "hush"')],
    [
      `names the file ${folder}/no.json, which cannot be read (ENOENT)`,
      readIdentityProviders(`${folder}/no.json`),
    ],
  ]
  for (const [fault, seen] of faults) expect(seen).toBe(fault)
  expect(read({ ...entry, issuer: 'http://localhost:9000' })).toMatchObject([
    { issuer: 'http://localhost:9000' },
  ])
})

test('an operator cannot start the portal with a wrong provider, or without the address that people come back to', () => {
  const start = (PORTAL_OIDC: string, PORTAL_PUBLIC_URL?: string) => () =>
    readSettings({ ...environment, PORTAL_OIDC, PORTAL_PUBLIC_URL })
  expect(start('[{}]', 'https://portal.example')).toThrow('PORTAL_OIDC entry 1: name is missing.')
  expect(start(JSON.stringify([entry]))).toThrow(
    'PORTAL_OIDC is set: PORTAL_PUBLIC_URL has to be, too, because providers send people back to it.',
  )
  expect(start(JSON.stringify([entry]), 'https://portal.example')().identityProviders).toHaveLength(1)
})
