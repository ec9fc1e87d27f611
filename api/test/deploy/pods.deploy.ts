import { randomUUID } from 'node:crypto'
import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import { expect, test } from 'vitest'
import { cohortForm, headings, sheetFile } from '../cohorts.ts'
import { password, until } from '../portal.ts'
import { student } from '../registers/registers.ts'
import { Cluster, type Pod, type Template } from './pods/cluster.ts'
import { buildImage, startEngine } from './pods/engine.ts'
import { fetchHelm } from './pods/helm.ts'
import { startIngress } from './pods/ingress.ts'
import { makeOperator } from './pods/operator.ts'
import { imported, importFile, makeAgency, send, signInWithCodes } from './pods/people.ts'
import { secretFaults, secretsWith } from './pods/secret-faults.ts'
import { startSurroundings } from './pods/surroundings.ts'
import { addAccount, Crowd } from './shape/crowd.ts'
import { formOf, type Person } from './shape/person.ts'
import { makePlace } from './shape/place.ts'

// The pods of deploy/helm as a cluster would run them: pods/cluster.ts says what podman leaves out. There is no scheduler, no
// service, no ingress controller and no CloudNativePG here.
const { folder, atEnd } = makePlace()
const around = await startSurroundings(folder, atEnd)
const { at, certificate, post, agency } = around
const engine = await startEngine(folder, around.subnet, at)
atEnd(() => engine.stop())
const operator = makeOperator({
  engine,
  folder,
  programs: fetchHelm(join(folder, 'npm')),
  values: {
    's3-key=KEY': 's3-key=portal',
    's3-secret=SECRET': `s3-secret=${around.s3Secret}`,
    'smtps://user:password': 'smtps://portal:secret',
    'run portal-erasures api/src/commands/audit-erase.ts user 12':
      'run portal-ledger api/src/commands/verify.ts',
  },
})
const apis: Pod[] = []
let worker: Pod
await startIngress({ address: at['portal.example.org'], certificate, apis: () => apis }, atEnd)
const database = `${at['portal-database-rw']}:5432`
const store = `${at['s3.example.org']}:443`

const valuesFile = join(folder, 'values.yaml')
/** Changes the operator's copy of the values, and renders the chart with it. */
function fillIn(changes: Record<string, string>) {
  const values = readFileSync(valuesFile, 'utf8')
  const filled = Object.entries(changes).reduce(
    (text, [before, after]) => text.replace(before, after),
    values,
  )
  writeFileSync(valuesFile, filled)
  chart = operator.render(valuesFile)
}
let chart: ReturnType<typeof operator.render>
let cluster: Cluster
// Names are in a file here. Who asks a server of names all the same, as the worker does for that of the mail, asks this machine's, which
// podman gives to its pods in place of the cluster's.
const [, nameServer = '192.0.2.53'] =
  /^nameserver (\S+)/m.exec(readFileSync('/etc/resolv.conf', 'utf8')) ?? []
/** A cluster with these secrets. */
function clusterOf(name: string, secrets = operator.secrets()) {
  const place = join(folder, name)
  mkdirSync(place)
  const others = {
    'cnpg.io/cluster=portal-database': at['portal-database-rw'],
    'k8s-app=kube-dns': nameServer,
  }
  return new Cluster({ engine, folder: place, policies: chart.policies, others, secrets })
}

test('an operator builds the image, one with an authority of her own, and makes the secrets by the commands of the page', async () => {
  await buildImage(engine, folder, 'registry.example.org/portal:1')
  const context = join(folder, 'authority')
  mkdirSync(context)
  cpSync(certificate.certificate, join(context, 'authority.pem'))
  operator.follow('authority.pem', context)
  operator.follow('secret generic portal-$role')
  operator.follow('secret generic portal ')
  cpSync(join(import.meta.dirname, '../../../deploy/helm/values.yaml'), valuesFile)
  fillIn({
    'registry.example.org/portal:1': 'registry.example.org/portal:1-own',
    '00000000-0000-4000-8000-000000000000': randomUUID(),
  })
  await around.makeDatabase(operator.secrets())
  cluster = clusterOf('pods')
}, 240_000)

test('the job before the release publishes the modules and migrates the database', async () => {
  const job = await cluster.play('portal-migrate', chart.template('Job', 'portal-migrate'))
  expect([await job.ended(), await job.logs(), await job.logs('release')]).toEqual([
    0,
    expect.stringContaining('Database: applied 0001_baseline.sql'),
    expect.stringContaining('Generation 1 of the modules is live'),
  ])
  expect(await job.opened('refused')).toEqual([])
  expect(await job.opened('opened')).toEqual([database, store].sort())
  await job.remove()
}, 240_000)

/** Starts an api or a worker, and waits until it is ready as the probes of its manifest see it. */
async function start(name: string, of: 'portal-api' | 'portal-worker'): Promise<Pod> {
  const pod = await cluster.play(name, chart.template('Deployment', of))
  await pod.probed.start().catch(async (error) => {
    throw new Error(`${error}\n${await pod.logs()}`)
  })
  return pod
}

