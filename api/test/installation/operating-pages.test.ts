import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { ownersCommands, read, root } from '../deploy/chart.ts'
import { guideOf } from '../deploy/trial/guide.ts'

// What the pages for operators say, held against the files that they are about.
const folder = mkdtempSync(join(tmpdir(), 'portal-pages-'))
afterAll(() => rmSync(folder, { recursive: true }))
const pageNames = ['docs/operating', 'docs/runbook'].flatMap((place) =>
  readdirSync(join(root, place)).map((name) => `${place}/${name}`),
)
const [systemd, servers, containers, kubernetes] = [
  'systemd.md',
  'several-servers.md',
  'containers.md',
  'kubernetes.md',
].map(guideOf) as [Guide, Guide, Guide, Guide]
type Guide = ReturnType<typeof guideOf>
const typed = (guide: Guide, heading: string) => guide.blocksBelow(heading).join('\n')

describe('an operator of systemd', () => {
  test('goes back in a way that outlasts a reboot, until the next upgrade, on one server or several', () => {
    const file = '/etc/systemd/system/portal-prepare.service.d/rollback.conf'
    const back = typed(systemd, 'Rollback')
    // An empty line of ExecStart takes away that of the unit.
    expect(back).toContain(`printf '[Service]\\nExecStart=\\nExecStart=/bin/true\\n' > ${file}`)
    expect(back.indexOf('daemon-reload')).toBeGreaterThan(back.indexOf(file))
    const upgrade = typed(systemd, 'Upgrade')
    const removal = upgrade.indexOf(`rm -f ${file} && systemctl daemon-reload`)
    expect(removal).toBeGreaterThan(0)
    expect(removal).toBeLessThan(upgrade.indexOf('ignore-dependencies portal-prepare'))
    expect(read('docs/operating/several-servers.md')).toContain('the end of a rollback of before')
  })

  test('restores without timers that would read or write meanwhile, and with the modules and migrations of the release', () => {
    const restore = typed(systemd, 'Restore')
    const timers = ['portal-backup.timer', 'portal-ledger.timer', 'portal-erasures.timer']
    expect(restore.split('\n')[0]).toBe(`systemctl stop ${timers.join(' ')}`)
    expect(restore.split('\n').at(-1)).toBe(`systemctl start ${timers.join(' ')}`)
    expect(restore).toContain(
      'systemctl restart portal-release portal-prepare && systemctl start portal-api portal-worker',
    )
  })

  test('of several servers looks at a restored database without haproxy, and then starts what stops for it', () => {
    const page = read('docs/operating/several-servers.md')
    const back = page.slice(page.indexOf('## To go back'), page.indexOf('## What was tried'))
    for (const words of [
      'portal-ledger.timer portal-erasures.timer',
      'full.timer portal-pgbackrest@diff.timer',
    ])
      expect(back).toContain(words)
    const [database = ''] = /^ {2}bind (\S+)$/m.exec(read('deploy/systemd/haproxy.cfg'))?.slice(1) ?? []
    const look = servers.blocksBelow('To go back to a moment')[1] ?? ''
    expect(look).toContain(
      `sed -i 's#@${database}/#@10.0.0.21:5432/#' /root/moment/database /root/moment/database-owner`,
    )
    expect(look).toContain('PORTAL_SECRETS=/root/moment /opt/portal/current/deploy/systemd/command.sh verify')
    expect(back).toContain('systemctl restart portal-prepare && systemctl start portal-api portal-worker')
    const { data_dir } = parse(read('deploy/systemd/patroni.yml')).postgresql
    expect(read('deploy/systemd/pgbackrest.conf')).toContain(`pg1-path=${data_dir}\n`)
  })

  /** What command.sh hands to systemd-run, with these files in the folder of secrets. */
  function handedOver(secrets: string[], ...words: string[]) {
    const place = mkdtempSync(join(folder, 'command-'))
    for (const each of ['bin', 'secrets']) mkdirSync(join(place, each))
    for (const name of secrets) writeFileSync(join(place, 'secrets', name), '')
    writeFileSync(join(place, 'bin/systemd-run'), '#!/bin/sh\nprintf "%s\\n" "$@"\n', { mode: 0o755 })
    const script = join(place, 'command.sh')
    writeFileSync(script, read('deploy/systemd/command.sh').replace('/opt/portal/current', root))
    const env = { PATH: `${place}/bin:${process.env.PATH}`, PORTAL_SECRETS: join(place, 'secrets') }
    return execFileSync('sh', [script, ...words], { env, encoding: 'utf8' }).replaceAll(place, '')
  }

  test('types a command that has the data folder of the workers, and those secrets that are there', () => {
    const said = handedOver(['database', 'secret'], 'verify')
    const settings = ['portal.env', '-/etc/portal/worker.env'].map((file) => said.indexOf(file))
    // The later file holds.
    expect(settings).toEqual([...settings].sort((a, b) => a - b))
    expect(settings[0]).toBeGreaterThan(0)
    expect(said).not.toMatch(/former|next|s3/)
    for (const [setting, file] of [
      ['PORTAL_SECRET_FORMER_FILE', 'secret-former'],
      ['PORTAL_SECRET_NEXT_FILE', 'secret-next'],
      ['S3_SECRET_FILE', 's3-secret'],
    ] as const) {
      const more = handedOver(['database', 'secret', file], 'secret-rotate', '--check')
      expect(more).toContain(`--property=LoadCredential=${file}:/secrets/${file}\n`)
      expect(more).toContain(` ${setting}=$CREDENTIALS_DIRECTORY/${file} exec`)
    }
  })

  test('changes the secret with a file for every unit that has it', () => {
    const [, named = ''] = /for each in ([a-z ]+); do/.exec(typed(systemd, 'Change of the secret')) ?? []
    const having = readdirSync(join(root, 'deploy/systemd')).flatMap((file) => {
      const [, name] = /^portal-([a-z]+)\.service$/.exec(file) ?? []
      return name && read(`deploy/systemd/${file}`).includes('PORTAL_SECRET_FILE') ? [name] : []
    })
    expect(named.split(' ').sort()).toEqual(having.sort())
  })
})

