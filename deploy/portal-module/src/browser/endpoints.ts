import { readdirSync } from 'node:fs'
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Endpoint, wordParams } from '@portal/contracts/endpoint'

const isEndpoint = (value: unknown): value is Endpoint =>
  typeof value === 'object' && value !== null && 'answer' in value && 'access' in value && 'path' in value

/** Every call of the portal that its contracts declare. */
async function readEndpoints(): Promise<Endpoint[]> {
  const folder = dirname(fileURLToPath(import.meta.resolve('@portal/contracts/endpoint')))
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((path) => /^[^.]+(\.\w+)?\.(js|ts)$/.test(path) && !/^test-|\.(test|d)\.\w+$/.test(path))
    .map((path) => path.replace(/\.\w+$/, '').replaceAll('\\', '/'))
  const modules = await Promise.all(names.map((name) => import(`@portal/contracts/${name}`)))
  return modules
    .flatMap((exported) => Object.values(exported as object))
    .flatMap((value) => (isEndpoint(value) ? [value] : Object.values(value ?? {})))
    .filter(isEndpoint)
}

let read: Promise<Endpoint[]> | undefined

/** An address with parameters as an expression with groups. */
const asPattern = (path: string): RegExp =>
  new RegExp(
    `^${path.replace(/[.*+?^${}()|[\]\\]/g, '\\$&').replace(/:(\w+)/g, (_, name: string) => (wordParams.includes(name) ? `(?<${name}>[^/]+)` : `(?<${name}>\\d+)`))}$`,
  )

/** The call that is made by a method and a path, and its parameters. */
export async function findEndpoint(method: string, path: string) {
  read ??= readEndpoints()
  for (const endpoint of await read) {
    const found = endpoint.method === method ? asPattern(endpoint.path).exec(path) : null
    if (found) return { endpoint, params: found.groups ?? {} }
  }
  return undefined
}
