import type { Permission } from '@portal/contracts/permissions'
import { expect, test } from 'vitest'
import { followModules } from '../../src/modules/permissions.service.ts'
import { lettersTo } from '../access/accounts-outbox.ts'
import { runCommand } from '../commands.ts'
import { release } from '../modules/modules.ts'
import { startPortal, until } from '../portal.ts'
import { tablesWith } from '../registers/known-girl.ts'
import { addStudents, fileOf, imported, stopped, student as studentRow } from '../registers/registers.ts'
import { erasureStage } from './erasure-stage.ts'

const portal = await startPortal()
const { erased, studentOf, verified } = await erasureStage(portal)
const { owner, settings } = portal

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
  const entries = logs.data.map((entry: { auditable_id: number; event: string; new_values: unknown }) => [
    entry.auditable_id,
    entry.event,
    entry.new_values,
  ])
  expect(entries).toEqual([
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
