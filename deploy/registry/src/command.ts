import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { keyCommands } from './key-commands.ts'
import { RegistryRefusal } from './refusals.ts'
import { openRegistry, type PortalRegistry } from './registry.ts'
import { publishRelease } from './release.ts'
import { makeKey, readReleaseKey } from './release-key.ts'
import type { BuildRecord } from './schemas.ts'
import { readSecretFiles } from './secret-files.ts'
import { dataFolder, distFolder, openStore, placeOfStore } from './settings.ts'
import { tidyUploads } from './staging.ts'
import { refuseOtherStore } from './store-id.ts'
import { waitForStore } from './store-wait.ts'

const usage = `npm run registry -- <command>: the operator's, on the store itself.
  key:make                         prints a new private key; whoever uses it keeps it secret
  key:add <id> --person "First Last" --public <file or JWK> --modules mfe-x[,mfe-y] [--may publish,promote,rollback,disable,pin,revoke]
  key:grant <id> --modules mfe-y             the key is for these modules too
  key:withdraw <id> --modules mfe-y          it is no longer for them; what it signed of them stays good
  key:rotate <id> --to <new id> --public <file or JWK>     the person's new key, for the same modules; the old one is retired
  key:remove <id>                  signs nothing new; what it signed stays good
  key:list
  admit <module> <version> [--trusted]       a partner's build may be promoted, as an administrator admits it under Modules.
                                   It runs isolated, in a frame; trusted it runs in the portal's page, as the person who opens it
  trust <module> <version>         an admitted build runs in the portal's page from now on
  isolate <module> <version>       and in a frame again
  revoke <module> <version> --reason "…"     nobody runs that build any more
  revoke --key <id> --reason "…"             nor anything that key has signed
  remove <module>                  takes a partner's module out of the portal; its addresses are free, and nothing of it waits
  status · log
  tidy                             removes uploads that were begun and never committed
  release                          publishes what was built into dist/ (npm start does it by itself)

  They work on the store of the settings (PORTAL_DATA_DIR, PORTAL_REGISTRY_DIR or S3_BUCKET), name it, and refuse if the
  portal at PORTAL_URL (http://localhost:8080) uses another one. --store <folder> names the store by hand.`

const options = {
  person: { type: 'string' },
  public: { type: 'string' },
  to: { type: 'string' },
  modules: { type: 'string' },
  may: { type: 'string' },
  reason: { type: 'string' },
  key: { type: 'string' },
  name: { type: 'string' },
  store: { type: 'string' },
  trusted: { type: 'boolean' },
} as const
type Given = { [name in Exclude<keyof typeof options, 'trusted'>]?: string } & { trusted?: boolean }

/** Commands of the operator are not signed, because whoever can write to the store can change anything. */
const by = 'operator'

const commands: Record<string, (registry: PortalRegistry, words: string[], given: Given) => Promise<string>> =
  {
    'key:make': async () => JSON.stringify(makeKey()),
    ...keyCommands,
    admit,
    trust: (registry, words) => decideTrust(registry, words, true),
    isolate: (registry, words) => decideTrust(registry, words, false),
    revoke,
    remove,
    status: async ({ status }) => {
      const { generation, at, modules } = await status()
      const lines = modules.map(
        ({ name, version, build, state, withheld, published_by }) =>
          `${name}  ${version} (${build})  ${withheld ?? state}  ${published_by ?? ''}`,
      )
      return [`Generation ${generation}, ${at}`, ...lines].join('\n')
    },
    log: async ({ log }) =>
      (await log.read())
        .map(({ at, by, what, ok, message }) => `${at}  ${ok ? ' ' : '✗'} ${by}: ${what}  ${message}`)
        .join('\n'),
    tidy: async ({ store, log }) => {
      const removed = await tidyUploads(store, { all: true })
      await log.write({ by, what: 'tidy', ok: true, message: `${removed} uploads` })
      return `${removed} uploads removed.`
    },
    release: async (registry) => {
      const env = readSecretFiles(process.env)
      const demo = env.PORTAL_DEMO ? env.PORTAL_DEMO === 'true' : env.NODE_ENV !== 'production'
      const file = demo ? join(dataFolder(env), 'release-key.json') : null
      await waitForStore(registry.store, env)
      const before = (await registry.now()).generation
      const live = await publishRelease(
        registry,
        distFolder(env),
        readReleaseKey(env.PORTAL_RELEASE_KEY, file),
      )
      const already = live.generation === before ? ' already' : ''
      return `Generation ${live.generation} of the modules is live in ${placeOfStore(env)}${already}.`
    },
  }

