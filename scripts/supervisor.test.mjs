import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { until } from './lib/processes.mjs'
import { createSupervisor } from './lib/supervisor.mjs'

test('somebody who stops the portal does not cut calls that an api still serves while it drains', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'portal-supervisor-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  mkdirSync(join(folder, 'logs'))
  const script = join(folder, 'slow.mjs')
  const [started, drained] = [join(folder, 'started'), join(folder, 'drained')]
  writeFileSync(
    script,
    `import { writeFileSync } from 'node:fs'
    process.on('SIGTERM', () => setTimeout(() => { writeFileSync(${JSON.stringify(drained)}, ''); process.exit() }, 700))
    setInterval(() => {}, 1000)
    writeFileSync(${JSON.stringify(started)}, '')`,
  )
  const supervisor = createSupervisor(folder, 100)
  supervisor.start({ name: 'api', script, env: { ...process.env, PORTAL_DRAIN_SECONDS: '20' } })
  await until(() => existsSync(started), 10_000)
  await supervisor.stop()
  expect(existsSync(drained)).toBe(true)
})
