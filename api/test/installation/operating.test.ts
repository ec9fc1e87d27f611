import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { readSettings, SettingsFault } from '../../src/kit/process/settings.ts'
import { isSecret, settingNames } from '../../src/settings-page.ts'
import { charted, ownersCommands, type Program, read, root } from '../deploy/chart.ts'
import { containers, units } from './programs.ts'

/** The share of the processor that a program asks for: of systemd, Compose or Kubernetes. The first two have a usual one. */
const shareOf = (text: string) => {
  const [, unit, container, pod] =
    /^CPUWeight=(\d+)$|"cpu_shares":(\d+)|"requests":\{"cpu":"(\d+)m/m.exec(text) ?? []
  if (unit) return Number(unit) / 100
  if (container) return Number(container) / 1024
  return pod ? Number(pod) / 500 : 1
}

const known = settingNames()
describe.each([
  ['systemd', units()],
  ['compose', containers('compose.yaml')],
  ['compose with an object store', containers('compose.yaml', 'store.yaml')],
  ['compose while the secret is changed', containers('compose.yaml', 'former-secret.yaml')],
  ['helm', charted()],
])('an operator who uses deploy/%s', (_, programs) => {
  const of = (name: string) => programs.find((program) => program.name === name) as Program
  test('sets only settings that exist, and no secret in plain text', () => {
    for (const { name, env } of programs) {
      expect(
        Object.keys(env).filter((setting) => !known.includes(setting)),
        name,
      ).toEqual([])
      expect(Object.keys(env).filter(isSecret), name).toEqual([])
    }
  })

  test('gives each program the secrets that its settings name, and no other', () => {
    for (const { name, env, secrets } of programs) {
      const files = Object.entries(env)
        .filter(([setting]) => setting.endsWith('_FILE'))
        .map(([, path]) => path.replace(/^(%d|\/run\/secrets)\//, ''))
      expect([...new Set(files)].sort(), name).toEqual([...secrets].sort())
    }
    for (const name of ['api', 'worker'])
      expect(of(name).secrets).not.toEqual(expect.arrayContaining(['database-owner']))
  })

  test('has modules published, then the database migrated, then api and worker', () => {
    expect(of('prepare').after).toContain('release')
    expect(of('api').after).toContain('prepare')
    expect(of('worker').after).toContain('prepare')
  })

  test('lets people come before jobs where both want the processor', () => {
    expect(shareOf(of('worker').text) / shareOf(of('api').text)).toBe(0.5)
  })

  test.each(['api', 'worker'] as const)('starts a portal in production as %s with these settings', (role) => {
    const env = { ...of(role).env, PORTAL_INSTALLATION: '7c9e6679-7425-40de-944b-e07fc1f90ae7' }
    const given = Object.fromEntries(Object.entries(env).filter(([setting]) => !setting.endsWith('_FILE')))
    const settings = readSettings({
      ...given,
      DATABASE_URL: 'postgresql://portal_app:x@database/portal',
      PORTAL_SECRET: 'x'.repeat(32),
      S3_KEY: 'portal',
      S3_SECRET: 'x',
    })
    expect(settings).toMatchObject({ role, demo: false, requireCodes: true, fourEyes: true })
    expect(settings.publicUrl).toMatch(/^https:/)
    expect(settings.machine.port).toBeGreaterThan(0)
    expect(settings.machine.public).toBe(false)
    const patience = Number(
      /(?:TimeoutStopSec=|"stop_grace_period":"|"terminationGracePeriodSeconds":)(\d+)/.exec(
        of(role).text,
      )?.[1],
    )
    // After draining, main.ts gives open calls and jobs 9.5 s.
    expect(patience * 1000).toBeGreaterThanOrEqual(settings.drainMs + 10_000)
  })
})

test('an operator’s command gets the address of the owner of the database if it is the owner who has to do it, and no other does', () => {
  const folder = 'api/src/commands'
  // The first two run as a unit of their own, the last one is given both addresses by whoever moves.
  const apart = ['migrate', 'prepare', 'data-move']
  const asking = readdirSync(join(root, folder))
    .filter((name) => /process\.argv|parseArgs|runCommand\(/.test(read(`${folder}/${name}`)))
    .filter((name) => /databaseOwnerUrl|DATABASE_OWNER_URL/.test(read(`${folder}/${name}`)))
    .map((name) => name.replace('.ts', ''))
  expect(ownersCommands()).toEqual(asking.filter((name) => !apart.includes(name)))
})

test.each([
  ['systemd', units()],
  ['compose', containers('compose.yaml')],
  ['compose with an object store', containers('compose.yaml', 'store.yaml')],
  ['helm', charted()],
])(
  'whoever was promised an erasure is erased by a program of deploy/%s, as the owner of the database',
  (_, programs) => {
    const { secrets = [], text = '' } = programs.find(({ name }) => name === 'erasures') ?? {}
    expect(text).toMatch(/person-erase\.ts(","| )--approved/)
    const store = programs
      .find(({ name }) => name === 'worker')
      ?.secrets.filter((name) => name.startsWith('s3-'))
    expect([...secrets].sort()).toEqual(['database-owner', ...(store ?? []), 'secret'].sort())
  },
)

test.each([
  ['systemd', units()],
  ['compose', containers('compose.yaml')],
  ['helm', charted()],
])(
  'an operator of %s who forgets the id of the installation cannot start, because two such portals would make the same keys',
  (_, programs) => {
    const { PORTAL_INSTALLATION = '' } = programs.find(({ name }) => name === 'worker')?.env ?? {}
    const start = (demo: string) =>
      readSettings({
        DATABASE_URL: 'postgresql://portal_app:x@database/portal',
        PORTAL_SECRET: 'x'.repeat(32),
        PORTAL_PUBLIC_URL: 'https://portal.example.org',
        PORTAL_DEMO: demo,
        PORTAL_INSTALLATION,
      })
    expect(() => start('false')).toThrow(
      new SettingsFault(
        `PORTAL_INSTALLATION is ${PORTAL_INSTALLATION}, which is the example: each installation has an id of its own, from which keys of payments are made. uuidgen makes one.`,
      ),
    )
    expect(start('true').installation).toBe(PORTAL_INSTALLATION)
  },
)

test('an operator of systemd is told to enable every timer', () => {
  const timers = readdirSync(join(root, 'deploy/systemd')).filter((name) => name.endsWith('.timer'))
  const enabledBy = (page: string) =>
    [...read(`docs/operating/${page}`).matchAll(/systemctl enable --now ([^`\n]*)/g)].flatMap(
      ([, names = '']) => names.split(' '),
    )
  const ofServers = timers.filter((name) => name.startsWith('portal-pgbackrest@'))
  expect(enabledBy('several-servers.md')).toEqual(expect.arrayContaining(ofServers))
  const ofOne = timers.filter((name) => !ofServers.includes(name))
  expect(enabledBy('systemd.md')).toEqual(expect.arrayContaining(ofOne))
})

test('an operator of several servers hands the secret of the store to every unit that reads the settings, or it would not start', () => {
  const page = read('docs/operating/several-servers.md')
  const [, named = ''] = /for each in ([a-z ]+); do\n.*?s3-secret/s.exec(page) ?? []
  const reading = readdirSync(join(root, 'deploy/systemd')).flatMap((file) => {
    const [, name] = /^portal-([a-z]+)\.service$/.exec(file) ?? []
    return name && read(`deploy/systemd/${file}`).includes('bin/node ') ? [name] : []
  })
  expect(reading.length).toBeGreaterThan(4)
  expect(named.split(' ').sort()).toEqual(reading.sort())
})

test('a probe of a container asks /readyz at the port of its machine paths', () => {
  for (const { name, env, text } of containers('compose.yaml').filter(({ env }) => env.PORTAL_MACHINE_PORT))
    expect(text, name).toContain(`http://127.0.0.1:${env.PORTAL_MACHINE_PORT}/readyz`)
})
