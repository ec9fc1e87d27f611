import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const folder = join(import.meta.dirname, '../../../deploy/monitoring')
/** Prometheus' own check (apt-get install prometheus). */
function promtool(...words: string[]) {
  const { status, stdout, stderr, error } = spawnSync('/usr/bin/promtool', words, {
    cwd: folder,
    encoding: 'utf8',
  })
  if (error) throw new Error('promtool is missing: apt-get install prometheus', { cause: error })
  return { status, text: stdout + stderr }
}

test('an operator is woken by what the alerts say, and not by what is in order', () => {
  const { status, text } = promtool('test', 'rules', 'alerts.test.yml')
  expect([status, text]).toEqual([0, expect.stringContaining('SUCCESS')])
})

test('an operator starts Prometheus with the file for one server or for several, and it takes the rules', () => {
  for (const file of ['prometheus.yml', 'prometheus-servers.yml']) {
    const { status, text } = promtool('check', 'config', file)
    expect([file, status, text]).toEqual([file, 0, expect.stringMatching(/SUCCESS: \d+ rules found/)])
  }
})
