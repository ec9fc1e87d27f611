import { appendFileSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { FormData } from 'undici'
import { afterAll, beforeEach, expect, onTestFailed, test } from 'vitest'
import { codeAt, stepAt } from '../../src/access/totp.ts'
import { startPost } from '../letters/post.ts'
import { password, until } from '../portal.ts'
import { fileOf, student } from '../registers/registers.ts'
import { Person } from './shape/person.ts'
import { startAuthority } from './trial/authority.ts'
import { filledIn, guideOf } from './trial/guide.ts'
import { bootMachine } from './trial/machine.ts'
import { packRelease } from './trial/release.ts'
import type { Reply } from './trial/terminal.ts'

// An operator who has nothing but docs/operating/systemd.md, on an empty Debian: the commands are those of the page, in its order. The
// values below are what the page tells her to fill in; whatever else it does not say does not happen.
const guide = guideOf('systemd.md')
const host = 'portal.trial.test'
const modulesHost = 'modules.trial.test'
const machine = await bootMachine()
afterAll(() => machine.end(), 300_000)
const post = await startPost(machine.ours)
afterAll(() => post.close())
const authority = await startAuthority({ host: 'acme.trial.test', ...machine })
afterAll(() => authority.close())
// On the internet the machine would know both: where the authority is, and whose its certificate is.
appendFileSync(join(machine.root, 'etc/hosts'), `${machine.ours} acme.trial.test\n`)
const trusted = join(machine.root, 'usr/local/share/ca-certificates')
mkdirSync(trusted, { recursive: true })
writeFileSync(join(trusted, 'acme.crt'), authority.certificate)

// Both now, because the checkout may change while this runs.
packRelease(join(machine.root, 'root/portal-1.tar.gz'))
packRelease(join(machine.root, 'root/portal-2.tar.gz'), { next: true })

const values = {
  'certbot certonly': `certbot certonly --server ${authority.url}`,
  'portal.example.org': host,
  'portal-modules.example.net': modulesHost,
  'smtps://user:password@mail.example.org': post.url,
}
/** What the operator changes in the files that she opens. */
const edits = {
  'portal.example.org': host,
  'portal-modules.example.net': modulesHost,
  'api.agency.example': 'agency.trial.test',
  'Portal <portal@example.org>': `Portal <portal@${host}>`,
}
const editor = [
  '#!/bin/sh',
  ...Object.entries(edits).map(
    ([ofFile, own]) => `sed -i 's#${ofFile.replaceAll('.', '[.]')}#${own}#g' "$1"`,
  ),
]
writeFileSync(join(machine.root, 'usr/local/bin/editor'), `${editor.join('\n')}\n`, { mode: 0o755 })

/** The headings whose commands she has typed, in the order in which she did. */
const followed: string[] = []
/** Types what the page has below a heading. `more` are values of this moment. If a command fails, she looks where the page says. */
async function follow(heading: string, more: Record<string, string> = {}, reply?: Reply) {
  const said: string[] = []
  followed.push(heading)
  for (const block of guide.blocksBelow(heading))
    said.push(
      await machine
        .run(filledIn(block, { ...more, ...values }), { ms: 600_000, reply })
        .catch(async (error) => {
          const journal = await machine.run("journalctl -u 'portal-*' -n 50 --no-pager")
          throw new Error(`${error}\n${journal}`)
        }),
    )
  return said.join('\n')
}

const visitor = () => new Person(`https://${host}`, authority.root, new Map(), machine.address)
const admin = visitor()
const email = 'awa@example.org'
let secret = ''
let usedStep = 0
/** Her next one-time code. Each works once, and the server takes the one of the next half minute too. */
async function nextCode(): Promise<string> {
  await until(async () => stepAt(Date.now()) + 1 > usedStep, 90_000)
  usedStep = Math.max(usedStep, stepAt(Date.now()) - 1) + 1
  return codeAt(secret, usedStep * 30_000)
}
/** Signs in anew, as soon as the portal answers. */
async function signInAgain() {
  const person = visitor()
  await person.read('/session')
  const { status, text } = await person.once('POST', '/login', { email, password, code: await nextCode() })
  expect([status, text]).toEqual([200, expect.stringContaining('schools.import')])
  return person
}
/** The release whose folder the api runs in. */
async function running(): Promise<string> {
  const said = await machine.run('readlink /proc/$(systemctl show --property MainPID --value portal-api)/cwd')
  return said.trim()
}
const countStudents = async (person: Person) =>
  (await person.read('/admin/schools/students/list')).body.students.total

/** Uploads a file of a register and waits until its rows are stored. */
async function importFile(path: string, field: string, rows: Parameters<typeof fileOf>[0]) {
  const form = new FormData()
  form.append(field, fileOf(rows))
  const sent = await admin.once('POST', path, form)
  expect([sent.status, sent.text]).toEqual([200, expect.any(String)])
  return until(async () => {
    const { state, rows_read, errors } = (await admin.read(`/imports/${sent.body.import.id}`)).body.import
    return ['imported', 'failed', 'review'].includes(state) && { state, rows_read, errors }
  }, 60_000)
}

let failed = ''
beforeEach(({ task }) => {
  if (failed) throw new Error(`Not tried, because this failed: ${failed}`)
  onTestFailed(() => {
    failed ||= task.name
  })
})

test('the page names every value that the operator has to fill in', () => {
  expect(guide.unknownValues(values)).toEqual([])
})

test('an operator installs the portal on an empty Debian with the commands of the page', async () => {
  await follow('First installation', {}, [/Password .*: $/, password])
  await until(async () => {
    const said = await machine.run(
      'curl -s http://127.0.0.1:9101/readyz; curl -s http://127.0.0.1:9102/readyz',
    )
    return (said.match(/"status":"ready"/g) ?? []).length === 2
  }, 60_000)
  expect(await machine.run('systemctl --failed --plain --no-legend')).toBe('')
  expect((await visitor().page('/readyz')).status).toBe(404)
}, 1_200_000)

test('the certificate, which an authority signed for both names, is renewed through nginx, which then shows the new one', async () => {
  const shown = () =>
    machine.run(
      `for name in ${host} ${modulesHost}; do openssl s_client -connect 127.0.0.1:443 -servername $name < /dev/null 2> /dev/null | openssl x509 -noout -serial -ext subjectAltName; done`,
    )
  const before = await shown()
  for (const name of [host, modulesHost]) expect(before.split(`DNS:${name}`)).toHaveLength(3)
  expect(await machine.run('systemctl is-enabled certbot.timer')).toBe('enabled\n')
  await machine.run('certbot renew --force-renewal', { ms: 120_000 })
  const after = await until(async () => {
    const now = await shown()
    return now !== before && now
  })
  expect(after).toContain(`DNS:${modulesHost}`)
}, 180_000)

test('the first administrator signs in over https, imports students, and her colleague gets the invitation', async () => {
  await admin.signIn(email, password)
  secret = (await admin.once('POST', '/totp')).body.secret
  const on = await admin.once('POST', '/totp/confirm', { code: await nextCode() })
  expect(on.status).toBe(200)
  const school = {
    ...{ admin_code: 'KIT-1', name: 'École de Kita', type_of_school: 'public', academic_year: '2026-2027' },
    ...{ admin_district_as_cap: 'CAP KITA', education_authority_as_ae: 'AE KITA', classes: '7A' },
  }
  expect(await importFile('/admin/schools/import', 'schools_file', [school])).toMatchObject({
    state: 'imported',
    errors: [],
  })
  const girls = Array.from({ length: 200 }, (_, n) => student(n + 1))
  expect(await importFile('/admin/schools/students/import', 'school_students_file', girls)).toMatchObject({
    state: 'imported',
    rows_read: 200,
  })
  expect(await countStudents(admin)).toBe(200)

  const colleague = {
    first_name: 'Nana',
    last_name: 'Koné',
    gender: 'female',
    type: 'developer',
    user_title: 'mrs',
  }
  const invited = await admin.once('POST', '/admin/users', { ...colleague, email: 'nana@example.org' })
  expect(invited.status).toBe(200)
  const letter = await until(
    async () => post.letters.find(({ to }) => to.includes('nana@example.org')),
    30_000,
  )
  expect(letter.text).toContain(`From: Portal <portal@${host}>`)
  expect(letter.text.replaceAll('=\r\n', '')).toContain(`https://${host}/password/reset/`)
}, 300_000)

test('she backs up, and the drill of the page restores it beside the portal and verifies it', async () => {
  await machine.run('systemctl start portal-backup', { ms: 120_000 })
  const said = await follow('Drill')
  for (const what of ['audit log: holds', 'ledger: holds', 'files: holds']) expect(said).toContain(what)
  expect(await machine.run('/opt/portal/current/deploy/systemd/command.sh verify')).toContain('files: holds')
}, 300_000)

test('she upgrades to the next release, and goes back, without losing anything', async () => {
  await follow('Upgrade')
  expect(await countStudents(await signInAgain())).toBe(200)
  expect(await running()).toBe('/opt/portal/releases/2')
  const tables = `su postgres -c "psql --pset=pager=off --tuples-only --no-align --command='select count(*) from trial_of_upgrade' portal"`
  expect(await machine.run(tables)).toBe('0\n')

  await follow('Rollback')
  expect(await countStudents(await signInAgain())).toBe(200)
  expect(await running()).toBe('/opt/portal/releases/1')
  // As at a reboot: every unit starts from nothing.
  await machine.run('systemctl stop portal-release portal-prepare portal-api portal-worker')
  await machine.run('systemctl start portal-api portal-worker', { ms: 120_000 })
  expect(await countStudents(await signInAgain())).toBe(200)
}, 900_000)

test('she restores the backup of before, and finds the students again', async () => {
  const [latest = ''] = readdirSync(join(machine.root, 'var/lib/portal-backups')).sort()
  await follow('Restore', { '20260101T020000Z': latest })
  expect(await countStudents(await signInAgain())).toBe(200)
  expect(
    await machine.run('systemctl is-active portal-backup.timer portal-ledger.timer portal-erasures.timer'),
  ).toBe('active\nactive\nactive\n')
}, 300_000)

test('she changes the secret, whose files only root can read, and goes on', async () => {
  const heading = 'Change of the secret'
  followed.push(heading)
  const [begin = '', check = '', end = ''] = guide.blocksBelow(heading)
  expect(await machine.run(begin, { ms: 120_000 })).toContain('has nothing sealed any more')
  const modes = await machine.run(
    'stat --format "%a %U" /etc/portal/secrets/secret /etc/portal/secrets/secret-former',
  )
  expect(modes).toBe('600 root\n600 root\n')
  // The worker signs its files anew within a minute.
  await until(() => machine.run(check).catch(() => false), 120_000)
  await machine.run(end, { ms: 60_000 })
  expect(await countStudents(await signInAgain())).toBe(200)
  // She read the page from top to bottom.
  expect(followed).toEqual(guide.headings.filter((heading) => followed.includes(heading)))
}, 300_000)
