import { join, resolve } from 'node:path'
import { type S3Options, s3Store } from './s3-store.ts'
import { readSecretFiles } from './secret-files.ts'
import { diskStore, type Store } from './store.ts'

/** A store in a folder, or in a bucket, with that folder as its cache on this machine. */
export const storeIn = (folder: string, bucket?: Omit<S3Options, 'cache'>): Store =>
  bucket ? s3Store({ ...bucket, cache: folder }) : diskStore(folder)

type Env = Record<string, string | undefined>

const root = join(import.meta.dirname, '../../..')

/** The data folder. A relative one is of the repository's folder, as for `npm start`, wherever a command is called. */
export const dataFolder = (env: Env): string => resolve(root, env.PORTAL_DATA_DIR || '.data')

/** The folder of what was built, resolved alike. */
export const distFolder = (env: Env): string => resolve(root, env.PORTAL_DIST_DIR || 'dist')

const folderOf = (env: Env) =>
  env.PORTAL_REGISTRY_DIR ? resolve(root, env.PORTAL_REGISTRY_DIR) : join(dataFolder(env), 'registry')

/** Where the registry is, for messages. */
export const placeOfStore = (env: Env): string =>
  env.S3_BUCKET ? `the bucket ${env.S3_BUCKET} at ${env.S3_ENDPOINT}` : folderOf(env)

/** Opens the registry's store where the settings say that it is. */
export function openStore(env: Env): Store {
  const folder = folderOf(env)
  const { S3_BUCKET: bucket, S3_ENDPOINT: endpoint, S3_KEY: key, S3_SECRET: secret } = readSecretFiles(env)
  if (!bucket) return storeIn(folder)
  if (!endpoint || !key || !secret)
    throw new Error('S3_BUCKET is set: S3_ENDPOINT, S3_KEY and S3_SECRET have to be, too.')
  const region = env.S3_REGION || 'us-east-1'
  return storeIn(folder, { endpoint, bucket, region, key, secret, pathStyle: env.S3_PATH_STYLE !== 'no' })
}
