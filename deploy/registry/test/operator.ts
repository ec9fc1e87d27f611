import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'

export const source = join(import.meta.dirname, '../src')

/** A folder that is gone after the test. */
export function emptyFolder() {
  const folder = mkdtempSync(join(tmpdir(), 'registry-command-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

/** An address at which no portal runs. */
const nowhere = 'http://127.0.0.1:1'

/** Runs commands of the operator on a data folder, called from a folder. */
export function operator(dataDir: string, more: NodeJS.ProcessEnv = {}, cwd = process.cwd()) {
  const own = { PORTAL_DATA_DIR: dataDir, PORTAL_DEMO: 'true', PORTAL_URL: nowhere }
  const env = { ...process.env, NODE_ENV: undefined, ...own, ...more }
  return (...args: string[]): Promise<{ code: number | null; output: string }> => {
    const child = spawn(process.execPath, [join(source, 'command.ts'), ...args], { env, cwd })
    let output = ''
    child.stdout.on('data', (chunk) => (output += chunk))
    child.stderr.on('data', (chunk) => (output += chunk))
    return new Promise((resolve) => child.once('close', (code) => resolve({ code, output: output.trim() })))
  }
}
