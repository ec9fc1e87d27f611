import { expect, test } from 'vitest'
import type { Client } from '../../client.ts'
import { sheetFile } from '../../cohorts.ts'
import { linesWith } from '../../letters/notices.ts'
import { countsOf, csvOf, lineOf, type Payment, path, startStatements, titles } from './statement-stage.ts'

const { portal, payments, officer, first, last, upload, read, compared, findings, statementOf, reset } =
  await startStatements()

const colleague = await portal.signedInAs('Transfer Officer')
const approver = await portal.signedInAs('Transfer Approver')
const auditor = await portal.signedInAs('Auditor')

test('a second person signs a statement whose differences are resolved, and nothing of it changes any more', async () => {
  await reset()
  const paid = payments.slice(0, 6) as [Payment, Payment, Payment, Payment, Payment, Payment]

  // Of a period without payments, so that none is missing.
  const quiet = { from: '2020-01-01', to: '2020-01-31' }
  const statement = await statementOf(
    [
      ...paid.slice(0, 4).map(lineOf),
      lineOf(paid[4]).with(3, 10_000),
      ['X-1', 'XT-1', '', 500, 5, paid[0].day],
    ],
    quiet,
  )
  const at = `${path}/${statement.id}`
  const sign = (who: Client, version: number) => who.post(`${at}/sign`, { version })
  expect((await read(statement.id, approver)).barred).toMatch(/Differences that are not resolved: \d+\./)
  expect(await sign(approver, statement.version)).toMatchObject({ status: 409 })
  const wrong = (await findings(statement.id, 'category=amount')).data[0].id
  const resolve = (body: object, who: Client = colleague) => who.post(`${at}/resolve`, body)
  expect(await resolve({ finding_ids: [wrong], reason: '  ' })).toMatchObject({ status: 422 })
  expect(await resolve({ reason: 'x' })).toMatchObject({ status: 422 })
  expect(await resolve({ finding_ids: [wrong, 999_999], reason: 'x' })).toMatchObject({ status: 409 })
  expect(await resolve({ finding_ids: [wrong], reason: 'The agency corrects it in May' })).toMatchObject({
    status: 200,
    body: { message: 'Resolved differences: 1', resolved: 1 },
  })
  expect((await findings(statement.id, 'category=amount&resolved=true')).data).toMatchObject([
    { id: wrong, reason: 'The agency corrects it in May', resolved_by: { first_name: expect.any(String) } },
  ])
  const all = { category: 'theirs', reason: 'Not of this programme' }
  expect(await resolve(all)).toMatchObject({ status: 200, body: { resolved: 1 } })
  expect(await resolve(all)).toMatchObject({ status: 409 })
  const { version } = await read(statement.id)
  const admin = await portal.signedInAs('Administrator')
  await resolve({ finding_ids: [wrong], reason: 'The agency corrected it' }, admin)
  // Only whoever may sign it finds it on the dashboard of transfers: the administrator has resolved a difference.
  const toSign = async (who: Client) => (await who.get('/admin/transfers/dashboard')).body.waits.statements
  expect(await Promise.all([approver, admin, officer].map(toSign))).toEqual([1, 0, 0])
  expect(await sign(approver, version)).toMatchObject({
    status: 409,
    body: { message: expect.stringContaining('since you opened') },
  })
  expect(await sign(admin, version + 1)).toMatchObject({
    status: 403,
    body: { message: expect.stringContaining('somebody else') },
  })
  await expect(
    portal.db.pool.query(
      "update agency_statements set state = 'closed', ended_by = $1, ended_at = now() where id = $2",
      [admin.user.id, statement.id],
    ),
  ).rejects.toThrow('worked on it')
  expect(await sign(officer, version + 1)).toMatchObject({ status: 403 })
  expect(await sign(approver, version + 1)).toMatchObject({
    status: 200,
    body: { message: 'The statement is signed and closed.' },
  })
  expect(await read(statement.id)).toMatchObject({
    state: 'closed',
    ended_by: { first_name: expect.any(String) },
  })
  expect(await resolve({ finding_ids: [wrong], reason: 'Once more' })).toMatchObject({ status: 409 })
  expect(await officer.post(`${at}/withdraw`, { reason: 'No' })).toMatchObject({ status: 409 })
  for (const change of [
    "update agency_statements set state = 'open'",
    'delete from agency_statements',
    'update statement_lines set amount = 1',
    'delete from statement_lines',
    'update statement_findings set resolution_id = null',
    'delete from statement_findings',
    "update statement_resolutions set reason = 'x'",
    `insert into statement_resolutions (statement_id, reason, user_id) values (${statement.id}, 'x', ${admin.user.id})`,
  ])
    await expect(portal.db.pool.query(change), change).rejects.toThrow()
  await portal.db.pool.query('update statement_lines set number = null, name = null')
  const { rows } = await portal.owner.query('select count, amount::int from round_confirmations')
  expect(rows).toEqual([{ count: 4, amount: 42_000 }])

  // A correcting statement confirms in its place, once it is signed by somebody else.
  expect((await upload(csvOf([lineOf(paid[5])]), { corrects_id: 999 })).body.errors.corrects_id).toHaveLength(
    1,
  )
  const right = await statementOf([...paid.slice(0, 5).map(lineOf)], { ...quiet, corrects_id: statement.id })
  expect(countsOf(right)).toMatchObject({ matched: 5 })
  expect((await portal.owner.query('select count from round_confirmations')).rows).toEqual([{ count: 4 }])
  expect(await approver.post(`${path}/${right.id}/sign`, { version: 1 })).toMatchObject({ status: 200 })
  expect((await portal.owner.query('select count, amount::int from round_confirmations')).rows).toEqual([
    { count: 5, amount: 52_500 },
  ])
  expect(await read(statement.id)).toMatchObject({ corrected_by_id: right.id })
  // What the correcting statement has is no difference in a later one that has it again.
  const later = await statementOf(paid.slice(0, 6).map(lineOf), { from: '2020-05-01', to: '2020-05-31' })
  expect(later).toMatchObject({ lines_repeated: 5 })
  expect(countsOf(later)).toEqual({ matched: 1 })
})

