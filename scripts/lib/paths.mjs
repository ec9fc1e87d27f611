import { dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'

/** The repository's root. */
export const root = resolve(dirname(fileURLToPath(import.meta.url)), '..', '..')

/** The Node that package.json pins, installed by npm. */
export const pinnedNode = join(
  root,
  'node_modules',
  'node',
  'bin',
  process.platform === 'win32' ? 'node.exe' : 'node',
)

/** The data folder, absolute. */
export const dataDir = resolve(root, process.env.PORTAL_DATA_DIR || '.data')
