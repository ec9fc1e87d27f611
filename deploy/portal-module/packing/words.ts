import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { root } from './emit.ts'

const folders = ['shared/ui', 'shared/screens', 'deploy/portal-module']

/** Compiles the catalogs of what teams get. Its pages import them, and a fresh clone does not have them yet. */
export const compileSharedWords = () =>
  promisify(execFile)(process.execPath, [join(root, 'shared/i18n/catalogs.ts'), 'compile', ...folders], {
    cwd: root,
  })
