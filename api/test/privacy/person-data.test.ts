import type { Permission } from '@portal/contracts/permissions'
import { beforeAll, expect, test } from 'vitest'
import { linkAudits, verifyAudits } from '../../src/kit/audit/audit-chain.ts'
import { followModules } from '../../src/modules/permissions.service.ts'
import { verifyLedger } from '../../src/transfers/ledger/ledger-check.service.ts'
import { lettersTo } from '../access/accounts-outbox.ts'
import { caseStage, expert, pdf } from '../cases/case-stage.ts'
import type { Client } from '../client.ts'
import { runCommand } from '../commands.ts'
import { release } from '../modules/modules.ts'
import { type Account, startPortal, until } from '../portal.ts'
import { tablesWith } from '../registers/known-girl.ts'
import {
  addPlaces,
  addSchools,
  addStudents,
  fileOf,
  imported,
  stopped,
  student as studentRow,
} from '../registers/registers.ts'
import { archive, unzipped } from './archives.ts'

const portal = await startPortal()
const { owner, settings } = portal
type Signed = Client & { user: Account }
const girl = 'Aïssata Traoré 1'
let [student, number] = [0, '']

beforeAll(async () => {
  await portal.worker()
  await addPlaces(portal)
  await addSchools(portal)
  await addStudents(portal, 3)
  student = (await owner.query("select id from students where student_code = 'S-1'")).rows[0].id
  const { filer, reviewer, fileCase } = await caseStage(portal)
  const made = await fileCase(filer, { description: `${girl} was not paid.` })
  number = made.number
  await reviewer.upload('/admin/cases/file', {
    complain_id: made.id,
    description: 'Her letter',
    file: new File([new Uint8Array(pdf)], 'letter.pdf'),
  })
  await reviewer.upload('/admin/cases/refer', { complain_id: made.id, ...expert })
})

const later = (person: Signed) =>
  owner.query("update sessions set created_at = now() - interval '6 minutes' where user_id = $1", [
    person.user.id,
  ])

test('an administrator exports everything about a girl from her page, with the case that is about her, and says why', async () => {
  const admin: Signed = await portal.signedInAs('Administrator')
  const page = await admin.get(`/admin/people/student/${student}`)
  expect(page.body.person).toMatchObject({ kind: 'student', name: girl, naming: [number] })
  expect(page.body.person.parts).toContainEqual({
    what: 'Lists and payments',
    stays: expect.arrayContaining([
      'amounts, fees, days, references and outcomes: accounting law, and the ledger verifies them',
    ]),
  })
  const french = await admin.get(`/admin/people/student/${student}`, { 'accept-language': 'fr' })
  expect(french.body.person.parts).toContainEqual({ what: 'Compte', stays: [] })
  const path = `/admin/people/student/${student}/export`
  expect(await admin.post(path, { cases: [] })).toMatchObject({
    status: 422,
    body: { errors: { reason: ['Fill in this field.'] } },
  })
  expect(await admin.post(path, { reason: 'She asked', cases: ['X-1'] })).toMatchObject({
    status: 422,
    body: { errors: { cases: ['The portal knows no case X-1.'] } },
  })
  await later(admin)
  expect(await admin.post(path, { reason: 'She asked' })).toMatchObject({ body: { reauthenticate: true } })
  await owner.query('update sessions set created_at = now()')
  const asked = await admin.post(path, { reason: 'She asked', cases: [number] })
  expect(asked).toMatchObject({
    status: 202,
    body: { file_name: expect.stringMatching(/^person-student-\d+-.*\.zip$/) },
  })
  const file = await until(async () => {
    const answer = await admin.get(`/storage/exports/${asked.body.file_name}`)
    return answer.status === 200 && answer
  })
  expect(file.headers['content-type']).toBe('application/zip')
  const files = await unzipped(portal, file.bytes)
  expect(Object.keys(files).sort()).toEqual([
    expect.stringMatching(/^documents\/\d+-letter\.pdf$/),
    'person.json',
    'person.xlsx',
  ])
  expect(JSON.parse(String(files['person.json']))).toMatchObject({
    users: [{ last_name: 'Traoré 1' }],
    students: [{ student_code: 'S-1' }],
    cases: [{ number }],
  })
  const { rows } = await owner.query(
    `select a.user_id, a.auditable_type, a.auditable_id, v.new_values from audits a join audit_values v on v.audit_id = a.id
     where a.event = 'person exported'`,
  )
  expect(rows).toMatchObject([
    {
      user_id: admin.user.id,
      auditable_type: 'student',
      auditable_id: student,
      new_values: { reason: 'She asked', cases: [number], row_count: expect.any(Number) },
    },
  ])
  const { body: log } = await admin.get('/admin/users/audit/logs?event=person+exported')
  expect(log.logs.data[0].sentence.map(({ text }: { text: string }) => text).join('')).toContain(
    `exported all data of ${girl}`,
  )
})

