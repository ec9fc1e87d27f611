import { readFileSync } from 'node:fs'
import * as v from 'valibot'
import { RegistryRefusal } from './refusals.ts'
import type { PortalRegistry } from './registry.ts'
import { PublisherKey, type Right, rights } from './schemas.ts'

type Given = { person?: string; public?: string; modules?: string; may?: string; name?: string; to?: string }
type Command = (registry: PortalRegistry, words: string[], given: Given) => Promise<string>

/** Commands of the operator are not signed, because whoever can write to the store can change anything. */
const by = 'operator'

const list = (text: string) =>
  text
    .split(',')
    .map((part) => part.trim())
    .filter(Boolean)

const ask = (message: string) => new RegistryRefusal(422, `${message} npm run registry lists the commands.`)

/** A public key, as text or in a file. */
function halfOf(given: string) {
  const text = given.trim().startsWith('{') ? given : readFileSync(given, 'utf8')
  const { kty, crv, x } = JSON.parse(text) as Record<string, unknown>
  return { kty, crv, x }
}

function checked(key: unknown): PublisherKey {
  const found = v.safeParse(PublisherKey, key)
  if (found.success) return found.output
  const [issue] = found.issues
  throw new RegistryRefusal(
    422,
    `${v.getDotPath(issue) ?? 'key'}: ${issue.message} Rights are ${rights.join(', ')}; the public key is an Ed25519 JWK.`,
  )
}

async function known({ keys }: PortalRegistry, id: string): Promise<PublisherKey> {
  const key = await keys.read(id)
  if (!key) throw new RegistryRefusal(404, `There is no key ${id}: key:list names them.`)
  return key
}

/** A key that may sign. A retired one gets nothing, because it signs nothing. */
async function inUse(registry: PortalRegistry, id: string): Promise<PublisherKey> {
  const key = await known(registry, id)
  if (key.retired || (await registry.revocations.key(id)))
    throw new RegistryRefusal(409, `The key ${id} was taken back: add another one with key:add.`)
  return key
}

const modulesIn = (given: Given, command: string): string[] => {
  const modules = list(given.modules ?? '')
  const odd = modules.find((name) => !/^mfe-[a-z][a-z0-9-]*$/.test(name))
  if (modules.length === 0 || odd !== undefined)
    throw ask(
      `${command} needs an id and --modules mfe-x[,mfe-y]${odd === undefined ? '' : `; ${odd} is no module`}.`,
    )
  return modules
}

const add: Command = async ({ keys, log }, [id = ''], given) => {
  const { person, public: half, modules } = given
  if (!id || !person || !half || !modules) throw ask('key:add needs an id, --person, --public and --modules.')
  const key = checked({
    ...{ id, person, name: given.name ?? id, public: halfOf(half), modules: list(modules) },
    may: given.may
      ? list(given.may)
      : (['publish', 'promote', 'rollback', 'disable', 'pin'] satisfies Right[]),
  })
  await keys.add(key)
  await log.write({ by, what: 'key:add', ok: true, message: `${id} of ${person} for ${modules}` })
  return `${id} of ${person} may ${key.may.join(', ')} ${modules}.`
}

const grant: Command = async (registry, [id = ''], given) => {
  const added = modulesIn(given, 'key:grant')
  const key = await inUse(registry, id)
  const modules = [...new Set([...key.modules, ...added])].sort()
  const former = key.former.filter((name) => !modules.includes(name))
  await registry.keys.replace({ ...key, modules, former })
  const message = `${id} of ${key.person} for ${added.join(', ')} too`
  await registry.log.write({ by, what: 'key:grant', ok: true, message })
  return `${id} of ${key.person} is for ${modules.join(', ')} now, with the same rights: ${key.may.join(', ')}.`
}

const withdraw: Command = async (registry, [id = ''], given) => {
  const gone = modulesIn(given, 'key:withdraw')
  const key = await known(registry, id)
  const foreign = gone.find((name) => !key.modules.includes(name))
  if (foreign) throw new RegistryRefusal(422, `The key ${id} is not for ${foreign}: it is for ${named(key)}.`)
  const modules = key.modules.filter((name) => !gone.includes(name))
  const former = [...new Set([...key.former, ...gone])].sort()
  const left = { ...key, modules, former }
  await registry.keys.replace(left)
  const message = `${id} of ${key.person} no longer for ${gone.join(', ')}`
  await registry.log.write({ by, what: 'key:withdraw', ok: true, message })
  return `${id} of ${key.person} is for ${named(left)} now. What it signed of ${gone.join(', ')} stays good.`
}

const named = ({ modules }: PublisherKey) => modules.join(', ') || 'no module'

/** The new key is there before the old one is retired, so that its person can sign at every moment. */
const rotate: Command = async (registry, [id = ''], given) => {
  const { to, public: half } = given
  if (!id || !to || !half) throw ask('key:rotate needs an id, --to with the new id, and --public.')
  const key = await inUse(registry, id)
  const next = checked({ ...key, id: to, name: to, public: halfOf(half), former: [] })
  if (next.public.x === key.public.x)
    throw new RegistryRefusal(
      422,
      `That is the key ${id} itself: make a new one with portal-module key ${to}.`,
    )
  await registry.keys.add(next)
  await registry.keys.replace({ ...key, retired: true })
  const message = `${id} of ${key.person} is replaced by ${to}`
  await registry.log.write({ by, what: 'key:rotate', ok: true, message })
  return `${to} of ${key.person} may ${next.may.join(', ')} ${named(next)}. ${id} signs nothing new; what it signed stays good. If it is in wrong hands: revoke --key ${id}.`
}

const remove: Command = async (registry, [id = '']) => {
  const key = await known(registry, id)
  await registry.keys.replace({ ...key, retired: true })
  await registry.log.write({ by, what: 'key:remove', ok: true, message: `${id} of ${key.person}` })
  return `${id} of ${key.person} signs nothing new; what it signed stays good. If it is in wrong hands: revoke --key ${id}.`
}

const names: Command = async ({ keys }) =>
  (await keys.list())
    .map(
      ({ id, person, modules, may, retired }) =>
        `${id}  ${person}  ${modules.join(', ')}  ${retired ? 'retired' : may.join(', ')}`,
    )
    .join('\n') || 'There is no key yet: key:add.'

/** The operator's commands on publishers' keys. */
export const keyCommands: Record<string, Command> = {
  'key:add': add,
  'key:grant': grant,
  'key:withdraw': withdraw,
  'key:rotate': rotate,
  'key:remove': remove,
  'key:list': names,
}
