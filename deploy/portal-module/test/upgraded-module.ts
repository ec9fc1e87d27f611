import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { onTestFinished } from 'vitest'

export const manifest = `{ "name": "mfe-clinics",   "contract": "^1.5.0" }\n`

/** The folder of a module with these files, which is gone after the test. */
export function moduleWith(files: Record<string, string>) {
  const dir = mkdtempSync(join(tmpdir(), 'portal-upgrade-'))
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }))
  for (const [file, text] of Object.entries({
    ...{ 'portal.module.json': manifest, 'package.json': '{}\n' },
    ...files,
  })) {
    mkdirSync(dirname(join(dir, file)), { recursive: true })
    writeFileSync(join(dir, file), text)
  }
  return { dir, read: (file: string) => readFileSync(join(dir, file), 'utf8') }
}
