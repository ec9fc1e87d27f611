import type { Environment } from './kit/process/environment.ts'

/** The chapters of docs/settings.md, in their order. */
export const settingGroups = {
  required: 'What every installation sets',
  processes: 'Processes and ports',
  database: 'Limits of the database',
  files: 'Files and modules',
  secrets: 'Secret of the portal, and its change',
  people: 'Signing in',
  money: 'Payments',
  operation: 'Operation',
  mail: 'Mail and analytics',
  demo: 'Demos and development',
} as const

/** Who reads a setting. Commands are those of `npm run`. */
export type Reader = 'api' | 'worker' | 'prepare' | 'commands' | 'registry'
type Words = { group: keyof typeof settingGroups; for: readonly Reader[]; what: string }

const all = ['api', 'worker', 'prepare', 'commands'] as const
const running = ['api', 'worker'] as const
const store = ['api', 'worker', 'commands', 'registry'] as const

/** Settings of the commands of the registry only, which the schema of the api does not have. */
export type RegistrySetting = 'PORTAL_RELEASE_KEY' | 'PORTAL_URL'

/** What docs/settings.md says of each setting. A setting without words does not compile. */
export const settingWords: Record<keyof Environment | RegistrySetting, Words> = {
  DATABASE_URL: {
    group: 'required',
    for: all,
    what: 'The database, with the role of the application, which owns nothing',
  },
  DATABASE_OWNER_URL: {
    group: 'required',
    for: ['prepare', 'commands'],
    what: 'The same database with the role that owns it. Api and worker do not need it and should not have it',
  },
  PORTAL_SECRET: {
    group: 'required',
    for: all,
    what: 'Seals and signs ([secrets.md](secrets.md)). The same one on all machines',
  },
  PORTAL_PUBLIC_URL: {
    group: 'required',
    for: ['api', 'worker', 'registry'],
    what: 'The address that people type. Production needs https, with which cookies are `Secure`. Without it, elsewhere: http://localhost and the port',
  },
  PORTAL_INSTALLATION: {
    group: 'required',
    for: all,
    what: 'The id of this installation, from which keys of payments are made. Without it, it is a file of the data folder, so several machines must set it',
  },
  NODE_ENV: { group: 'required', for: all, what: '`production`: no demo by itself' },
  PORTAL_DEMO: {
    group: 'required',
    for: all,
    what: 'Whether this is a demo, with invented people. Without it: true unless `NODE_ENV` is production',
  },
  PORTAL_RELEASE_KEY: {
    group: 'required',
    for: ['registry'],
    what: 'The private key that signs the modules of a release: `npm run registry -- key:make` prints one',
  },
  PORTAL_ROLE: { group: 'processes', for: running, what: 'What the process does' },
  PORT: { group: 'processes', for: ['api'], what: 'The port for people and devices' },
  HOST: {
    group: 'processes',
    for: running,
    what: 'The address to listen at. A proxy on the same machine needs no other',
  },
  TRUSTED_PROXIES: {
    group: 'processes',
    for: ['api'],
    what: 'Addresses of the proxies, with commas, whose `X-Forwarded-For` is believed. Without it all people have the address of the proxy, and share its limits',
  },
  PORTAL_MACHINE_PORT: {
    group: 'processes',
    for: running,
    what: 'A port with `/livez`, `/readyz` and `/metrics`, each process its own',
  },
  PORTAL_MACHINE_PUBLIC: {
    group: 'processes',
    for: ['api'],
    what: 'The same paths on `PORT`, for machines with one port',
  },
  PORTAL_DISK_MIN_MB: {
    group: 'processes',
    for: running,
    what: 'Free space of the data folder below which `/readyz` is 503',
  },
  PORTAL_START_SECONDS: {
    group: 'processes',
    for: ['prepare', 'registry'],
    what: 'How long `prepare` waits for the database and `release` for the bucket of the modules, which may start later after a power cut',
  },
  PORTAL_DRAIN_SECONDS: {
    group: 'processes',
    for: ['api'],
    what: 'How long an api goes on serving after SIGTERM, while `/readyz` is 503: twice the period of the probes',
  },
  PORTAL_API_BASE: { group: 'processes', for: ['api'], what: 'The path of the calls' },
  PORTAL_DB_CONNECTIONS: {
    group: 'database',
    for: ['api'],
    what: 'Connections for calls, per process. An api has 6 more, for probes and for its checks at the start',
  },
  PORTAL_DB_JOB_CONNECTIONS: {
    group: 'database',
    for: ['worker', 'commands'],
    what: 'Connections for jobs, per process. A worker has 9 more, for the queue and for probes',
  },
  PORTAL_DB_CONNECT_SECONDS: {
    group: 'database',
    for: ['api'],
    what: 'How long a call waits for a connection',
  },
  PORTAL_DB_STATEMENT_SECONDS: {
    group: 'database',
    for: ['api'],
    what: 'How long a statement of a call may take',
  },
  PORTAL_DB_LOCK_SECONDS: {
    group: 'database',
    for: ['api'],
    what: 'How long a statement of a call waits for a lock',
  },
  PORTAL_DB_IDLE_SECONDS: {
    group: 'database',
    for: ['api'],
    what: 'How long a transaction of a call may pause',
  },
  PORTAL_DATA_DIR: {
    group: 'files',
    for: all,
    what: 'The data folder of this machine: temporary files, marks, and the files themselves unless they are in a bucket',
  },
  PORTAL_DIST_DIR: {
    group: 'files',
    for: ['api', 'registry'],
    what: 'What the build wrote (`node shared/build/src/build-all.ts`): the shell and the modules',
  },
  PORTAL_REGISTRY_DIR: {
    group: 'files',
    for: ['api', 'worker', 'registry'],
    what: 'The registry of modules, or its cache if it is in a bucket. Without it: `registry` in the data folder',
  },
  PORTAL_STORAGE: {
    group: 'files',
    for: running,
    what: 'Where uploads, exports and documents are ([decision 108](decisions/0108-files-are-on-a-disk-or-in-a-bucket.md)). Several machines need `s3`',
  },
  S3_ENDPOINT: { group: 'files', for: store, what: 'The address of the S3-compatible store' },
  S3_REGION: { group: 'files', for: store, what: 'Its region' },
  S3_KEY: {
    group: 'files',
    for: store,
    what: 'The id of the key. It needs to read, write, delete and list in the buckets',
  },
  S3_SECRET: { group: 'files', for: store, what: 'The secret of the key' },
  S3_PATH_STYLE: {
    group: 'files',
    for: store,
    what: 'Whether the bucket is in the path of the address, or in its host',
  },
  S3_FILES_BUCKET: {
    group: 'files',
    for: running,
    what: 'The bucket of uploads, exports and documents, which nobody else may read',
  },
  S3_BUCKET: {
    group: 'files',
    for: store,
    what: 'The bucket of the modules, another one. Without it modules are in `PORTAL_REGISTRY_DIR`',
  },
  PORTAL_URL: {
    group: 'files',
    for: ['registry'],
    what: 'The portal that a command compares its store with. Without it: `PORTAL_PUBLIC_URL`',
  },
  PORTAL_SECRET_NEXT: { group: 'secrets', for: all, what: 'The secret that comes next, only read with' },
  PORTAL_SECRET_FORMER: { group: 'secrets', for: all, what: 'The secret that came before, only read with' },
  PORTAL_OIDC: {
    group: 'people',
    for: ['api'],
    what: 'Providers of accounts ([single-sign-on.md](single-sign-on.md)): JSON, or a file of it',
  },
  PORTAL_REQUIRE_CODES: {
    group: 'people',
    for: ['api'],
    what: 'Whether administrators and whoever approves money need one-time codes. Without it: true, and false in a demo',
  },
  PORTAL_CALLS_PER_SECOND: {
    group: 'people',
    for: ['api'],
    what: 'Calls of one session or machine a second, over all apis; more get 429',
  },
  PORTAL_MODULE_RECORDS: {
    group: 'operation',
    for: ['api'],
    what: 'The most records of one collection of a module',
  },
  PORTAL_MODULE_PICTURES_MB: {
    group: 'operation',
    for: ['api'],
    what: 'The most megabytes that the pictures in records of one collection of a module take up',
  },
  PORTAL_FOUR_EYES: { group: 'money', for: all, what: 'Whether nobody decides on what she has uploaded' },
  PORTAL_AGENCY_HOSTS: {
    group: 'money',
    for: running,
    what: 'Hosts of the agencies, with commas. Outside of demos nothing is sent to another host',
  },
  PORTAL_MAX_AMOUNT: { group: 'money', for: running, what: 'The largest payment in whole francs' },
  PORTAL_KEEP_DAYS: {
    group: 'operation',
    for: ['worker'],
    what: 'Days after which old data are deleted, such as `sessions=60,letters=30` ([data-protection.md](data-protection.md))',
  },
  CLAMAV_HOST: {
    group: 'operation',
    for: ['api'],
    what: 'A scanner that looks at every upload, with the protocol of clamd',
  },
  OTEL_EXPORTER_OTLP_ENDPOINT: {
    group: 'operation',
    for: running,
    what: 'A receiver of OpenTelemetry traces, such as `http://collector:4318`; without it nothing is traced',
  },
  OTEL_TRACES_SAMPLER_ARG: {
    group: 'operation',
    for: running,
    what: 'The share of calls and jobs that are traced, from 0 to 1, unless a trusted proxy decides',
  },
  LOG_LEVEL: { group: 'operation', for: all, what: 'The least important lines that the log has' },
  PORTAL_BACKEND_HOSTS: {
    group: 'operation',
    for: ['api'],
    what: 'Hosts of modules’ own servers, as `host` or `host:port` with commas, that may be inside of your network or speak plain http; also the local hosts of images that a module under development names',
  },
  PORTAL_MODULES_URL: {
    group: 'operation',
    for: ['api'],
    what: 'Other host names of the portal, on which partners’ modules run isolated. `https://*.modules.example.net` is a host for each module, so that one that hangs does not stop the others; `https://modules.example.net` is one for all. A demo at localhost or 127.0.0.1 has `http://*.localhost:8080`, with its port. For browsers that do not know such names, perhaps Safari, set `http://127.0.0.1:8080` for a demo at localhost, or the other way round. Elsewhere, without it, only versions that an administrator trusts run',
  },
  PORTAL_MODULE_OVERRIDE: {
    group: 'operation',
    for: ['api'],
    what: 'Whether a browser may load a module from a developer’s machine. Never in production',
  },
  SMTP_URL: {
    group: 'mail',
    for: ['worker'],
    what: 'The mail server, `smtps://user:password@host`. Without it letters wait in `outbox` of the data folder or of the bucket',
  },
  MAIL_FROM: { group: 'mail', for: ['worker'], what: 'The sender of letters' },
  ANALYTICS_URL: {
    group: 'mail',
    for: ['api'],
    what: 'The host of the dashboard that the home page shows, with the two below',
  },
  ANALYTICS_SECRET: { group: 'mail', for: ['api'], what: 'Signs the address of the dashboard' },
  ANALYTICS_DASHBOARD: { group: 'mail', for: ['api'], what: 'The id of the dashboard' },
  PORTAL_DEMO_PUBLIC: {
    group: 'demo',
    for: all,
    what: 'Whether a demo, whose passwords everybody knows, may listen elsewhere than on the loopback',
  },
  PORTAL_DEMO_SIZE: { group: 'demo', for: ['prepare'], what: 'How many people the demo has' },
  SANDBOX_AGENCY_PORT: {
    group: 'demo',
    for: ['prepare'],
    what: 'The port of the simulated agency. Without it: the one after `PORT`',
  },
  WATCH_REPORT_DEPENDENCIES: {
    group: 'demo',
    for: ['api'],
    what: 'Set by `node --watch`: pages reload when a build is published',
  },
}
