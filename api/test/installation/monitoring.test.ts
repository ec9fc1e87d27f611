import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { parse } from 'yaml'
import { machineServer } from '../../src/machine/machine.routes.ts'
import { migrationNames } from '../../src/migrations.ts'
import { overdueHours } from '../../src/privacy/approved-erasures.service.ts'
import { startPortal } from '../portal.ts'

const root = join(import.meta.dirname, '../../..')
const read = (path: string) => readFileSync(join(root, path), 'utf8')
const portal = await startPortal()
const server = machineServer(portal.context, { draining: false }, migrationNames(), {})
afterAll(() => server.close())

type Rule = { alert: string; expr: string; annotations: { summary: string; runbook: string } }
const rules: Rule[] = parse(read('deploy/monitoring/alerts.yml')).groups.flatMap(
  (group: { rules: Rule[] }) => group.rules,
)
/** Figures of other programs, as their documentation names them: who tells them, and where Prometheus asks. The portal does not have them. */
const others: Record<string, string[]> = {
  cloudnativepg: [
    'barman_cloud_cloudnative_pg_io_last_available_backup_timestamp',
    'cnpg_pg_replication_streaming_replicas',
    'cnpg_pg_stat_archiver_failed_count',
  ],
  patroni: ['patroni_sync_standby'],
  postgres: ['pg_stat_archiver_failed_count'],
  node: ['node_filesystem_avail_bytes', 'node_filesystem_size_bytes'],
  kubelet: ['kubelet_volume_stats_available_bytes', 'kubelet_volume_stats_capacity_bytes'],
  blackbox: ['probe_success', 'probe_ssl_earliest_cert_expiry'],
}
const { panels } = JSON.parse(read('deploy/monitoring/dashboard.json')) as {
  panels: { title: string; targets: { expr: string }[] }[]
}
const pages = readdirSync(join(root, 'docs/runbook')).filter((name) => name !== 'README.md')

/** The names of figures in an expression of PromQL: words that are neither a function nor a label. */
const figuresIn = (expr: string) =>
  expr
    .replace(/\{[^}]*\}|\[[^\]]*\]|\b(by|without) \([^)]*\)/g, '')
    .match(/\b[a-z][a-z0-9]*_[a-z0-9_]+\b(?!\s*\()/g)
    ?.filter((name) => name !== 'histogram_quantile') ?? []

test('an operator’s alerts and panels are about figures that the portal has', async () => {
  const { body } = await server.inject('/metrics')
  expect(body).toContain('portal_database_up 1')
  const known = new Set([...body.matchAll(/^# TYPE (\S+)/gm)].map(([, name]) => name))
  const parts = ['_bucket', '_count', '_sum']
  const asked = [
    ...rules.map(({ alert, expr }) => ({ of: alert, expr })),
    ...panels.flatMap(({ title, targets }) => targets.map(({ expr }) => ({ of: title, expr }))),
  ]
  expect(asked.length).toBeGreaterThan(30)
  for (const { of, expr } of asked) {
    const figures = figuresIn(expr)
    if (!expr.startsWith('up{')) expect(figures, of).not.toEqual([])
    const missing = figures.filter(
      (name) =>
        !known.has(name) &&
        !Object.values(others).flat().includes(name) &&
        !parts.some((part) => known.has(name.replace(part, ''))),
    )
    expect(missing, of).toEqual([])
  }
})

test('an operator who is woken sees the figures of each alert on the dashboard, and how they came to be', () => {
  const drawn = new Set(panels.flatMap(({ targets }) => targets.flatMap(({ expr }) => figuresIn(expr))))
  for (const { alert, expr } of rules)
    expect([alert, figuresIn(expr).filter((name) => !drawn.has(name))]).toEqual([alert, []])
})

test('an operator is woken by an overdue erasure when the pages say that it is overdue', () => {
  const rule = rules.find(({ alert }) => alert === 'PortalErasureOverdue')
  expect(rule?.expr).toBe(`max(portal_erasure_oldest_seconds) > ${overdueHours * 3600}`)
})

test('an operator of Kubernetes is not woken for a backup that CloudNativePG made, because nothing writes its row', () => {
  const rule = rules.find(({ alert }) => alert === 'PortalBackupMissing')
  expect(rule?.expr).toBe(
    'max(portal_backup_age_seconds) > 93600 unless on () time() - max(barman_cloud_cloudnative_pg_io_last_available_backup_timestamp) < 93600',
  )
})

test('an operator of several servers is woken for what the portal cannot see: standbys, archive, disks and certificates', () => {
  const watched = rules.flatMap(({ expr }) => figuresIn(expr))
  for (const figure of Object.values(others).flat()) expect(watched).toContain(figure)
  const { scrape_configs, alerting } = parse(read('deploy/monitoring/prometheus-servers.yml'))
  const jobs = scrape_configs.map(({ job_name }: { job_name: string }) => job_name)
  const asked = Object.keys(others).filter((name) => name !== 'cloudnativepg' && name !== 'kubelet')
  expect(jobs).toEqual(expect.arrayContaining(['portal-api', 'portal-worker', ...asked]))
  expect(JSON.stringify(alerting)).toContain(':9093')
  const { route, receivers } = parse(read('deploy/monitoring/alertmanager.yml'))
  const named = [route.receiver, ...route.routes.map((each: { receiver: string }) => each.receiver)]
  expect(receivers.map(({ name }: { name: string }) => name)).toEqual(expect.arrayContaining(named))
  expect(route.routes[0].matchers).toEqual(['severity = critical'])
})

test('an operator is woken when no worker is left that Prometheus knows of, as on Kubernetes', () => {
  const rule = rules.find(({ alert }) => alert === 'PortalProcessDown')
  for (const job of ['portal-api', 'portal-worker']) expect(rule?.expr).toContain(`absent(up{job="${job}"})`)
})

test('an operator of containers or of Kubernetes reads what to look at there, wherever a page names systemd', () => {
  const named = pages.filter((page) => /systemctl|journalctl/.test(read(`docs/runbook/${page}`)))
  expect(named.length).toBeGreaterThan(4)
  for (const page of named) {
    expect(read(`docs/runbook/${page}`), page).toMatch(/docker compose|host's timers/)
    expect(read(`docs/runbook/${page}`), page).toContain('kubectl')
  }
})

test('an operator who is woken finds a page for each alert that says what to look at and what to do', () => {
  for (const { alert, annotations } of rules) {
    expect(annotations.runbook).toBe(`docs/runbook/${alert}.md`)
    expect(existsSync(join(root, annotations.runbook)), alert).toBe(true)
    const headings = read(annotations.runbook).match(/^#+ .*$/gm)
    expect(headings).toEqual([`# ${alert}`, '## What it means', '## What to look at', '## What to do'])
  }
  expect(pages.sort()).toEqual(rules.map(({ alert }) => `${alert}.md`).sort())
  const list = read('docs/runbook/README.md')
  for (const page of pages) expect(list).toContain(`(${page})`)
})
