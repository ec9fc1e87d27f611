import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll } from 'vitest'

/** A folder for the servers of a test file, and what is to be ended after it, newest first, also if one end fails. */
export function makePlace() {
  const folder = mkdtempSync(join(tmpdir(), 'portal-shape-'))
  // PostgreSQL runs as another account.
  chmodSync(folder, 0o755)
  const ends: (() => Promise<unknown>)[] = []
  afterAll(async () => {
    const failed: unknown[] = []
    for (const end of ends.toReversed()) await end().catch((error) => failed.push(error))
    rmSync(folder, { recursive: true, force: true })
    if (failed.length) throw failed[0]
  }, 120_000)
  return { folder, atEnd: (end: () => Promise<unknown>) => void ends.push(end) }
}
