import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Endpoint } from './endpoint.ts'

const files = readdirSync(import.meta.dirname, { recursive: true, encoding: 'utf8' }).filter((path) =>
  /^(?!test-)[a-z/\\-]+\.ts$/.test(path),
)
const modules: Record<string, object>[] = await Promise.all(
  files.map((path) => import(pathToFileURL(join(import.meta.dirname, path)).href)),
)
const isCall = (value: unknown): value is Endpoint =>
  typeof value === 'object' && value !== null && 'method' in value && 'path' in value && 'access' in value

/** Every call of the contracts with its name, `group.call`, for tests of what holds for all of them. */
export const allCalls: { name: string; call: Endpoint }[] = modules.flatMap((module) =>
  Object.entries(module).flatMap(([group, calls]) =>
    Object.entries(calls ?? {}).flatMap(([name, call]) =>
      isCall(call) ? [{ name: `${group}.${name}`, call }] : [],
    ),
  ),
)
