import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { readSettings } from '../src/kit/settings.ts'
import { isSecret, settingNames } from '../src/settings-page.ts'

const root = join(import.meta.dirname, '../..')
const read = (path: string) => readFileSync(join(root, path), 'utf8')
type Program = { name: string; env: Record<string, string>; secrets: string[]; after: string[]; text: string }

/** The lines of an environment file. */
const settingsIn = (text: string): Record<string, string> =>
  Object.fromEntries(
    text
      .split('\n')
      .filter((line) => /^[A-Z]/.test(line))
      .map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]),
  )

function units(): Program[] {
  const folder = 'deploy/systemd'
  const names = readdirSync(join(root, folder)).filter((name) => name.endsWith('.service'))
  return names.map((name) => {
    const text = read(`${folder}/${name}`)
    const all = (key: string) =>
      [...text.matchAll(new RegExp(`^${key}=(.*)$`, 'gm'))].map(([, value = '']) => value)
    const env = all('Environment').flatMap((line) => line.split(' '))
    return {
      name: name.replace(/^portal-|\.service$/g, ''),
      env: {
        ...(all('EnvironmentFile').length && settingsIn(read(`${folder}/portal.env`))),
        ...settingsIn(env.join('\n')),
      },
      secrets: all('LoadCredential').map((line) => line.split(':')[0] ?? ''),
      after: all('Requires').map((each) => each.replace(/^portal-|\.service$/g, '')),
      text,
    }
  })
}

type Service = {
  env_file?: string
  environment?: Record<string, string>
  secrets?: string[]
  depends_on?: Record<string, { condition: string }>
}
function containers(): Program[] {
  const { services } = parse(read('deploy/compose/compose.yaml'), { merge: true }) as {
    services: Record<string, Service>
  }
  return Object.entries(services)
    .filter(([, { env_file }]) => env_file)
    .map(([name, service]) => ({
      name,
      env: { ...settingsIn(read('deploy/compose/portal.env')), ...service.environment },
      secrets: service.secrets ?? [],
      after: Object.keys(service.depends_on ?? {}),
      text: JSON.stringify(service),
    }))
}

const known = settingNames()
describe.each([
  ['systemd', units()],
  ['compose', containers()],
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
      expect(files.sort(), name).toEqual([...secrets].sort())
    }
    for (const name of ['api', 'worker'])
      expect(of(name).secrets).not.toEqual(expect.arrayContaining(['database-owner']))
  })

  test('has modules published, then the database migrated, then api and worker', () => {
    expect(of('prepare').after).toContain('release')
    expect(of('api').after).toContain('prepare')
    expect(of('worker').after).toContain('prepare')
  })

  test.each(['api', 'worker'] as const)('starts a portal in production as %s with these settings', (role) => {
    const { env } = of(role)
    const given = Object.fromEntries(Object.entries(env).filter(([setting]) => !setting.endsWith('_FILE')))
    const settings = readSettings({
      ...given,
      DATABASE_URL: 'postgresql://portal_app:x@database/portal',
      PORTAL_SECRET: 'x'.repeat(32),
    })
    expect(settings).toMatchObject({ role, demo: false, requireCodes: true, fourEyes: true })
    expect(settings.publicUrl).toMatch(/^https:/)
    expect(settings.machine.port).toBeGreaterThan(0)
    expect(settings.machine.public).toBe(false)
    const patience = Number(/(?:TimeoutStopSec=|"stop_grace_period":")(\d+)/.exec(of(role).text)?.[1])
    // After draining, main.ts gives open calls and jobs 9.5 s.
    expect(patience * 1000).toBeGreaterThanOrEqual(settings.drainMs + 10_000)
  })
})

test('a probe of a container asks /readyz at the port of its machine paths', () => {
  for (const { name, env, text } of containers().filter(({ env }) => env.PORTAL_MACHINE_PORT))
    expect(text, name).toContain(`http://127.0.0.1:${env.PORTAL_MACHINE_PORT}/readyz`)
})
