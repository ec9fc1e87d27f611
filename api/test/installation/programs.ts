import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'yaml'
import { type Program, read, root } from '../deploy/chart.ts'

/** The lines of an environment file. */
const settingsIn = (text: string): Record<string, string> =>
  Object.fromEntries(
    text
      .split('\n')
      .filter((line) => /^[A-Z]/.test(line))
      .map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]),
  )

/** The units of systemd, with what they are given. */
export function units(): Program[] {
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
export type StoreService = Service & {
  image?: string
  command?: string[]
  entrypoint?: string[]
  profiles?: string[]
  volumes?: string[]
}

/** A file of Compose. */
export const composed = (file: string) =>
  parse(read(`deploy/compose/${file}`), { merge: true }) as {
    services: Record<string, Service>
    volumes: Record<string, object>
    secrets: Record<string, { file: string }>
  }

/** The services of the files, put together as Compose does it: settings and what to wait for by name, secrets one after the other. */
export function containers(...files: string[]): Program[] {
  const services: Record<string, Service> = {}
  for (const [name, service] of files.flatMap((file) => Object.entries(composed(file).services))) {
    const { environment, secrets = [], depends_on, ...before } = services[name] ?? {}
    services[name] = {
      ...before,
      ...service,
      environment: { ...environment, ...service.environment },
      secrets: [...secrets, ...(service.secrets ?? [])],
      depends_on: { ...depends_on, ...service.depends_on },
    }
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