test('an officer sees no data of one person, and whoever lost the right cannot fetch the archive any more', async () => {
  const officer = await portal.signedInAs('School Officer')
  expect((await officer.get(`/admin/people/student/${student}`)).status).toBe(403)
  expect((await officer.post(`/admin/people/student/${student}/export`, { reason: 'x' })).status).toBe(403)
  const person: Signed = await portal.signedIn('people.export')
  const asked = await person.post(`/admin/people/student/${student}/export`, { reason: 'She asked' })
  const address = `/storage/exports/${asked.body.file_name}`
  await until(async () => (await person.get(address)).status === 200)
  await owner.query('delete from user_roles where user_id = $1', [person.user.id])
  expect((await person.get(address)).status).toBe(403)
})

test('whoever exports a girl gets no case that they may not read, neither when they ask nor when they fetch it', async () => {
  const path = `/admin/people/student/${student}/export`
  const reason = 'She asked'
  const curious: Signed = await portal.signedIn('people.export')
  const refused = (known: string) => ({
    status: 422,
    body: { errors: { cases: [`The portal knows no case ${known}.`] } },
  })
  expect(await curious.post(path, { reason, cases: ['X-1'] })).toMatchObject(refused('X-1'))
  expect(await curious.post(path, { reason, cases: [number] })).toMatchObject(refused(number))
  expect((await curious.post(path, { reason })).status).toBe(202)

  // Its filer and its reviewer read a case without the permission.
  const { rows } = await owner.query('select user_id, assigned_id from cases where number = $1', [number])
  const setCase = (name: 'user_id' | 'assigned_id', id: number) =>
    owner.query(`update cases set ${name} = $1 where number = $2`, [id, number])
  for (const name of ['user_id', 'assigned_id'] as const) {
    await setCase(name, curious.user.id)
    const asked = await curious.post(path, { reason, cases: [number] })
    expect(asked.status).toBe(202)
    const address = `/storage/exports/${asked.body.file_name}`
    await until(async () => (await curious.get(address)).status === 200)
    await setCase(name, rows[0][name])
    expect(await curious.get(address)).toMatchObject({
      status: 403,
      body: { message: 'You no longer have the right to this file.' },
    })
  }

  const trusted: Signed = await portal.signedIn('people.export', 'cases.view')
  const asked = await trusted.post(path, { reason, cases: [number] })
  const address = `/storage/exports/${asked.body.file_name}`
  await until(async () => (await trusted.get(address)).status === 200)
  await owner.query(
    `delete from role_permissions rp using user_roles ur, permissions p
     where ur.user_id = $1 and rp.role_id = ur.role_id and p.id = rp.permission_id and p.name = 'cases.view'`,
    [trusted.user.id],
  )
  expect((await trusted.get(address)).status).toBe(403)
})

test('an administrator finds each kind of person by the number of the record, and nobody under another kind', async () => {
  const admin = await portal.signedInAs('Administrator')
  const { rows } = await owner.query('select id from referrals')
  expect((await admin.get(`/admin/people/expert/${rows[0].id}`)).body.person).toMatchObject({
    name: `${expert.first_name} ${expert.last_name}`,
  })
  expect((await admin.get(`/admin/people/user/${admin.user.id}`)).body.person.name).toMatch(/^Awa Diarra/)
  const { rows: users } = await owner.query('select user_id from students where id = $1', [student])
  for (const path of [
    `user/${users[0].user_id}`,
    'guardian/999',
    'teacher/999',
    'expert/999',
    `nobody/${student}`,
  ])
    expect([path, (await admin.get(`/admin/people/${path}`)).status]).toEqual([path, 404])
})

const erasures = async (person: Client) => (await person.get('/admin/erasures')).body.erasures.data
const pageOf = async (person: Client, kind: string, id: number) =>
  (await person.get(`/admin/people/${kind}/${id}`)).body
const why = { reason: 'Her mother asked in writing' }
const studentOf = async (code: string): Promise<number> =>
  (await owner.query('select id from students where student_code = $1', [code])).rows[0].id

