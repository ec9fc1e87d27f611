import { join, resolve } from 'node:path'
import { readSecretFiles } from '@portal/registry/secret-files'
import * as v from 'valibot'
import { type CallLimits, callLimitsOf } from './call-limits.ts'
import { demoSecret } from './demo-secret.ts'
import { type IdentityProvider, readIdentityProviders } from './identity-providers.ts'
import { type KeepDays, readKeepDays } from './keep-days.ts'
import { type KeyRing, keyRing } from './keys.ts'
import type { SlowestRequest } from './slow-requests.ts'
import type { Scanner } from './virus-scan.ts'

const secret = v.pipe(v.string(), v.minLength(32, 'has at least 32 characters'))
const flag = v.picklist(['true', 'false'], 'is true or false')
const number = (min: number, max: number) =>
  v.pipe(
    v.string(),
    v.regex(/^\d+$/, `is a whole number from ${min} to ${max}`),
    v.transform(Number),
    v.minValue(min, `is a whole number from ${min} to ${max}`),
    v.maxValue(max, `is a whole number from ${min} to ${max}`),
  )
const address = v.pipe(v.string(), v.url('is a whole address, such as https://portal.example.org'))
const list = v.pipe(
  v.string(),
  v.transform((text) =>
    text
      .split(',')
      .map((part) => part.trim())
      .filter(Boolean),
  ),
)

