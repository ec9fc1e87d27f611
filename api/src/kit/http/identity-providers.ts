import { readFileSync } from 'node:fs'
import { isIP } from 'node:net'
import * as v from 'valibot'

/** An OIDC provider that vouches for the e-mail addresses of some domains. */
export type IdentityProvider = {
  /** Its part of the redirect address, `/login/with/<name>/callback`. */
  name: string
  /** What its button says after "Sign in with". */
  label: string
  issuer: string
  clientId: string
  clientSecret: string
  /** In lower case. Each domain has one provider. */
  domains: string[]
  /** How long a person waits for it at most. Tests lower it to save time. */
  longestMs: number
}

const text = v.pipe(v.string('is a text'), v.trim(), v.nonEmpty('is a text'))
const Entry = v.strictObject({
  name: v.pipe(text, v.regex(/^[a-z0-9-]{1,40}$/, 'has small letters, digits and hyphens only')),
  label: v.pipe(text, v.maxLength(40, 'has 40 characters at most')),
  issuer: v.pipe(
    text,
    v.check(isSafe, 'is an address with https, or with http on this machine, such as https://id.example.org'),
  ),
  client_id: text,
  client_secret: v.optional(text),
  client_secret_file: v.optional(text),
  domains: v.pipe(
    v.array(
      v.pipe(
        text,
        v.toLowerCase(),
        v.regex(/^([a-z0-9-]+\.)+[a-z0-9-]+$/, 'has domains such as example.org'),
      ),
      'is a list',
    ),
    v.minLength(1, 'names one domain at least'),
  ),
})
type Entry = v.InferOutput<typeof Entry>

/** Thrown for a wrong entry. The message is the rest of a sentence that begins with PORTAL_OIDC. */
class WrongEntry extends Error {}

/**
 * Reads PORTAL_OIDC: a JSON list, or the path of a file that holds it. Returns the providers, or what is wrong as the rest
 * of a sentence that begins with the name of the setting.
 */
export function readIdentityProviders(setting: string): IdentityProvider[] | string {
  if (setting.trim() === '') return []
  try {
    return unique(entriesOf(setting).map(providerOf))
  } catch (error) {
    if (error instanceof WrongEntry) return error.message
    throw error
  }
}

function entriesOf(setting: string): unknown[] {
  const inFile = !setting.trim().startsWith('[')
  const json = inFile ? contentOf(setting.trim(), `names the file ${setting.trim()}`) : setting
  let entries: unknown
  try {
    entries = JSON.parse(json)
  } catch {
    // The parser's own message would print a part of the text, and with it a secret.
  }
  if (Array.isArray(entries)) return entries
  throw new WrongEntry('is neither a list in JSON nor a file with one')
}

function contentOf(path: string, what: string): string {
  try {
    return readFileSync(path, 'utf8').trim()
  } catch (error) {
    throw new WrongEntry(`${what}, which cannot be read (${(error as NodeJS.ErrnoException).code})`)
  }
}

function providerOf(given: unknown, at: number): IdentityProvider {
  const where = `entry ${at + 1}`
  const result = v.safeParse(Entry, given, { abortEarly: true })
  if (!result.success) throw new WrongEntry(`${where}: ${faultOf(result.issues[0])}`)
  const { name, label, issuer, client_id: clientId, domains } = result.output
  return {
    name,
    label,
    issuer,
    clientId,
    clientSecret: secretOf(result.output, where),
    domains,
    longestMs: 5000,
  }
}

function secretOf({ client_secret, client_secret_file }: Entry, where: string): string {
  if (Boolean(client_secret) === Boolean(client_secret_file))
    throw new WrongEntry(`${where}: set either client_secret or client_secret_file`)
  if (client_secret) return client_secret
  const path = String(client_secret_file)
  const secret = contentOf(path, `${where}: client_secret_file is ${path}`)
  if (secret) return secret
  throw new WrongEntry(`${where}: the file ${path} is empty`)
}

/** One provider answers for a domain, so that another one cannot sign in as its people. */
function unique(providers: IdentityProvider[]): IdentityProvider[] {
  const twice = (all: string[]) => all.find((one, at) => all.indexOf(one) !== at)
  const name = twice(providers.map((provider) => provider.name))
  if (name) throw new WrongEntry(`has two entries with the name ${name}`)
  const domain = twice(providers.flatMap(({ domains }) => domains))
  if (domain) throw new WrongEntry(`names the domain ${domain} twice: one provider answers for it`)
  return providers
}

function faultOf(issue: v.BaseIssue<unknown>): string {
  const field = issue.path?.[0]?.key
  if (field === undefined) return 'it is an object with name, label, issuer, client_id and domains'
  if (issue.type === 'strict_object')
    return issue.expected === 'never' ? `${field} is not known` : `${field} is missing`
  return `${field} ${issue.message}`
}

/** Whether nobody between the portal and the provider can read or change what they say. */
function isSafe(address: string): boolean {
  if (!URL.canParse(address)) return false
  const { protocol, hostname, search, hash, username, password } = new URL(address)
  if (search || hash || username || password) return false
  return protocol === 'https:' || (protocol === 'http:' && isThisMachine(hostname))
}

const isThisMachine = (host: string) =>
  host === 'localhost' || host === '[::1]' || (isIP(host) === 4 && host.startsWith('127.'))
