import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import type { Settings } from '../src/kit/process/settings.ts'

/** Starts a command of the api like npm, on the database of this test file; `more` are other settings. */
export function startCommand(
  settings: Settings,
  name: string,
  words: string[] = [],
  more: Record<string, string> = {},
) {
  const file = join(import.meta.dirname, '../src', name === 'main' ? 'main.ts' : `commands/${name}.ts`)
  return spawn(process.execPath, [file, ...words], {
    env: {
      PATH: process.env.PATH,
      NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE,
      DATABASE_URL: settings.databaseUrl,
      DATABASE_OWNER_URL: settings.databaseOwnerUrl,
      PORTAL_DATA_DIR: settings.dataDir,
      PORTAL_DEMO: 'true',
      ...more,
    },
  })
}

/** Runs a command to its end, and gives it `input`. */
export async function runCommand(
  settings: Settings,
  name: string,
  words: string[] = [],
  input = '',
  more: Record<string, string> = {},
) {
  const child = startCommand(settings, name, words, more)
  child.stdin.end(input)
  const [out, err, code] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    new Promise<number | null>((resolve) => child.on('exit', resolve)),
  ])
  return { out, err, code }
}