test('whoever uploaded a statement reads that somebody else has to sign it, although she may sign others', async () => {
  await reset()
  const admin = await portal.signedInAs('Administrator')
  const quiet = { from: '2020-02-01', to: '2020-02-29' }
  const sent = await upload(csvOf([lineOf(payments[7] as Payment)]), quiet, admin)
  const { id, version } = await compared(sent.body.statement.id)
  expect((await read(id, admin)).barred).toContain('somebody else')
  const sign = (who: Client) => who.post(`${path}/${id}/sign`, { version })
  expect(await sign(admin)).toMatchObject({
    status: 403,
    body: { message: expect.stringContaining('somebody else') },
  })
  expect((await sign(approver)).status).toBe(200)
})

test('a reason for the differences of one statement resolves none of another one', async () => {
  await reset()
  const quiet = { from: '2020-03-01', to: '2020-03-31' }
  const unknown = (n: number) => [`Y-${n}`, `YT-${n}`, '', 500, 5, payments[0]?.day ?? '']
  const one = await statementOf([unknown(1)], quiet)
  const other = await statementOf([unknown(2)], quiet)
  const [difference] = (await findings(other.id, 'category=theirs')).data
  const resolved = await colleague.post(`${path}/${one.id}/resolve`, {
    finding_ids: [difference.id],
    reason: 'Not of this programme',
  })
  expect(resolved.status).toBe(409)
  expect((await findings(other.id, 'resolved=true')).total).toBe(0)
})

test('whoever may sign a statement is asked once and until it was signed, and nobody who has worked on it', async () => {
  await reset()
  const [one, two] = payments.slice(20, 22) as [Payment, Payment]
  const quiet = { from: '2020-03-01', to: '2020-03-31' }
  const rights = ['transfers.view', 'statements.import', 'statements.sign'] as const
  const [accountant, resolver] = [await portal.signedIn(...rights), await portal.signedIn(...rights)]
  const asked = (...people: (typeof approver)[]) => linesWith('statement of', people)
  const before = await asked(approver)
  const lines = [lineOf(one), lineOf(two).with(3, 10_000)]
  const sent = await upload(csvOf(lines, titles, 'march.csv'), quiet, accountant)
  const { id } = await compared(sent.body.statement.id)
  expect(await asked(accountant, resolver, approver)).toEqual([0, 0, ...before])
  const [{ id: wrong }] = (await findings(id, 'category=amount')).data
  for (const reason of ['Corrected in April', 'Corrected in May'])
    expect((await resolver.post(`${path}/${id}/resolve`, { finding_ids: [wrong], reason })).status).toBe(200)
  expect(await asked(accountant, resolver, approver)).toEqual([0, 0, Number(before) + 1])
  const { version } = await read(id)
  expect((await approver.post(`${path}/${id}/sign`, { version })).status).toBe(200)
  expect(await asked(accountant, resolver, approver)).toEqual([0, 0, ...before])
})

test('an auditor reads statements and acts on none, and a file that is no statement is refused with a sentence', async () => {
  await reset()
  const book = sheetFile([titles, lineOf(payments[0] as Payment)], 'wave.xlsx')
  const statement = await compared((await upload(book)).body.statement.id)
  expect(statement).toMatchObject({ format: 'xlsx', lines_read: 1 })
  expect(countsOf(statement)).toMatchObject({ matched: 1 })
  expect(await read(statement.id, auditor)).toMatchObject({ state: 'open' })
  expect((await auditor.get(`${path}/${statement.id}/findings`)).status).toBe(200)
  expect((await upload(csvOf([]), {}, auditor)).status).toBe(403)
  for (const [act, body] of [
    ['resolve', { category: 'ours', reason: 'x' }],
    ['sign', { version: 1 }],
    ['withdraw', { reason: 'x' }],
  ] as const)
    expect((await auditor.post(`${path}/${statement.id}/${act}`, body)).status, act).toBe(403)
  expect((await auditor.post(`${path}/export`, { statement_id: statement.id })).status).toBe(403)
  expect((await officer.post(`${path}/export`, { statement_id: 999 })).status).toBe(404)
  expect((await officer.post(`${path}/${statement.id}/sign`, { version: 1 })).status).toBe(403)
  const refused = async (content: string, name: string) =>
    (await upload(new File([content], name))).body.errors.statement_file[0]
  expect(await refused('', 'a.csv')).toBe('The file is empty.')
  expect(await refused('%PDF-1.4', 'a.csv')).toMatch(/no statement/)
  expect(await refused('Amount;Day\n"10500;2026-01-01', 'a.csv')).toMatch(/quotation mark/)
  expect(
    (await upload(csvOf([['r', 't', 'n', 1, 1, first]]), { from: last, to: '2020-01-01' })).body.errors.to,
  ).toHaveLength(1)
  expect((await officer.get(`${path}/999`)).status).toBe(404)
  expect((await officer.get(`${path}/999/findings`)).status).toBe(404)
  expect(
    (await officer.get(`${path}?state=open&transfer_agency_id=1&search=sandbox`)).body.statements.total,
  ).toBe(1)
  expect((await officer.get(`${path}?to=2000-01-01`)).body.statements.total).toBe(0)
})