async function verified() {
  // Entries behind a transaction that is still open are linked later.
  const audits = await until(async () => {
    await linkAudits(portal.db, settings.secret, null)
    const found = await verifyAudits(portal.db, settings.secret)
    return found.unlinked === 0 && found
  })
  expect(audits).toMatchObject({ fault: null })
  expect(await verifyLedger(portal.db)).toMatchObject({ faults: [] })
}

test('one administrator asks that a girl be erased, only another one can approve it, and nothing finds her any more', async () => {
  const asks: Signed = await portal.signedInAs('Administrator')
  const decides: Signed = await portal.signedInAs('Administrator')
  const id = await studentOf('S-2')
  const path = `/admin/people/student/${id}/erasures`
  await later(asks)
  expect(await asks.post(path, why)).toMatchObject({ status: 403, body: { reauthenticate: true } })
  await owner.query('update sessions set created_at = now()')
  expect(await asks.post(path, why)).toMatchObject({ status: 200 })
  expect(await decides.post(path, why)).toMatchObject({
    status: 409,
    body: { message: 'The erasure of this person is already asked for.' },
  })
  const [request] = await erasures(decides)
  expect(request).toMatchObject({
    name: 'Aïssata Traoré 2',
    state: 'asked',
    ...why,
    asked_by: { id: asks.user.id },
    version: 1,
  })
  expect((await pageOf(decides, 'student', id)).erasure).toEqual(request)
  const told = async (person: Signed) => {
    const { notifications } = (await person.get('/notifications')).body
    return notifications.data.filter(
      ({ link }: { link: string }) => link === `/admin/users/people/student/${id}`,
    ).length
  }
  expect([await told(asks), await told(decides)]).toEqual([0, 1])
  const decision = `/admin/erasures/${request.id}/decision`
  const approval = { action: 'approved', reason: 'Letter seen', version: 1 }
  expect(await asks.post(decision, approval)).toMatchObject({
    status: 403,
    body: { message: 'You asked for this erasure, so somebody else must decide.' },
  })
  expect((await decides.post(`/admin/erasures/${request.id}/withdraw`, { version: 1 })).status).toBe(403)
  expect((await decides.post(decision, { ...approval, version: 2 })).status).toBe(409)
  await later(decides)
  expect(await decides.post(decision, approval)).toMatchObject({ body: { reauthenticate: true } })
  await owner.query('update sessions set created_at = now()')
  expect(await decides.post(decision, approval)).toMatchObject({ status: 200 })
  expect(await told(decides)).toBe(0)
  await until(async () => (await pageOf(decides, 'student', id)).erasure.state === 'erased')
  expect(await pageOf(decides, 'student', id)).toMatchObject({
    person: null,
    erasure: { name: null, reason: '—', decision: '—', decided_by: { id: decides.user.id } },
  })
  expect(await tablesWith(portal, 'Traoré 2')).toEqual([])
  expect(await tablesWith(portal, why.reason)).toEqual([])
  await verified()
  const { rows } = await owner.query(
    `select event, user_id from audits where auditable_type = 'student' and auditable_id = $1 and event ~ 'eras' order by id`,
    [id],
  )
  expect(rows).toEqual([
    { event: 'erasure asked', user_id: asks.user.id },
    { event: 'erasure approved', user_id: decides.user.id },
    { event: 'person erased', user_id: null },
  ])
})

test('the database takes no decision of the person who asked, and no erasure by the application', async () => {
  const asks: Signed = await portal.signedInAs('Administrator')
  await asks.post(`/admin/people/student/${await studentOf('S-3')}/erasures`, why)
  const [{ id }] = await erasures(asks)
  const set = (values: string) =>
    portal.db.pool.query(`update erasure_requests set ${values} where id = ${id}`)
  const decided = `decided_at = now(), decision = 'x', decided_by`
  await expect(set(`state = 'approved', ${decided} = user_id`)).rejects.toThrow(/erasure_requests_four_eyes/)
  await expect(set("state = 'approved'")).rejects.toThrow(/erasure_requests_/)
  await expect(set("state = 'erased', erased_at = now()")).rejects.toThrow(/permission denied/)
  await expect(set("reason = 'Other'")).rejects.toThrow(/stays as it was asked/)
  await expect(portal.db.pool.query('delete from erasure_requests')).rejects.toThrow(/stays as it was asked/)
  const refuses = await portal.signedIn('people.erase')
  const refused = { action: 'refused', reason: 'Nobody signed the letter', version: 1 }
  expect((await refuses.post(`/admin/erasures/${id}/decision`, refused)).status).toBe(200)
  expect((await refuses.post(`/admin/erasures/${id}/decision`, { ...refused, version: 2 })).status).toBe(409)
  expect((await erasures(refuses))[0]).toMatchObject({ state: 'refused', decision: refused.reason })
})

