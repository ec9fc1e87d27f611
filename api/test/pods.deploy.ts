import { randomUUID } from 'node:crypto'
import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import { FormData } from 'undici'
import { beforeEach, expect, onTestFailed, test } from 'vitest'
import { codeAt, stepAt } from '../src/access/totp.ts'
import { cohortForm, headings, sheetFile } from './cohorts.ts'
import { Cluster, type Pod } from './pods/cluster.ts'
import { buildImage, startEngine } from './pods/engine.ts'
import { fetchHelm } from './pods/helm.ts'
import { startIngress } from './pods/ingress.ts'
import { makeOperator } from './pods/operator.ts'
import { startSurroundings } from './pods/surroundings.ts'
import { password, until } from './portal.ts'
import { fileOf, student } from './registers.ts'
import { addAccount, Crowd } from './shape/crowd.ts'
import type { Person } from './shape/person.ts'
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
/** A cluster with these secrets. Names are in a file here, so its servers of names are not there. */
function clusterOf(name: string, secrets = operator.secrets()) {
  const place = join(folder, name)
  mkdirSync(place)
  const others = {
    'cnpg.io/cluster=portal-database': at['portal-database-rw'],
    'k8s-app=kube-dns': '192.0.2.53',
  }
  return new Cluster({ engine, folder: place, policies: chart.policies, others, secrets })
}

let failed = ''
beforeEach(({ task }) => {
  if (failed) throw new Error(`Not tried, because this failed: ${failed}`)
  onTestFailed(() => {
    failed ||= task.name
  })
})

