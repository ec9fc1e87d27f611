import * as v from 'valibot'

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

/** The environment variables of api, worker and commands. */
export const environment = v.object({
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
  S3_PATH_STYLE: v.optional(v.picklist(['yes', 'no'], 'is yes or no'), 'yes'),
  PORTAL_STORAGE: v.optional(v.picklist(['disk', 's3'], 'is disk or s3'), 'disk'),
  S3_FILES_BUCKET: v.optional(v.string()),
  PORTAL_MODULE_OVERRIDE: v.optional(v.picklist(['yes', 'no'], 'is yes or no'), 'no'),
  DATABASE_URL: v.pipe(v.string(), v.regex(/^postgres(ql)?:\/\//, 'starts with postgresql://')),
  DATABASE_OWNER_URL: v.optional(
    v.pipe(v.string(), v.regex(/^postgres(ql)?:\/\//, 'starts with postgresql://')),
  ),
  PORTAL_DB_CONNECTIONS: v.optional(number(2, 1000), '20'),
  PORTAL_DB_JOB_CONNECTIONS: v.optional(number(5, 1000), '20'),
  PORTAL_DB_CONNECT_SECONDS: v.optional(number(1, 60), '5'),
  PORTAL_DB_STATEMENT_SECONDS: v.optional(number(1, 600), '15'),
  PORTAL_DB_LOCK_SECONDS: v.optional(number(1, 600), '5'),
  PORTAL_DB_IDLE_SECONDS: v.optional(number(1, 600), '5'),
  PORTAL_MACHINE_PORT: v.optional(number(1, 65535)),
  PORTAL_MACHINE_PUBLIC: v.optional(v.picklist(['yes', 'no'], 'is yes or no'), 'no'),
  PORTAL_DISK_MIN_MB: v.optional(number(0, 10_000_000), '200'),
  PORTAL_START_SECONDS: v.optional(number(0, 86_400), '600'),
  PORTAL_DRAIN_SECONDS: v.optional(number(0, 600), '0'),
  PORTAL_PUBLIC_URL: v.optional(address),
  PORTAL_MODULES_URL: v.optional(address),
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
  PORTAL_BACKEND_HOSTS: v.optional(list, ''),
  PORTAL_MODULE_RECORDS: v.optional(number(1, 100_000_000), '200000'),
  PORTAL_MODULE_PICTURES_MB: v.optional(number(1, 10_000_000), '2000'),
  PORTAL_MAX_AMOUNT: v.optional(number(1, 1_000_000_000), '2000000'),
  PORTAL_KEEP_DAYS: v.optional(v.string(), ''),
  PORTAL_CALLS_PER_SECOND: v.optional(number(1, 1_000_000), '50'),
  SANDBOX_AGENCY_PORT: v.optional(number(0, 65535)),
  CLAMAV_HOST: v.optional(v.pipe(v.string(), v.regex(/^[\w.-]+(:\d{1,5})?$/, 'is a host, or host:port'))),
  SMTP_URL: v.optional(v.pipe(v.string(), v.regex(/^smtps?:\/\//, 'starts with smtp:// or smtps://'))),
  MAIL_FROM: v.optional(
    v.pipe(
      v.string(),
      v.regex(
        /^[^\s<>@]+@[^\s<>@]+$|<[^\s<>@]+@[^\s<>@]+>$/,
        'has an address, such as Portal <portal@example.org>',
      ),
    ),
    'Portal <portal@localhost>',
  ),
  ANALYTICS_URL: v.optional(address),
  ANALYTICS_SECRET: v.optional(v.string()),
  ANALYTICS_DASHBOARD: v.optional(v.string()),
  PORTAL_ROLE: v.optional(v.picklist(['api', 'worker', 'both'], 'is api, worker or both'), 'both'),
  OTEL_EXPORTER_OTLP_ENDPOINT: v.optional(address),
  OTEL_TRACES_SAMPLER_ARG: v.optional(
    v.pipe(v.string(), v.regex(/^(0(\.\d+)?|1(\.0+)?)$/, 'is a share from 0 to 1'), v.transform(Number)),
    '1',
  ),
  LOG_LEVEL: v.optional(
    v.picklist(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'], 'is a level of pino'),
    'info',
  ),
  NODE_ENV: v.optional(v.string()),
  // `node --watch` sets it.
  WATCH_REPORT_DEPENDENCIES: v.optional(v.string()),
})
export type Environment = v.InferOutput<typeof environment>
