import { existsSync, readFileSync, statSync } from 'node:fs'
import { homedir } from 'node:os'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import * as v from 'valibot'
import { isKeyText, type KeySource } from './keys.ts'
import { Refusal } from './refusal.ts'

/** Every option of every command, in one list, so that the error names a misspelt one. */
const options = {
  portal: { type: 'string' },
  key: { type: 'string' },
  to: { type: 'string' },
  person: { type: 'string' },
  canary: { type: 'string' },
  role: { type: 'string', multiple: true },
  reason: { type: 'string' },
  port: { type: 'string' },
  vendor: { type: 'string' },
  from: { type: 'string' },
  backend: { type: 'string', multiple: true },
  alone: { type: 'boolean' },
  browser: { type: 'boolean' },
  trusted: { type: 'boolean' },
  name: { type: 'string' },
  address: { type: 'string' },
  'title-en': { type: 'string' },
  'title-fr': { type: 'string' },
  permission: { type: 'string' },
  owner: { type: 'string' },
  contact: { type: 'string' },
  release: { type: 'string' },
  expose: { type: 'string' },
  once: { type: 'boolean' },
  build: { type: 'string' },
  offline: { type: 'boolean' },
  downgrade: { type: 'boolean' },
  contract: { type: 'string' },
  force: { type: 'boolean' },
  help: { type: 'boolean', short: 'h' },
} as const

/** The parsed command line. */
export type Given = ReturnType<typeof read>

function read(args: string[]) {
  const { values, positionals } = parseArgs({ args, options, allowPositionals: true })
  return { values, positionals }
}

/** Parses a command line. An unknown option is refused by name. */
export function readArguments(args: string[]): Given {
  try {
    return read(args)
  } catch (fault) {
    throw new Refusal(`${(fault as Error).message.split('. ')[0]}: portal-module --help lists what there is.`)
  }
}

const Config = v.strictObject({
  $schema: v.optional(v.string()),
  /** Address of the portal, `https://portal.example`. */
  portal: v.optional(v.string()),
  /** The publisher's private key file. */
  key: v.optional(v.string()),
})

/** Reads `portal.config.json` in the module's folder; empty if there is none. */
function readConfig(dir: string): v.InferOutput<typeof Config> {
  const file = join(dir, 'portal.config.json')
  if (!existsSync(file)) return {}
  let content: unknown
  try {
    content = JSON.parse(readFileSync(file, 'utf8'))
  } catch (fault) {
    throw new Refusal(`portal.config.json cannot be read: ${(fault as Error).message}.`)
  }
  const config = v.safeParse(Config, content)
  if (config.success) return config.output
  const [fault] = config.issues
  throw new Refusal(
    `portal.config.json: ${v.getDotPath(fault) ?? ''} ${fault.message}. It may have "portal" and "key".`,
  )
}

/** Folder, portal and key of a command. Flags override the environment, which overrides `portal.config.json`. */
export type Place = { dir: string; portal: () => string; key: () => KeySource }

export function placeOf(dir: string, { values }: Given, env: NodeJS.ProcessEnv = process.env): Place {
  const config = readConfig(dir)
  return {
    dir,
    portal: () => {
      const address = values.portal ?? (env.PORTAL_URL || config.portal)
      if (!address)
        throw new Refusal(
          'Which portal? Write {"portal": "https://…"} into portal.config.json, or set PORTAL_URL, or say --portal https://….',
        )
      if (!URL.canParse(address) || !/^https?:/.test(address))
        throw new Refusal(`${address} is no address of a portal: it begins with https://.`)
      return new URL(address).origin
    },
    key: () => {
      const [from, given] =
        [
          ['--key', values.key],
          ['PORTAL_KEY', env.PORTAL_KEY],
          ['"key" in portal.config.json', config.key],
        ].find(([, value]) => value) ?? []
      if (!from || !given)
        throw new Refusal(
          'Which key? portal-module key makes one; then say --key <file>, or set PORTAL_KEY to the file or its content, or write {"key": "…"} into portal.config.json.',
        )
      const file = resolve(dir, given.replace(/^~(?=\/)/, homedir()))
      return isKeyText(given) && !isFile(file) ? { from, text: given } : { from, file }
    },
  }
}

/** Whether there is a file. A text that is too long for a path is none. */
function isFile(path: string): boolean {
  try {
    return statSync(path).isFile()
  } catch {
    return false
  }
}

type Manifest = { name: string; version: string }

/** Name and version of the module in a folder. */
export function moduleIn(dir: string): Manifest {
  const manifest = join(dir, 'portal.module.json')
  const imported = join(dir, 'build.json')
  if (existsSync(imported)) return JSON.parse(readFileSync(imported, 'utf8')) as Manifest
  if (!existsSync(manifest))
    throw new Refusal(
      `${dir} has no portal.module.json: go to a module's folder, or make one with portal-module new <folder>.`,
    )
  const { name } = JSON.parse(readFileSync(manifest, 'utf8')) as Manifest
  const { version } = JSON.parse(readFileSync(join(dir, 'package.json'), 'utf8')) as Manifest
  return { name, version }
}