test('an administrator reads what has to end before an erasure, says whose cases they are, and takes a request back', async () => {
  const admin: Signed = await portal.signedInAs('Administrator')
  const active = await pageOf(admin, 'user', admin.user.id)
  const account = 'The account is active: deactivate it first, so that others take over its work.'
  expect(active.person.bars).toEqual([account])
  expect(await admin.post(`/admin/people/user/${admin.user.id}/erasures`, why)).toMatchObject({
    status: 409,
    body: { message: account },
  })
  const path = `/admin/people/student/${student}/erasures`
  expect(await admin.post(path, { ...why, cases: [number] })).toMatchObject({
    status: 409,
    body: { message: `The case ${number} is open: resolve or reject it first.` },
  })
  expect(await admin.post(path, why)).toMatchObject({
    status: 422,
    body: {
      errors: {
        cases: [`Say of each case that has this name whether it is about this person: ${number}.`],
      },
    },
  })
  expect((await admin.post(path, { ...why, other_cases: [number] })).status).toBe(200)
  const [{ id, version }] = await erasures(admin)
  expect((await admin.post(`/admin/erasures/${id}/withdraw`, { version: 7 })).status).toBe(409)
  expect((await admin.post(`/admin/erasures/${id}/withdraw`, { version })).status).toBe(200)
  expect((await pageOf(admin, 'student', student)).erasure).toMatchObject({ state: 'withdrawn' })
})

test('an approved erasure is stopped with the reason, if a case with this name was filed in the meantime', async () => {
  const asks: Signed = await portal.signedInAs('Administrator')
  const decides: Signed = await portal.signedInAs('Administrator')
  const id = await studentOf('S-3')
  expect((await asks.post(`/admin/people/student/${id}/erasures`, why)).status).toBe(200)
  const [request] = await erasures(asks)
  await owner.query("update cases set title = 'Aïssata Traoré 3' where number = $1", [number])
  // The call would have refused: this is the case that came after its check.
  await owner.query(
    "update erasure_requests set state = 'approved', decided_by = $1, decided_at = now(), decision = 'Seen' where id = $2",
    [decides.user.id, request.id],
  )
  const { erasure } = await until(async () => {
    const body = await pageOf(asks, 'student', id)
    return body.erasure.state === 'stopped' && body
  })
  expect(erasure.bars).toEqual([
    `The case ${number} names this person, or somebody of the same name: ask again, and say whose case it is.`,
  ])
})

test('whoever approves an erasure reads that it has to be asked for again, if a case with this name was filed since', async () => {
  await addStudents(portal, 11, 'D')
  const [asks, decides] = [await portal.signedInAs('Administrator'), await portal.signedIn('people.erase')]
  expect((await asks.post(`/admin/people/student/${await studentOf('D-11')}/erasures`, why)).status).toBe(200)
  const [{ id, version }] = await erasures(asks)
  const { filer, fileCase } = await caseStage(portal)
  const { number: since } = await fileCase(filer, { description: 'Aïssata Traoré 11 was not paid.' })
  const decision = `/admin/erasures/${id}/decision`
  expect(await decides.post(decision, { action: 'approved', reason: 'Seen', version })).toMatchObject({
    status: 409,
    body: {
      message: `The case ${since} names this person, or somebody of the same name: ask again, and say whose case it is.`,
    },
  })
  expect((await decides.post(decision, { action: 'refused', reason: 'Ask again', version })).status).toBe(200)
})

/** One administrator asks for the erasure, another one approves it, and the worker carries it out. */
async function erased(kind: string, id: number) {
  const asks: Signed = await portal.signedInAs('Administrator')
  const decides: Signed = await portal.signedInAs('Administrator')
  expect((await asks.post(`/admin/people/${kind}/${id}/erasures`, why)).status).toBe(200)
  const [request] = await erasures(decides)
  const approval = { action: 'approved', reason: 'Letter seen', version: 1 }
  expect((await decides.post(`/admin/erasures/${request.id}/decision`, approval)).status).toBe(200)
  await until(async () => (await pageOf(decides, kind, id)).erasure.state === 'erased')
}