/** The published build that a command names. */
async function buildNamed(
  { builds }: PortalRegistry,
  command: string,
  [name = '', version = '']: string[],
): Promise<BuildRecord> {
  if (!name || !version)
    throw new RegistryRefusal(
      422,
      `${command} needs a module and a version, such as mfe-health 1.2.0.\n${usage}`,
    )
  const record = await builds.ofVersion(name, version)
  if (!record) {
    const known = (await builds.list(name)).map((each) => each.version).join(', ')
    throw new RegistryRefusal(
      404,
      `${name} ${version} was never published${known ? `; there are ${known}` : ''}.`,
    )
  }
  return record
}

const named = ({ name, version, build }: BuildRecord) => `${name} ${version} (${build})`

async function admit(registry: PortalRegistry, words: string[], { trusted }: Given): Promise<string> {
  const record = await buildNamed(registry, 'admit', words)
  const { name, build } = record
  const { admitted } = await registry.admit({ by, name, build, trusted })
  const before = admitted ? null : await registry.admissions.of(name, build)
  if (before)
    return `${named(record)} was admitted already, by ${before.by} on ${before.at.slice(0, 10)}: trust and isolate decide where it runs.`
  return `${named(record)} is admitted${trusted ? ' and trusted' : ', and runs isolated'}: its team can promote it.`
}

async function decideTrust(registry: PortalRegistry, words: string[], trusted: boolean): Promise<string> {
  const record = await buildNamed(registry, trusted ? 'trust' : 'isolate', words)
  await registry.decideTrust({ by, name: record.name, build: record.build, trusted })
  return trusted
    ? `${named(record)} is trusted: it runs in the portal's page, with the rights of whoever opens it.`
    : `${named(record)} runs isolated, in a frame of its own.`
}

async function remove(registry: PortalRegistry, [name = '']: string[]): Promise<string> {
  if (!name) throw new RegistryRefusal(422, `remove needs a module, such as mfe-health.\n${usage}`)
  const before = await registry.now()
  const { generation } = await registry.changes.remove({ by, name })
  // A removal of what was not live makes no generation, which would be its line of the log.
  if (generation === before.generation)
    await registry.log.write({ by, what: 'remove', ok: true, message: name })
  return `${name} is no longer part of the portal (generation ${generation}). Its builds stay published; none of them waits for admission any more.`
}

async function revoke(
  registry: PortalRegistry,
  [name = '', version = '']: string[],
  given: Given,
): Promise<string> {
  const { reason, key: id } = given
  if (!reason || !(id || (name && version)))
    throw new RegistryRefusal(422, `revoke needs a module and a version, or --key, and --reason.\n${usage}`)
  const { log, revocations, generations } = registry
  if (id) {
    await revocations.revokeKey(id, { by, at: new Date().toISOString(), reason })
    // This makes a new generation, so that every gateway verifies again.
    await generations.change(undefined, () => ({ what: 'revoke', by }))
  } else await registry.changes.revoke({ by, name, version, reason })
  const what = id ? `everything signed by ${id}` : `${name} ${version}`
  await log.write({ by, what: 'revoke', ok: true, message: `${what}: ${reason}` })
  return `Revoked: ${what}. It is withheld everywhere within seconds.`
}

try {
  const { values, positionals } = parseArgs({ options, allowPositionals: true })
  const [name = '', ...words] = positionals
  const command = commands[name]
  if (!command) throw new RegistryRefusal(422, usage)
  const { env } = process
  if (values.store) Object.assign(env, { PORTAL_REGISTRY_DIR: resolve(values.store), S3_BUCKET: '' })
  const store = openStore(env)
  // npm start runs `release` before its portal answers, and with the settings of that portal.
  const isOwn = name === 'key:make' || name === 'release'
  if (!isOwn) {
    const address = env.PORTAL_URL || env.PORTAL_PUBLIC_URL || `http://localhost:${env.PORT || 8080}`
    if (!values.store) await refuseOtherStore(store, placeOfStore(env), address)
    process.stdout.write(`Store: ${placeOfStore(env)}\n`)
  }
  const fault = (message: string) => process.stderr.write(`${message}\n`)
  const output = await command(openRegistry({ store, fault }), words, values)
  if (output) process.stdout.write(`${output}\n`)
} catch (fault) {
  process.stderr.write(`${fault instanceof Error ? fault.message : fault}\n`)
  process.exitCode = 1
}