test('an operator builds the image, one with an authority of her own, and makes the secrets by the commands of the page', async () => {
  await buildImage(engine, folder, 'registry.example.org/portal:1')
  const context = join(folder, 'authority')
  mkdirSync(context)
  cpSync(certificate.certificate, join(context, 'authority.pem'))
  operator.follow('authority.pem', context)
  operator.follow('secret generic portal-$role')
  operator.follow('secret generic portal ')
  cpSync(join(import.meta.dirname, '../../deploy/helm/values.yaml'), valuesFile)
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
const people = new Map<'admin' | 'officer' | 'approver', Person>()
const person = (who: 'admin' | 'officer' | 'approver') => {
  const found = people.get(who)
  if (!found) throw new Error(`The ${who} did not sign in.`)
  return found
}

/** Signs in, and turns one-time codes on if asked for. */
async function signIn(who: 'admin' | 'officer' | 'approver', email: string, codes: boolean) {
  const signedIn = await crowd.person(email)
  people.set(who, signedIn)
  if (!codes) return
  const { secret } = (await signedIn.once('POST', '/totp')).body
  const code = codeAt(secret, stepAt(Date.now()) * 30_000)
  expect((await signedIn.once('POST', '/totp/confirm', { code })).status).toBe(200)
}

/** Sends a call, and says what was answered if it was refused. */
async function post200(who: 'admin' | 'officer' | 'approver', path: string, body: object | FormData) {
  const { status, text, body: answer } = await person(who).once('POST', path, body)
  expect([status, text]).toEqual([200, expect.any(String)])
  return answer
}

/** Uploads a file of a register and waits until its rows are stored. */
async function importFile(path: string, field: string, rows: Parameters<typeof fileOf>[0]) {
  const form = new FormData()
  form.append(field, fileOf(rows))
  const { id } = (await post200('admin', path, form)).import
  const ended = await until(async () => {
    const { state, errors } = (await person('admin').read(`/imports/${id}`)).body.import
    return ['imported', 'failed', 'review'].includes(state) && { state, errors }
  }, 60_000)
  expect(ended).toEqual({ state: 'imported', errors: [] })
}
const recipients = 12

test('the first administrator is made in a pod, signs in through the ingress, imports a school and its students, and invites a colleague', async () => {
  const email = 'awa@example.org'
  const made = ['node', 'api/src/commands/admin-create.ts', email, 'Awa', 'Diarra']
  await apis[0]?.exec(made, `${password}\n`)
  await signIn('admin', email, true)
  const school = {
    ...{ admin_code: 'KIT-1', name: 'École de Kita', type_of_school: 'public', academic_year: '2026-2027' },
    ...{ admin_district_as_cap: 'CAP KITA', education_authority_as_ae: 'AE KITA', classes: '7A' },
  }
  await importFile('/admin/schools/import', 'schools_file', [school])
  const girls = Array.from({ length: recipients }, (_, n) => student(n + 1))
  await importFile('/admin/schools/students/import', 'school_students_file', girls)
  // The database sorts by bytes and knows no letters with accents; people search without them all the same.
  const found = await person('admin').read('/admin/schools/list?search=ecole%20DE')
  expect(found.body.schools.data).toMatchObject([{ name: 'École de Kita' }])

  await post200('admin', '/admin/users', {
    ...{ first_name: 'Nana', last_name: 'Koné', gender: 'female', type: 'developer', user_title: 'mrs' },
    email: 'nana@example.org',
  })
  const letter = await until(
    async () => post.letters.find(({ to }) => to.includes('nana@example.org')),
    30_000,
  )
  expect(letter.text.replaceAll('=\r\n', '')).toContain('https://portal.example.org/password/reset/')
}, 120_000)

/** An administrator's agency and parameter. */
async function makeAgency() {
  await post200('admin', '/admin/transfers/agency', {
    ...{ name: 'Agency', description: 'Mobile money', type: 'mobile_money', country: 'ml', fees: 1.5 },
    ...{ endpoint: 'https://api.agency.example', details: '{"protocol": "sandbox"}' },
  })
  await post200('admin', '/admin/transfers/parameter', {
    ...{ name: 'Monthly', description: 'Per month', commission: 2, amount: 10_500 },
    ...{ currency: 'XOF', frequency: 1 },
  })
}

test('an officer’s list is paid by the worker, each girl once, and she reads it as a workbook', async () => {
  const owner = new pg.Client(around.superuserUrl)
  await owner.connect()
  await signIn('officer', await addAccount(owner, 'Transfer Officer'), false)
  await signIn('approver', await addAccount(owner, 'Transfer Approver'), true)
  await owner.end()
  await makeAgency()
  const rows = Array.from({ length: recipients }, (_, n) => [
    ...['Fatoumata', `Coulibaly ${n + 1}`, `+2237${String((n + 1) * 100 + 10).padStart(7, '0')}`],
    ...[`S-${n + 1}`, null],
  ])
  const form = new FormData()
  for (const [name, value] of Object.entries(cohortForm(sheetFile([headings, ...rows]))))
    form.append(name, typeof value === 'number' ? String(value) : value)
  const { id } = (await post200('officer', '/admin/transfers/cohorts/import', form)).cohort
  const progress = async () => (await person('approver').read(`/admin/transfers/cohorts/${id}/progress`)).body
  await until(async () => (await progress()).status === 'pending', 60_000)
  await post200('approver', `/admin/transfers/cohorts/${id}/approve`, { action: 'approved' })
  await until(async () => (await progress()).round?.success === recipients, 60_000)
  const ledger = await agency.ledger()
  expect(ledger.map(({ executed, amount }) => [executed, amount])).toEqual(
    Array(recipients).fill([1, 10_500]),
  )

  const asked = await person('officer').once('POST', '/admin/transfers/cohorts/export', { cohort_id: id })
  expect(asked.status).toBe(202)
  const workbook = await until(async () => {
    const { status, text } = await person('officer').once('GET', `/storage/exports/${asked.body.file_name}`)
    return status === 200 && text
  }, 30_000)
  expect(workbook).toMatch(/^PK/)
  expect(await worker.opened('opened')).toEqual(
    [database, store, `${at['api.agency.example']}:443`, `${at['mail.example.org']}:465`].sort(),
  )
  expect(await worker.opened('refused')).toEqual([])
}, 180_000)

test.each(['ledger', 'erasures'])(
  'the nightly job “%s” ends well',
  async (name) => {
    const job = await cluster.play(`portal-${name}`, chart.template('CronJob', `portal-${name}`))
    expect([await job.ended(), await job.logs()]).toEqual([0, expect.any(String)])
    expect(await job.opened('refused')).toEqual([])
    await job.remove()
  },
  60_000,
)

test('the job of a second release runs while the apis of before serve; then an api and the worker are replaced without a call that is cut', async () => {
  crowd.look(person('officer'), ['/admin/schools/list', '/home/statistics'], 20)
  crowd.look(person('admin'), ['/notifications', '/admin/users/audit/logs'], 20)
  await crowd.edit(person('approver'), 250)
  operator.type('docker tag registry.example.org/portal:1-own registry.example.org/portal:2-own')
  fillIn({ 'portal:1-own': 'portal:2-own' })
  const job = await cluster.play('portal-migrate-2', chart.template('Job', 'portal-migrate'))
  expect([await job.ended(), await job.logs(), await job.logs('release')]).toEqual([
    0,
    '',
    expect.stringContaining('Generation 1 of the modules is live'),
  ])
  await job.remove()

  // `maxSurge: 1`, `maxUnavailable: 0`: first the new one. The ingress calls one that leaves until its readiness falls; a service
  // does so for a shorter time.
  apis.push(await start('portal-api-3', 'portal-api'))
  const [before] = apis
  const left = await before?.end()
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

type Fault = {
  key: string
  /** Another value of the key; without one it is missing. */
  value?: string | ((before: string) => string)
  kind?: 'Job' | 'CronJob'
  pod: string
  container?: string
  sentence: RegExp
}
const missing = (setting: string, key: string) =>
  new RegExp(`^${setting}_FILE is /run/secrets/${key}, which cannot be read \\(ENOENT\\)`, 'm')
const wrongPassword = (before: string) => before.replace(/(?<=:)\w+(?=@)/, 'wrong')
const refused = (setting: string) =>
  new RegExp(
    `^The database at portal-database-rw:5432 refuses ${setting} \\(password authentication failed`,
    'm',
  )
const faults: Fault[] = [
  {
    key: 'release-key',
    kind: 'Job',
    pod: 'portal-migrate',
    container: 'release',
    sentence: missing('PORTAL_RELEASE_KEY', 'release-key'),
  },
  {
    key: 's3-secret',
    value: 'wrong',
    kind: 'Job',
    pod: 'portal-migrate',
    container: 'release',
    sentence: /^The store .*refuse/m,
  },
  {
    key: 'database-owner',
    kind: 'Job',
    pod: 'portal-migrate',
    sentence: missing('DATABASE_OWNER_URL', 'database-owner'),
  },
  {
    key: 'database-owner',
    value: wrongPassword,
    kind: 'Job',
    pod: 'portal-migrate',
    sentence: refused('DATABASE_OWNER_URL'),
  },
  {
    key: 'database',
    value: wrongPassword,
    kind: 'Job',
    pod: 'portal-migrate',
    sentence: refused('DATABASE_URL'),
  },
  { key: 'database', pod: 'portal-api', sentence: missing('DATABASE_URL', 'database') },
  { key: 'database', value: wrongPassword, pod: 'portal-api', sentence: refused('DATABASE_URL') },
  {
    key: 's3-secret',
    value: 'wrong',
    pod: 'portal-api',
    sentence: /^The store at https:\/\/s3\.example\.org refuses the bucket portal-files/m,
  },
  {
    key: 'secret',
    value: 'another secret of more than thirty-two characters',
    pod: 'portal-api',
    sentence: /^The database does not know the secret/m,
  },
  { key: 'smtp', pod: 'portal-worker', sentence: missing('SMTP_URL', 'smtp') },
  {
    key: 'database',
    value: wrongPassword,
    kind: 'CronJob',
    pod: 'portal-ledger',
    sentence: refused('DATABASE_URL'),
  },
  {
    key: 'database-owner',
    kind: 'CronJob',
    pod: 'portal-erasures',
    sentence: missing('DATABASE_URL', 'database-owner'),
  },
]

test.each(faults.map((fault, n) => ({ ...fault, n, what: fault.value === undefined ? 'no' : 'a wrong' })))(
  'an operator whose secret has $what $key reads so in the log of $pod',
  async ({ n, key, value, kind = 'Deployment', pod: name, container, sentence }) => {
    const { portal = {}, ...others } = operator.secrets()
    const { [key]: before = '', ...rest } = portal
    const text = typeof value === 'function' ? value(Buffer.from(before, 'base64').toString()) : value
    const secrets = {
      ...others,
      portal: text === undefined ? rest : { ...rest, [key]: Buffer.from(text).toString('base64') },
    }
    const pod = await clusterOf(`fault-${n}`, secrets).play(`fault-${n}`, chart.template(kind, name))
    const said = await until(async () => {
      const log = await pod.logs(container)
      return sentence.test(log) && log
    }, 20_000).catch(async () => pod.logs(container))
    expect(said).toMatch(sentence)
    // The last line is the sentence, and no stack.
    expect(said.trim().split('\n').at(-1)).toMatch(sentence)
    await pod.remove()
  },
  60_000,
)