const look = `const fs = require('fs'); const status = fs.readFileSync('/proc/self/status', 'utf8')
const can = (path) => { try { fs.writeFileSync(path, ''); fs.unlinkSync(path); return true } catch { return false } }
console.log(JSON.stringify({
  ids: [process.getuid(), process.getgid()],
  rights: [...status.matchAll(/^(CapEff|CapBnd|NoNewPrivs|Seccomp):\\s+(\\w+)$/gm)].map(([, name, value]) => name + ' ' + Number('0x' + value)).sort(),
  writes: ['/', '/portal/', '/etc/', '/run/secrets/', '/usr/local/bin/', '/tmp/', '/var/lib/portal/'].filter((place) => can(place + 'x')),
  keys: fs.readdirSync('/run/secrets').filter((name) => name !== '..data').sort(),
}))`

test('two apis and a worker become ready, as account 1000 without rights, each with its own keys only, and can write to their volumes only', async () => {
  for (const name of ['portal-api-1', 'portal-api-2']) apis.push(await start(name, 'portal-api'))
  worker = await start('portal-worker-1', 'portal-worker')
  for (const pod of [...apis, worker])
    expect(JSON.parse(await pod.exec(['node', '--eval', look]))).toEqual({
      ids: [1000, 1000],
      rights: ['CapBnd 0', 'CapEff 0', 'NoNewPrivs 1', 'Seccomp 2'],
      writes: ['/tmp/', '/var/lib/portal/'],
      keys: ['database', 's3-key', 's3-secret', 'secret', ...(pod === worker ? ['smtp'] : [])],
    })
}, 240_000)

/** People at the portal's address, each in a browser of her own. */
const crowd = new Crowd({
  url: 'https://portal.example.org',
  certificate: readFileSync(certificate.certificate, 'utf8'),
  address: at['portal.example.org'],
})
atEnd(() => crowd.stop())
let admin: Person
let officer: Person
let approver: Person
const recipients = 12

test('the first administrator is made in a pod, signs in through the ingress, imports a school and its students, and invites a colleague', async () => {
  const email = 'awa@example.org'
  const words = ['node', 'api/src/commands/admin-create.ts', email, 'Awa', 'Diarra']
  await apis[0]?.exec(words, `${password}\n`)
  admin = await signInWithCodes(crowd, email)
  const school = {
    ...{ admin_code: 'KIT-1', name: 'École de Kita', type_of_school: 'public', academic_year: '2026-2027' },
    ...{ admin_district_as_cap: 'CAP KITA', education_authority_as_ae: 'AE KITA', classes: '7A' },
  }
  await importFile(admin, '/admin/schools/import', 'schools_file', [school])
  const girls = Array.from({ length: recipients }, (_, n) => student(n + 1))
  await importFile(admin, '/admin/schools/students/import', 'school_students_file', girls)
  // The database sorts by bytes and knows no letters with accents; people search without them all the same.
  const found = await admin.read('/admin/schools/list?search=ecole%20DE')
  expect(found.body.schools.data).toMatchObject([{ name: 'École de Kita' }])

  await send(admin, '/admin/users', {
    ...{ first_name: 'Nana', last_name: 'Koné', gender: 'female', type: 'developer', user_title: 'mrs' },
    email: 'nana@example.org',
  })
  const letter = await until(
    async () => post.letters.find(({ to }) => to.includes('nana@example.org')),
    30_000,
  )
  expect(letter.text.replaceAll('=\r\n', '')).toContain('https://portal.example.org/password/reset/')
}, 120_000)

test('an officer’s list is paid by the worker, each girl once, and she reads it as a workbook', async () => {
  const owner = new pg.Client(around.superuserUrl)
  await owner.connect()
  officer = await crowd.person(await addAccount(owner, 'Transfer Officer'))
  approver = await signInWithCodes(crowd, await addAccount(owner, 'Transfer Approver'))
  await owner.end()
  await makeAgency(admin, 'https://api.agency.example')
  const rows = Array.from({ length: recipients }, (_, n) => [
    ...['Fatoumata', `Coulibaly ${n + 1}`, `+2237${String((n + 1) * 100 + 10).padStart(7, '0')}`],
    ...[`S-${n + 1}`, null],
  ])
  const form = formOf(cohortForm(sheetFile([headings, ...rows])))
  const uploaded = await send(officer, '/admin/transfers/cohorts/import', form)
  await imported(officer, uploaded.import.id)
  const { id } = uploaded.cohort
  const progress = async () => (await approver.read(`/admin/transfers/cohorts/${id}/progress`)).body
  await send(approver, `/admin/transfers/cohorts/${id}/approve`, { action: 'approved' })
  await until(async () => (await progress()).round?.success === recipients, 60_000)
  const ledger = await agency.ledger()
  expect(ledger.map(({ executed, amount }) => [executed, amount])).toEqual(
    Array(recipients).fill([1, 10_500]),
  )

  const asked = await send(officer, '/admin/transfers/cohorts/export', { cohort_id: id }, 202)
  const workbook = await until(async () => {
    const { status, text } = await officer.once('GET', `/storage/exports/${asked.file_name}`)
    return status === 200 && text
  }, 30_000)
  expect(workbook).toMatch(/^PK/)
  const opened = await worker.opened('opened')
  expect(opened.filter((place) => place !== `${nameServer}:53`)).toEqual(
    [database, store, `${at['api.agency.example']}:443`, `${at['mail.example.org']}:465`].sort(),
  )
  expect(await worker.opened('refused')).toEqual([])
}, 180_000)

