import { join, resolve } from 'node:path'
import { s3Store } from './s3-store.ts'
import { diskStore, type Store } from './store.ts'

type Environment = Record<string, string | undefined>

/** Where the registry of a portal is: with `S3_BUCKET` there, otherwise in a folder. */
export function openStore(env: Environment): Store {
  const folder = resolve(env.PORTAL_REGISTRY_DIR || join(env.PORTAL_DATA_DIR || '.data', 'registry'))
  if (!env.S3_BUCKET) return diskStore(folder)
  const needed = ['S3_ENDPOINT', 'S3_KEY', 'S3_SECRET'].filter((name) => !env[name])
  if (needed.length)
    throw new Error(`${needed.join(', ')} missing: S3_BUCKET says that the registry is there.`)
  return s3Store({
    endpoint: env.S3_ENDPOINT ?? '',
    bucket: env.S3_BUCKET,
    region: env.S3_REGION || 'us-east-1',
    key: env.S3_KEY ?? '',
    secret: env.S3_SECRET ?? '',
    cache: folder,
  })
}