test('the letter to an erased account leaves the outbox, and one to an address that contains hers waits on', async () => {
  const admin = await portal.signedInAs('Administrator')
  const invited = async (email: string) => {
    const colleague = { first_name: 'Oumou', last_name: 'Sangaré', gender: 'female', type: 'partner' }
    const { body } = await admin.post('/admin/users', { ...colleague, email, user_title: 'mrs' })
    await until(async () => lettersTo(portal, email).length === 1)
    return body.user
  }
  const other = 'mariana@ong.example'
  await invited(other)
  const { id, version } = await invited('ana@ong.example')
  await admin.put(`/users/profile/update/${id}`, { deactivate: true, version })
  await erased('user', id)
  await until(async () => lettersTo(portal, 'ana@ong.example').length === 0)
  expect(lettersTo(portal, other)).toHaveLength(1)
  const { out } = await runCommand(settings, 'outbox')
  const [name = ''] =
    out
      .split('\n')
      .find((line) => line.includes(other))
      ?.split(' ') ?? []
  expect((await runCommand(settings, 'outbox', ['read', name])).out).toContain(`To: ${other}`)
})

test('the archive of one girl has what was corrected in her row of a file, and nothing of the other rows', async () => {
  const admin = await portal.signedInAs('Administrator')
  const file = fileOf([71, 72].map((n) => studentRow(n, { class: '9Z' })))
  const review = await imported(admin, 'students', file, true)
  const [own, others] = ['N-2026-0071', 'N-2026-0072']
  const corrections = [own, others].flatMap((value, n) => [
    { row: n + 2, column: 'class', value: '7A' },
    { row: n + 2, column: 'admission_number', value },
  ])
  expect((await admin.post(`/imports/${review.id}/check`, { corrections })).status).toBe(200)
  await admin.post(`/imports/${review.id}/confirm`, {})
  expect(await stopped(admin, review.id)).toMatchObject({ state: 'imported', rows_new: 2 })
  const { text, json } = await archive(portal, admin, `student/${await studentOf('S-71')}`)
  expect(json.audits.filter(({ event }: { event: string }) => event === 'corrected')).toMatchObject([
    {
      old_values: { 'row 2': { class: '9Z', admission_number: null } },
      new_values: { 'row 2': { class: '7A', admission_number: own } },
    },
  ])
  expect(text).not.toContain(others)
})

test('when one girl is erased, the log keeps what was corrected in the rows of the others of her file', async () => {
  const admin = await portal.signedInAs('Administrator')
  const file = fileOf([81, 82].map((n) => studentRow(n, { class: '9Z' })))
  const review = await imported(admin, 'students', file, true)
  const check = (...rows: number[]) =>
    admin.post(`/imports/${review.id}/check`, {
      corrections: rows.map((row) => ({ row, column: 'class', value: row === 3 ? '7A' : '8A' })),
    })
  await check(2, 3)
  await admin.post(`/imports/${review.id}/check`, {
    corrections: [{ row: 3, column: 'admission_number', value: 'N-2026-0082' }],
  })
  await admin.post(`/imports/${review.id}/confirm`, {})
  expect(await stopped(admin, review.id)).toMatchObject({ state: 'imported', rows_new: 2 })
  const kept = async () =>
    (
      await owner.query(
        `select a.event, a.user_id, v.old_values, v.new_values from audits a join audit_values v on v.audit_id = a.id
         where a.auditable_type = 'import' and a.auditable_id = $1 and a.event like 'correct%' and v.erased_at is null order by a.id`,
        [review.id],
      )
    ).rows
  await erased('student', await studentOf('S-81'))
  const own = {
    event: 'corrected',
    user_id: admin.user.id,
    old_values: { 'row 3': { admission_number: null } },
  }
  const moved = {
    event: 'corrections kept',
    user_id: null,
    old_values: { 'row 3': { class: '9Z' } },
    new_values: { 'row 3': { class: '7A' }, entry: expect.any(Number) },
  }
  expect(await kept()).toMatchObject([own, moved])
  expect(JSON.stringify(await kept())).not.toContain('8A')
  await erased('student', await studentOf('S-82'))
  expect(await kept()).toEqual([])
  await verified()
})