/** Runs a pod of a job to its end, and returns what it printed. */
async function runToEnd(name: string, template: Template, container?: string) {
  const job = await cluster.play(name, template)
  expect([await job.ended(), await job.logs()]).toEqual([0, expect.any(String)])
  expect(await job.opened('refused')).toEqual([])
  const said = await job.logs(container)
  await job.remove()
  return said
}

test('the nightly jobs end well, and so do a command and the release of before by the lines of the page', async () => {
  const ledger = await runToEnd('portal-ledger', chart.template('CronJob', 'portal-ledger'))
  expect(ledger).toContain('The ledger holds')
  await runToEnd('portal-erasures', chart.template('CronJob', 'portal-erasures'))
  operator.follow('run() {')
  const verified = await runToEnd('run', operator.applied())
  for (const what of ['audit log: holds', 'ledger: holds', 'files: holds']) expect(verified).toContain(what)
  operator.follow('helm get hooks portal')
  const released = await runToEnd('portal-release', operator.applied())
  expect(released).toContain('Generation 1 of the modules is live')
}, 180_000)

test('the job of a second release runs while the apis of before serve; then an api and the worker are replaced without a call that is cut', async () => {
  crowd.look(officer, ['/admin/transfers/cohorts', '/notifications'], 20)
  crowd.look(admin, ['/admin/schools/list', '/home/statistics', '/admin/users/audit/logs'], 20)
  await crowd.edit(approver, 250)
  operator.type('docker tag registry.example.org/portal:1-own registry.example.org/portal:2-own')
  fillIn({ 'portal:1-own': 'portal:2-own' })
  const released = await runToEnd('portal-migrate-2', chart.template('Job', 'portal-migrate'), 'release')
  expect(released).toContain('Generation 1 of the modules is live')

  // `maxSurge: 1`, `maxUnavailable: 0`: first the new one. The ingress calls one that leaves until its readiness falls; a service
  // does so for a shorter time.
  apis.push(await start('portal-api-3', 'portal-api'))
  const left = await apis[0]?.end()
  await apis.shift()?.remove()
  // `Recreate`: first the one of before goes. The volume stays.
  const gone = await worker.end()
  await worker.remove()
  worker = await start('portal-worker-2', 'portal-worker')
  await crowd.stop()
  process.stdout.write(
    `${crowd.calls} calls and ${crowd.edits} edits; the api ended in ${left?.seconds.toFixed(1)} s, the worker in ${gone.seconds.toFixed(1)} s\n`,
  )
  expect([...crowd.seen]).toEqual([])
  expect(crowd.faults).toEqual([])
  expect(crowd.calls).toBeGreaterThan(200)
  expect([left?.code, gone.code]).toEqual([0, 0])
  for (const each of [left, gone]) expect(each?.seconds).toBeLessThan(30)
}, 300_000)

test('pods have changed nothing but their volumes, within the sizes of the manifests, and were reached and went where the policies allow', async () => {
  for (const pod of [...apis, worker]) {
    expect([pod.name, await pod.changes()]).toEqual([pod.name, []])
    expect([pod.name, pod.overfull()]).toEqual([pod.name, []])
    expect([pod.name, pod.probed.faults]).toEqual([pod.name, []])
    for (const which of ['refused', 'refusedIncoming'] as const)
      expect([pod.name, which, await pod.opened(which)]).toEqual([pod.name, which, []])
  }
  for (const pod of apis) expect(await pod.opened('opened')).toEqual([database, store].sort())
}, 60_000)

test.each(secretFaults.map((fault, n) => ({ ...fault, n, what: fault.value ? 'a wrong' : 'no' })))(
  'an operator whose secret has $what $key reads so at the end of the log of $pod',
  async (fault) => {
    const { n, kind, pod: name, container, sentence } = fault
    const faulty = clusterOf(`fault-${n}`, secretsWith(operator.secrets(), fault))
    const pod = await faulty.play(`fault-${n}`, chart.template(kind, name))
    // The last line, and not a stack.
    const lastLine = async () => (await pod.logs(container)).trim().split('\n').at(-1) ?? ''
    await until(async () => sentence.test(await lastLine()), 20_000).catch(() => {})
    expect(await lastLine()).toMatch(sentence)
    await pod.remove()
  },
  60_000,
)
