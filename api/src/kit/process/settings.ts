import { join, resolve } from 'node:path'
import { backendAnswer } from '@portal/contracts/backend-answers'
import type { ModulesAddress } from '@portal/contracts/modules-address'
import type { Bucket } from '@portal/registry/bucket'
import { readSecretFiles } from '@portal/registry/secret-files'
import * as v from 'valibot'
import type { FilesBucket } from '../files/bucket-storage.ts'
import type { Scanner } from '../files/virus-scan.ts'
import { type CallLimits, callLimitsOf, type JobLimits, jobLimitsOf } from '../http/call-limits.ts'
import { type IdentityProvider, readIdentityProviders } from '../http/identity-providers.ts'
import { readModulesAddress } from '../http/modules-address.ts'
import type { SlowestRequest } from '../http/slow-requests.ts'
import { type KeepDays, readKeepDays } from '../jobs/keep-days.ts'
import { demoSecret } from '../secrets/demo-secret.ts'
import { type KeyRing, keyRing } from '../secrets/keys.ts'
import { type Environment, environment } from './environment.ts'

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
  /** The bucket of uploads, exports and documents; without it they are in the data folder. */
  filesBucket: FilesBucket | undefined
  /** Lets a browser load a module from a developer's machine, in demos and development, never in production. */
  moduleOverride: boolean
  databaseUrl: string
  databaseOwnerUrl: string | undefined
  /** The paths for machines: a port of their own, and whether the public port has them too. */
  machine: { port: number | undefined; public: boolean; diskMinMb: number }
  /** How long the api goes on serving after it has said that it drains, until its listener closes. */
  drainMs: number
  /** How long `prepare` waits for the database, in milliseconds. */
  startMs: number
  /** How long calls wait for the database. */
  callLimits: CallLimits
  /** How long jobs and commands wait for a database that may be gone. */
  jobLimits: JobLimits
  publicUrl: string
  /** The hosts on which isolated modules run. */
  modulesAt: ModulesAddress | undefined
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
  /** Hosts of modules' own servers that need not be on the public internet. */
  backendHosts: string[]
  /** The longest time of a call to such a server, in milliseconds. Tests lower it to save time. */
  backendMs: number
  /** The most records of one collection of a module. */
  moduleRecords: number
  /** The most that the pictures of one collection of a module take up, in MiB. */
  modulePicturesMiB: number
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
  /** Where traces are sent by OTLP, and the share of calls and jobs that are traced. */
  traces: { url: string; ratio: number } | undefined
  /** The cost of argon2id, with `memory` in KiB. Tests lower it to save time. */
  passwordCost: { memory: number; time: number }
  /** How slowly requests may arrive before their connection is closed. Tests lower it to save time. */
  slowestRequest: SlowestRequest
  /** Validates every answer against its contract. It is set in tests. */
  checkAnswers: boolean
  /** Reloads pages when a build is published, under `npm run dev`. */
  dev: boolean
}

/** Thrown if settings are wrong. The message has one sentence per fault and is printed without a stack. */
export class SettingsFault extends Error {}