const Environment = v.object({
  PORT: v.optional(number(0, 65535), '8080'),
  HOST: v.optional(v.string(), '127.0.0.1'),
  TRUSTED_PROXIES: v.optional(list, ''),
  PORTAL_DATA_DIR: v.optional(v.string(), '.data'),
  PORTAL_DIST_DIR: v.optional(v.string(), 'dist'),
  PORTAL_REGISTRY_DIR: v.optional(v.string()),
  S3_ENDPOINT: v.optional(address),
  S3_BUCKET: v.optional(v.string()),
  S3_REGION: v.optional(v.string(), 'us-east-1'),
  S3_KEY: v.optional(v.string()),
  S3_SECRET: v.optional(v.string()),
  PORTAL_MODULE_OVERRIDE: v.optional(v.picklist(['yes', 'no'], 'is yes or no'), 'no'),
  DATABASE_URL: v.pipe(v.string(), v.regex(/^postgres(ql)?:\/\//, 'starts with postgresql://')),
  DATABASE_OWNER_URL: v.optional(
    v.pipe(v.string(), v.regex(/^postgres(ql)?:\/\//, 'starts with postgresql://')),
  ),
  PORTAL_DB_CONNECTIONS: v.optional(number(2, 1000), '20'),
  PORTAL_DB_CONNECT_SECONDS: v.optional(number(1, 60), '5'),
  PORTAL_DB_STATEMENT_SECONDS: v.optional(number(1, 600), '15'),
  PORTAL_DB_LOCK_SECONDS: v.optional(number(1, 600), '5'),
  PORTAL_DB_IDLE_SECONDS: v.optional(number(1, 600), '5'),
  PORTAL_MACHINE_PORT: v.optional(number(1, 65535)),
  PORTAL_MACHINE_PUBLIC: v.optional(v.picklist(['yes', 'no'], 'is yes or no'), 'no'),
  PORTAL_DISK_MIN_MB: v.optional(number(0, 10_000_000), '200'),
  PORTAL_DRAIN_SECONDS: v.optional(number(0, 600), '0'),
  PORTAL_PUBLIC_URL: v.optional(address),
  PORTAL_API_BASE: v.optional(v.pipe(v.string(), v.regex(/^(\/[\w-]+)*$/, 'is a path such as /api')), '/api'),
  PORTAL_DEMO: v.optional(flag),
  PORTAL_DEMO_PUBLIC: v.optional(v.picklist(['yes', 'no'], 'is yes or no'), 'no'),
  PORTAL_DEMO_SIZE: v.optional(v.picklist(['full', 'small'], 'is full or small'), 'full'),
  PORTAL_FOUR_EYES: v.optional(flag, 'true'),
  PORTAL_REQUIRE_CODES: v.optional(flag),
  PORTAL_SECRET: v.optional(secret),
  PORTAL_SECRET_NEXT: v.optional(secret),
  PORTAL_SECRET_FORMER: v.optional(secret),
  PORTAL_OIDC: v.optional(v.string(), ''),
  PORTAL_INSTALLATION: v.optional(v.pipe(v.string(), v.uuid('is a UUID'), v.toLowerCase())),
  PORTAL_AGENCY_HOSTS: v.optional(list, ''),
  PORTAL_MAX_AMOUNT: v.optional(number(1, 1_000_000_000), '2000000'),
  PORTAL_KEEP_DAYS: v.optional(v.string(), ''),
  PORTAL_CALLS_PER_SECOND: v.optional(number(1, 1_000_000), '50'),
  SANDBOX_AGENCY_PORT: v.optional(number(0, 65535)),
  CLAMAV_HOST: v.optional(v.pipe(v.string(), v.regex(/^[\w.-]+(:\d{1,5})?$/, 'is a host, or host:port'))),
  SMTP_URL: v.optional(v.pipe(v.string(), v.regex(/^smtps?:\/\//, 'starts with smtp:// or smtps://'))),
  MAIL_FROM: v.optional(v.string(), 'Portal <portal@localhost>'),
  ANALYTICS_URL: v.optional(address),
  ANALYTICS_SECRET: v.optional(v.string()),
  ANALYTICS_DASHBOARD: v.optional(v.string()),
  PORTAL_ROLE: v.optional(v.picklist(['api', 'worker', 'both'], 'is api, worker or both'), 'both'),
  LOG_LEVEL: v.optional(
    v.picklist(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'], 'is a level of pino'),
    'info',
  ),
  NODE_ENV: v.optional(v.string()),
  // `node --watch` sets it.
  WATCH_REPORT_DEPENDENCIES: v.optional(v.string()),
})

/** The settings of the process, read once. `dataDir` is an absolute path. */
export type Settings = {
  port: number
  host: string
  trustedProxies: string[]
  dataDir: string
  distDir: string
  /** The place of the module registry: a folder, or a bucket with that folder as its cache. */
  registryDir: string
  registryBucket: Bucket | undefined
  /** Lets a browser load a module from a developer's machine, in demos and development, never in production. */
  moduleOverride: boolean
  databaseUrl: string
  databaseOwnerUrl: string | undefined
  /** The paths for machines: a port of their own, and whether the public port has them too. */
  machine: { port: number | undefined; public: boolean; diskMinMb: number }
  /** How long the api goes on serving after it has said that it drains, until its listener closes. */
  drainMs: number
  /** How long calls wait for the database. */
  callLimits: CallLimits
  publicUrl: string
  apiBase: string
  demo: boolean
  demoSize: 'full' | 'small'
  fourEyes: boolean
  /** Administrators and whoever may approve money need one-time codes. */
  requireCodes: boolean
  /** The keys of `PORTAL_SECRET`, and of the next and the former secret while it is being rotated. */
  secret: KeyRing
  /** Where people can sign in besides the portal's own form. */
  identityProviders: IdentityProvider[]
  /** The id of the installation, if it is configured rather than kept in a file of the data folder. */
  installation: string | undefined
  agencyHosts: string[]
  maxAmount: number
  callsPerSecond: number
  /** After how many days each kind of old data is deleted. */
  keepDays: KeepDays
  sandboxAgencyPort: number
  /** Looks at uploaded files before they are kept. */
  scanner: Scanner | undefined
  smtpUrl: string | undefined
  mailFrom: string
  analytics: { url: string; secret: string; dashboard: string } | undefined
  role: 'api' | 'worker' | 'both'
  logLevel: string
  /** The cost of argon2id, with `memory` in KiB. Tests lower it to save time. */
  passwordCost: { memory: number; time: number }
  /** How slowly requests may arrive before their connection is closed. Tests lower it to save time. */
  slowestRequest: SlowestRequest
  /** Validates every answer against its contract. It is set in tests. */
  checkAnswers: boolean
  /** Reloads pages when a build is published, under `npm run dev`. */
  dev: boolean
}

/** An S3-compatible bucket. */
export type Bucket = { endpoint: string; bucket: string; region: string; key: string; secret: string }

/** Thrown if settings are wrong. The message has one sentence per fault and is printed without a stack. */
export class SettingsFault extends Error {}

/** Reads the environment through one schema. Throws a `SettingsFault` that names each wrong variable. */
export function readSettings(env: Record<string, string | undefined>): Settings {
  const given = Object.fromEntries(
    Object.entries(fromFiles(env)).filter(([, value]) => value !== undefined && value !== ''),
  )
  const result = v.safeParse(Environment, given)
  if (!result.success)
    throw new SettingsFault(result.issues.map((issue) => sentence(issue, given)).join('\n'))
  const read = result.output
  const demo = read.PORTAL_DEMO ? read.PORTAL_DEMO === 'true' : read.NODE_ENV !== 'production'
  const dataDir = resolve(read.PORTAL_DATA_DIR)
  if (demo && !isLoopback(read.HOST) && read.PORTAL_DEMO_PUBLIC !== 'yes') {
    throw new SettingsFault(
      `HOST is ${read.HOST}: a demo listens on 127.0.0.1 only, unless PORTAL_DEMO_PUBLIC=yes.`,
    )
  }
  return {
    port: read.PORT,
    host: read.HOST,
    trustedProxies: read.TRUSTED_PROXIES,
    dataDir,
    distDir: resolve(read.PORTAL_DIST_DIR),
    registryDir: resolve(read.PORTAL_REGISTRY_DIR ?? join(dataDir, 'registry')),
    registryBucket: bucketOf(read),
    moduleOverride: read.PORTAL_MODULE_OVERRIDE === 'yes',
    databaseUrl: read.DATABASE_URL,
    databaseOwnerUrl: read.DATABASE_OWNER_URL,
    machine: {
      port: read.PORTAL_MACHINE_PORT,
      public: read.PORTAL_MACHINE_PUBLIC === 'yes',
      diskMinMb: read.PORTAL_DISK_MIN_MB,
    },
    drainMs: read.PORTAL_DRAIN_SECONDS * 1000,
    callLimits: callLimitsOf({
      connections: read.PORTAL_DB_CONNECTIONS,
      connect: read.PORTAL_DB_CONNECT_SECONDS,
      statement: read.PORTAL_DB_STATEMENT_SECONDS,
      lock: read.PORTAL_DB_LOCK_SECONDS,
      idle: read.PORTAL_DB_IDLE_SECONDS,
    }),
    publicUrl: (read.PORTAL_PUBLIC_URL ?? `http://localhost:${read.PORT}`).replace(/\/$/, ''),
    apiBase: read.PORTAL_API_BASE,
    demo,
    demoSize: read.PORTAL_DEMO_SIZE,
    fourEyes: read.PORTAL_FOUR_EYES === 'true',
    requireCodes: read.PORTAL_REQUIRE_CODES ? read.PORTAL_REQUIRE_CODES === 'true' : !demo,
    secret: keysOf(read, demo ? dataDir : null),
    identityProviders: identityProviders(read.PORTAL_OIDC, read.PORTAL_PUBLIC_URL),
    installation: read.PORTAL_INSTALLATION,
    agencyHosts: read.PORTAL_AGENCY_HOSTS,
    maxAmount: read.PORTAL_MAX_AMOUNT,
    callsPerSecond: read.PORTAL_CALLS_PER_SECOND,
    keepDays: keepDays(read.PORTAL_KEEP_DAYS),
    sandboxAgencyPort: read.SANDBOX_AGENCY_PORT ?? read.PORT + 1,
    scanner: scannerOf(read.CLAMAV_HOST),
    smtpUrl: read.SMTP_URL,
    mailFrom: read.MAIL_FROM,
    analytics:
      read.ANALYTICS_URL && read.ANALYTICS_SECRET && read.ANALYTICS_DASHBOARD
        ? { url: read.ANALYTICS_URL, secret: read.ANALYTICS_SECRET, dashboard: read.ANALYTICS_DASHBOARD }
        : undefined,
    role: read.PORTAL_ROLE,
    logLevel: read.LOG_LEVEL,
    passwordCost: { memory: 65536, time: 3 },
    slowestRequest: { headersMs: 15_000, graceMs: 30_000, bytesPerSecond: 1024 },
    checkAnswers: read.NODE_ENV === 'test',
    dev: read.WATCH_REPORT_DEPENDENCIES === '1',
  }
}

/** `host` or `host:port`; 3310 is the port of clamd. */
function scannerOf(address: string | undefined): Scanner | undefined {
  const [host, port] = address?.split(':') ?? []
  return host ? { host, port: Number(port ?? 3310) } : undefined
}

function identityProviders(text: string, publicUrl: string | undefined): IdentityProvider[] {
  const providers = readIdentityProviders(text)
  if (typeof providers === 'string') throw new SettingsFault(`PORTAL_OIDC ${providers}.`)
  if (providers.length && !publicUrl)
    throw new SettingsFault(
      'PORTAL_OIDC is set: PORTAL_PUBLIC_URL has to be, too, because providers send people back to it.',
    )
  return providers
}

/** Reads the secrets that are given as files. */
function fromFiles(env: Record<string, string | undefined>) {
  try {
    return readSecretFiles(env)
  } catch (error) {
    throw new SettingsFault((error as Error).message)
  }
}

/** The keys of the process. Only a demo, whose data folder this is, makes its own secret: elsewhere what is sealed must outlive it. */
function keysOf(read: v.InferOutput<typeof Environment>, demoDir: string | null): KeyRing {
  const { PORTAL_SECRET_NEXT: next, PORTAL_SECRET_FORMER: former } = read
  const current = read.PORTAL_SECRET ?? (demoDir === null ? undefined : demoSecret(demoDir))
  if (current === undefined)
    throw new SettingsFault(
      'PORTAL_SECRET is missing: set it to 32 random characters or more, and keep them.',
    )
  for (const [name, other] of Object.entries({ PORTAL_SECRET_NEXT: next, PORTAL_SECRET_FORMER: former }))
    if (other === current) throw new SettingsFault(`${name} is the same as PORTAL_SECRET: leave it away.`)
  if (next !== undefined && former !== undefined)
    throw new SettingsFault(
      'PORTAL_SECRET_NEXT and PORTAL_SECRET_FORMER are both set: end one change of the secret before the next one.',
    )
  return keyRing({ current, next, former })
}

function keepDays(text: string): KeepDays {
  const days = readKeepDays(text)
  if (typeof days === 'string') throw new SettingsFault(`PORTAL_KEEP_DAYS ${days}.`)
  return days
}

function bucketOf(read: v.InferOutput<typeof Environment>): Bucket | undefined {
  const { S3_BUCKET: bucket, S3_ENDPOINT: endpoint, S3_KEY: key, S3_SECRET: secret, S3_REGION: region } = read
  if (!bucket) return undefined
  if (endpoint && key && secret) return { endpoint, bucket, region, key, secret }
  throw new SettingsFault('S3_BUCKET is set: S3_ENDPOINT, S3_KEY and S3_SECRET have to be, too.')
}

function sentence(issue: v.BaseIssue<unknown>, given: Record<string, unknown>): string {
  const name = String(issue.path?.[0]?.key ?? '')
  if (name in given) return `${name} ${issue.message}.`
  return name === 'DATABASE_URL'
    ? 'DATABASE_URL is missing: npm start sets it; elsewhere name a PostgreSQL database, postgresql://user:password@host:5432/name.'
    : `${name} is missing.`
}

function isLoopback(host: string) {
  return host === 'localhost' || host === '::1' || host.startsWith('127.')
}
