import type { Secrets } from './cluster.ts'

type Fault = {
  key: string
  /** Another value of the key; without one it is missing. */
  value?: (before: string) => string
  kind: 'Job' | 'CronJob' | 'Deployment'
  pod: string
  container?: string
  sentence: RegExp
}

const missing = (setting: string, key: string) =>
  new RegExp(`^${setting}_FILE is /run/secrets/${key}, which cannot be read \\(ENOENT\\)`)
const otherPassword = (before: string) => before.replace(/(?<=:)\w+(?=@)/, 'wrong')
const refused = (setting: string) =>
  new RegExp(`^The database at portal-database-rw:5432 refuses ${setting} \\(password authentication failed`)
const other = () => 'another secret of more than thirty-two characters'

const migrate = { kind: 'Job', pod: 'portal-migrate' } as const
const release = { ...migrate, container: 'release' } as const
const api = { kind: 'Deployment', pod: 'portal-api' } as const
const worker = { kind: 'Deployment', pod: 'portal-worker' } as const

/** What may be wrong with a secret, and the sentence that the log of the pod ends with. */
export const secretFaults: Fault[] = [
  { ...release, key: 'release-key', sentence: missing('PORTAL_RELEASE_KEY', 'release-key') },
  { ...release, key: 's3-secret', value: other, sentence: /store/ },
  { ...migrate, key: 'database-owner', sentence: missing('DATABASE_OWNER_URL', 'database-owner') },
  { ...migrate, key: 'database-owner', value: otherPassword, sentence: refused('DATABASE_OWNER_URL') },
  { ...migrate, key: 'database', value: otherPassword, sentence: refused('DATABASE_URL') },
  { ...api, key: 'database', sentence: missing('DATABASE_URL', 'database') },
  { ...api, key: 'database', value: otherPassword, sentence: refused('DATABASE_URL') },
  {
    ...api,
    key: 's3-secret',
    value: other,
    sentence: /^The store at https:\/\/s3\.example\.org refuses the bucket portal-files/,
  },
  { ...api, key: 'secret', value: other, sentence: /^The database does not know the secret/ },
  { ...worker, key: 'smtp', sentence: missing('SMTP_URL', 'smtp') },
  { ...worker, key: 'database', value: otherPassword, sentence: refused('DATABASE_URL') },
  {
    ...{ kind: 'CronJob', pod: 'portal-ledger' },
    key: 'database',
    value: otherPassword,
    sentence: refused('DATABASE_URL'),
  },
  {
    ...{ kind: 'CronJob', pod: 'portal-erasures' },
    key: 'database-owner',
    sentence: missing('DATABASE_URL', 'database-owner'),
  },
]

/** The secrets with that fault. */
export function secretsWith({ portal = {}, ...others }: Secrets, { key, value }: Fault): Secrets {
  const { [key]: before = '', ...rest } = portal
  if (!value) return { ...others, portal: rest }
  const changed = value(Buffer.from(before, 'base64').toString())
  return { ...others, portal: { ...rest, [key]: Buffer.from(changed).toString('base64') } }
}