describe('an operator of containers', () => {
  const { services } = parse(read('deploy/compose/compose.yaml'), { merge: true })

  test('runs commands without the programs before them, because prepare refuses the database after a rollback', () => {
    const runs = [...pageNames, 'deploy/systemd/restore.sh'].flatMap((name) =>
      [...read(name).matchAll(/docker compose run [^\n`]*?\b(?:worker|erasures) node\b/g)].map(
        ([line]) => line,
      ),
    )
    expect(runs.length).toBeGreaterThan(6)
    for (const line of runs) expect(line).toContain('--no-deps')
    // Each night, as the owner of the database: nothing comes before it.
    for (const name of ['backup', 'erasures']) expect(services[name].depends_on, name).toBeUndefined()
  })

  test('runs what needs the owner of the database with the program that has its address', () => {
    expect(services.erasures.environment).toHaveProperty('DATABASE_OWNER_URL_FILE')
    const page = read('docs/operating/containers.md')
    expect(page).toMatch(
      new RegExp(
        `${ownersCommands()
          .map((name) => `\`${name}\``)
          .join('.*')} need the owner`,
      ),
    )
    expect(typed(containers, 'Commands')).toContain(
      'run --rm --no-deps erasures node api/src/commands/audit-erase.ts',
    )
  })

  test('publishes and migrates before api and worker stop for the next release', () => {
    const upgrade = typed(containers, 'Upgrade')
    expect(upgrade).toMatch(
      /--no-deps release && docker compose run --rm --no-deps prepare &&\n.*up --detach --wait/,
    )
  })

  test('has its processes read by the Prometheus of one server, on this machine only', () => {
    const { scrape_configs } = parse(read('deploy/monitoring/prometheus.yml'))
    for (const { job_name, static_configs } of scrape_configs) {
      const { ports, environment } = services[job_name.replace('portal-', '')]
      const at = `127.0.0.1:${environment.PORTAL_MACHINE_PORT}`
      expect(static_configs, job_name).toEqual([{ targets: [at] }])
      expect(ports, job_name).toEqual([`${at}:${environment.PORTAL_MACHINE_PORT}`])
    }
    // Within the container it listens to more than itself.
    expect(read('deploy/compose/Dockerfile')).toContain('HOST=0.0.0.0')
  })

  test('changes the secret with a file for every program that has it', () => {
    const more = parse(read('deploy/compose/former-secret.yaml'), { merge: true })
    const having = Object.keys(services).filter((name) => services[name].secrets?.includes('secret'))
    expect(Object.keys(more.services).sort()).toEqual(having.sort())
    for (const { secrets } of Object.values(more.services as Record<string, { secrets: string[] }>))
      expect(secrets).toEqual(['secret-former'])
    expect(typed(containers, 'Change of the secret')).toContain(
      `cp -p secrets/secret ${more.secrets['secret-former'].file}`,
    )
  })
})

describe('an operator of Kubernetes', () => {
  const page = read('docs/operating/kubernetes.md')

  test('changes what Helm made by Helm, or as Helm, because under Helm 4 each field has an owner', () => {
    for (const block of kubernetes.blocks()) expect(block).not.toMatch(/kubectl (scale|edit|set) /)
    expect(page).not.toMatch(/`kubectl (scale|edit|set) [^`]/)
    const applied = [...page.matchAll(/helm template .*\| kubectl apply (.*?) -f -/g)].map(([, how]) => how)
    expect(applied).toEqual(Array(2).fill('--server-side --force-conflicts --field-manager=helm'))
  })

  test('goes back without the job before a release, and so until the next release', () => {
    expect(typed(kubernetes, 'Rollback')).toMatch(/&& helm rollback portal \d+ --no-hooks$/)
    expect(page).toMatch(/Until the next release each `helm upgrade` .* needs `--no-hooks` too/)
  })

  test('restores with a policy that lets the job of the upgrade reach the new database', () => {
    const restore = typed(kubernetes, 'Restore')
    const policy = restore.indexOf('-s templates/network.yaml')
    expect(policy).toBeGreaterThan(restore.indexOf('database-restored.yaml'))
    expect(policy).toBeLessThan(restore.indexOf('helm upgrade portal deploy/helm -f values.yaml --timeout'))
    // Without pods that write meanwhile.
    expect(restore).toMatch(/suspend.*helm upgrade portal deploy\/helm -f values\.yaml --no-hooks.*apply -f/s)
  })

  test('reads what a job says, and learns within a minute that it failed', () => {
    const waits = [...page.matchAll(/kubectl wait --for=condition=complete \S+ --timeout=(\w+)/g)]
    expect(waits.map(([, time]) => time)).toEqual(['30s', '30s'])
    expect([...page.matchAll(/until kubectl logs --follow/g)]).toHaveLength(2)
    // With the words that the command wants.
    expect(typed(kubernetes, 'Commands')).toMatch(/audit-erase\.ts \w+ \d+$/)
  })
})

test('an operator who restored keeps the end of the audit log that is newer than the database, out of the way of the worker', () => {
  const name = 'audit-end.json'
  expect(read('deploy/systemd/restore.sh')).toContain(`cp "$backup/${name}"`)
  for (const guide of [servers, kubernetes])
    expect(guide.blocks().join('\n')).toMatch(/(mv|rename).*\/audit-end\.json.*\/audit-end\.before/)
  expect(read('docs/operating/backup.md')).toContain(`\`${name}\``)
})