test('what records of modules said about an erased girl leaves the log, also of a record that was deleted before', async () => {
  const visit = 'visits.record' as Permission
  const label = (text: string) => ({ en: text, fr: text })
  const fields = [
    { name: 'girl', label: label('Girl'), type: 'reference', to: 'student', filter: true },
    { name: 'note', label: label('Note'), type: 'text' },
  ]
  const collections = [{ name: 'visits', read: visit, write: visit, fields }]
  const permissions = [{ name: visit, label: label('Record visits') }]
  await release(portal.context.registry, { name: 'mfe-visits', version: '1.0.0', permissions, collections })
  await followModules(portal.context)()
  await addStudents(portal, 5, 'V')
  const [girl, other] = [await studentOf('V-4'), await studentOf('V-5')]
  const nurse = await portal.signedIn(visit, 'students.view')
  const visits = '/modules/mfe-visits/records/visits'
  const saved = async (id: number, note: string) =>
    (await nurse.post(visits, { data: { girl: id, note } })).body.record
  const change = ({ id, version }: { id: number; version: number }, of: number, note: string) =>
    nurse.put(`${visits}/${id}`, { data: { girl: of, note }, version })
  const kept = await saved(girl, 'She coughs')
  expect((await change(kept, girl, 'She is well')).status).toBe(200)
  const gone = await saved(girl, 'She sleeps badly')
  expect((await change(gone, girl, 'She sleeps well')).status).toBe(200)
  expect((await nurse.delete(`${visits}/${gone.id}`)).status).toBe(200)
  const theirs = await saved(other, 'She has a fever')

  await erased('student', girl)
  const auditor = await portal.signedIn('audit-logs.view', visit)
  const { logs } = (await auditor.get('/admin/users/audit/logs?auditable_type=module+record')).body
  const said = logs.data.map((entry: { auditable_id: number; event: string; new_values: unknown }) => [
    entry.auditable_id,
    entry.event,
    entry.new_values,
  ])
  expect(said).toEqual([
    [theirs.id, 'created', expect.objectContaining({ girl: other, note: 'She has a fever' })],
    [gone.id, 'deleted', null],
    [gone.id, 'updated', null],
    [gone.id, 'created', null],
    [kept.id, 'updated', null],
    [kept.id, 'created', null],
  ])
  for (const text of ['She coughs', 'She is well', 'She sleeps'])
    expect([text, await tablesWith(portal, text)]).toEqual([text, []])
  await verified()
})

test('a colleague’s saved view that looks for an erased girl by name goes with her, and one of another girl stays', async () => {
  const colleague = await portal.signedIn('students.view')
  const list = '/admin/schools/students'
  const view = (name: string, search: string) =>
    colleague.post('/views', { list, name, query: `${new URLSearchParams({ search, sort: '-last_name' })}` })
  await addStudents(portal, 7, 'W')
  await view('Mine to look after', 'traore 6 AISSATA')
  await view('Aïssata Traoré 6, again', '')
  const { id } = (await view('Of next week', 'Aïssata Traoré 7')).body.view
  await colleague.put('/start-page', { start: `view:${id}` })
  await erased('student', await studentOf('W-6'))
  const { views } = (await colleague.get(`/views?list=${list}`)).body
  expect(views.map((each: { id: number }) => each.id)).toEqual([id])
  const { rows } = await owner.query(
    `select count(*) as n from audit_values where concat(old_values, new_values) ~ 'search=(?!true["&])[^"&]'`,
  )
  expect(rows[0].n).toBe(0)
})

test('whoever asks for an erasure without the right to cases learns of no other case than those that name the girl', async () => {
  await addStudents(portal, 9, 'E')
  const { filer, fileCase } = await caseStage(portal)
  const { number: other } = await fileCase(filer, { description: 'Nobody was named.' })
  const path = `/admin/people/student/${await studentOf('E-9')}/erasures`
  const curious: Signed = await portal.signedIn('people.erase')
  const refused = (known: string) => ({
    status: 422,
    body: { errors: { cases: [`The portal knows no case ${known}.`] } },
  })
  const ask = (cases: string[]) => curious.post(path, { reason: 'She asked', cases })
  expect(await ask(['X-1'])).toMatchObject(refused('X-1'))
  expect(await ask([other])).toMatchObject(refused(other))
  await fileCase(filer, { description: 'Aïssata Traoré 9 was not paid.' })
  const { naming } = (await curious.get(path.replace('/erasures', ''))).body.person
  expect(naming).toHaveLength(1)
  expect(await ask(naming)).toMatchObject({
    status: 409,
    body: { message: `The case ${naming[0]} is open: resolve or reject it first.` },
  })
})