/** Reads the environment through one schema. Throws a `SettingsFault` that names each wrong variable. */
export function readSettings(env: Record<string, string | undefined>): Settings {
  const given = Object.fromEntries(
    Object.entries(fromFiles(env)).filter(([, value]) => value !== undefined && value !== ''),
  )
  const result = v.safeParse(environment, given)
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
  const callLimits = callLimitsOf({
    connections: read.PORTAL_DB_CONNECTIONS,
    connect: read.PORTAL_DB_CONNECT_SECONDS,
    statement: read.PORTAL_DB_STATEMENT_SECONDS,
    lock: read.PORTAL_DB_LOCK_SECONDS,
    idle: read.PORTAL_DB_IDLE_SECONDS,
  })
  return {
    port: read.PORT,
    host: read.HOST,
    trustedProxies: read.TRUSTED_PROXIES,
    dataDir,
    distDir: resolve(read.PORTAL_DIST_DIR),
    registryDir: resolve(read.PORTAL_REGISTRY_DIR ?? join(dataDir, 'registry')),
    ...buckets(read),
    moduleOverride: read.PORTAL_MODULE_OVERRIDE === 'yes',
    databaseUrl: read.DATABASE_URL,
    databaseOwnerUrl: read.DATABASE_OWNER_URL,
    machine: {
      port: read.PORTAL_MACHINE_PORT,
      public: read.PORTAL_MACHINE_PUBLIC === 'yes',
      diskMinMb: read.PORTAL_DISK_MIN_MB,
    },
    drainMs: read.PORTAL_DRAIN_SECONDS * 1000,
    startMs: read.PORTAL_START_SECONDS * 1000,
    callLimits,
    jobLimits: jobLimitsOf(read.PORTAL_ROLE, read.PORTAL_DB_JOB_CONNECTIONS, callLimits),
    publicUrl: publicUrlOf(read, demo),
    modulesAt: modulesAtOf(read.PORTAL_MODULES_URL, publicUrlOf(read, demo), demo),
    apiBase: read.PORTAL_API_BASE,
    demo,
    demoSize: read.PORTAL_DEMO_SIZE,
    fourEyes: read.PORTAL_FOUR_EYES === 'true',
    requireCodes: read.PORTAL_REQUIRE_CODES ? read.PORTAL_REQUIRE_CODES === 'true' : !demo,
    secret: keysOf(read, demo ? dataDir : null),
    identityProviders: identityProviders(read.PORTAL_OIDC, read.PORTAL_PUBLIC_URL),
    installation: installationOf(read.PORTAL_INSTALLATION, demo),
    agencyHosts: read.PORTAL_AGENCY_HOSTS,
    backendHosts: read.PORTAL_BACKEND_HOSTS,
    backendMs: backendAnswer.ms,
    moduleRecords: read.PORTAL_MODULE_RECORDS,
    modulePicturesMiB: read.PORTAL_MODULE_PICTURES_MB,
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
    traces: read.OTEL_EXPORTER_OTLP_ENDPOINT
      ? { url: read.OTEL_EXPORTER_OTLP_ENDPOINT, ratio: read.OTEL_TRACES_SAMPLER_ARG }
      : undefined,
    passwordCost: { memory: 65536, time: 3 },
    slowestRequest: { headersMs: 15_000, graceMs: 30_000, bytesPerSecond: 1024 },
    checkAnswers: read.NODE_ENV === 'test',
    dev: read.WATCH_REPORT_DEPENDENCIES === '1',
  }
}

/** Real people need https: without it their cookies would be sent over plain connections, too. */
function publicUrlOf({ PORTAL_PUBLIC_URL: url, NODE_ENV: mode, PORT: port }: Environment, demo: boolean) {
  if (!demo && mode === 'production' && !url?.startsWith('https://'))
    throw new SettingsFault(
      `PORTAL_PUBLIC_URL is ${url ?? 'missing'}: in production it is the address that people type, and begins with https://.`,
    )
  return (url ?? `http://localhost:${port}`).replace(/\/$/, '')
}

function modulesAtOf(url: string | undefined, publicUrl: string, demo: boolean) {
  const address = readModulesAddress(url, { publicUrl, demo })
  if (typeof address === 'string') throw new SettingsFault(`PORTAL_MODULES_URL ${address}`)
  return address
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
function keysOf(read: Environment, demoDir: string | null): KeyRing {
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

/** Parts of 8 MiB: an upload may have 10,000 of them, and S3 asks for 5 MiB at least. */
const partBytes = 8 * 1024 * 1024

/** The buckets of the registry and of the files. They are of one store, and two, because only one of them has personal data. */
function buckets(read: Environment) {
  const { S3_BUCKET: modules, S3_FILES_BUCKET: files, PORTAL_STORAGE: storage } = read
  if (storage === 's3' && !files)
    throw new SettingsFault('PORTAL_STORAGE is s3: S3_FILES_BUCKET has to name the bucket of the files.')
  if (storage === 's3' && files === modules)
    throw new SettingsFault(
      'S3_FILES_BUCKET is the same as S3_BUCKET: files of people need a bucket that modules are not published to.',
    )
  return {
    registryBucket: modules ? bucketOf('S3_BUCKET', modules, read) : undefined,
    filesBucket:
      storage === 's3' && files ? { ...bucketOf('S3_FILES_BUCKET', files, read), partBytes } : undefined,
  }
}

function bucketOf(name: string, bucket: string, read: Environment): Bucket {
  const { S3_ENDPOINT: endpoint, S3_KEY: key, S3_SECRET: secret, S3_REGION: region } = read
  if (!endpoint || !key || !secret)
    throw new SettingsFault(`${name} is set: S3_ENDPOINT, S3_KEY and S3_SECRET have to be, too.`)
  return { endpoint, bucket, region, key, secret, pathStyle: read.S3_PATH_STYLE === 'yes' }
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

/** Two portals that keep the id of the samples would make the same keys of payments. */
function installationOf(id: string | undefined, demo: boolean): string | undefined {
  if (demo || !id?.startsWith('00000000-0000-')) return id
  throw new SettingsFault(
    `PORTAL_INSTALLATION is ${id}, which is the example: each installation has an id of its own, from which keys of payments are made. uuidgen makes one.`,
  )
}
