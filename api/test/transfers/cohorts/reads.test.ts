import type { AuditLog } from '@portal/contracts/audit'
import type { RoundPayment } from '@portal/contracts/transfers/payrolls'
import { expect, test } from 'vitest'
import { dayFromNow, recipient, startStage } from '../../cohorts.ts'

const stage = await startStage(60)
const { portal, officer, approver, imported, approve, progress } = stage
await portal.worker()
const admin = await portal.signedInAs('Administrator')
const auditor = await portal.signedInAs('Auditor')
const cohorts = async (query: string) => (await officer.get(`/admin/transfers/cohorts?${query}`)).body.cohorts
const names = (list: { name: string }[]) => list.map(({ name }) => name)

// Each student is in one cohort, so nothing overlaps. The first name has accents, for sorting and search.
const first = await imported('Bénéficiaires du Kaarta', [
  ['Élodie', 'Ñambélé', '+22376000010', 'KYS-000001', 500],
  ['Zeïnab', 'Abdoulaye', '+22376000010', 'KYS-000002', 700],
  ['Awa', 'Diarra', '+22376000011', 'KYS-000003', 600],
])
const second = await imported('Étoile', [recipient(4, { lastTwo: 2 }), recipient(5, { lastTwo: 20 })])
const third = await imported(
  'Zone 50%',
  Array.from({ length: 20 }, (_, n) => recipient(10 + n)),
  { from: dayFromNow(1) },
)
await approve(second)
await progress(second, ({ round }) => round?.pending === 0)
const { round } = await progress(second, (now) => now.round)

test('an officer sees the newest cohorts first, and finds them with any case and accents', async () => {
  expect(names((await cohorts('')).data)).toEqual(['Zone 50%', 'Étoile', 'Bénéficiaires du Kaarta'])
  for (const words of ['BENEFICIAIRES', 'bénéficiaires du kaarta', '  KAARTA '])
    expect(names((await cohorts(`search=${encodeURIComponent(words)}`)).data), words).toEqual([
      'Bénéficiaires du Kaarta',
    ])
  expect(names((await cohorts('search=50%25')).data)).toEqual(['Zone 50%'])
  for (const words of ['_', '%5C', 'nobody']) expect((await cohorts(`search=${words}`)).total, words).toBe(0)
  for (const words of ['kaarta beneficiaires', 'Kaarta, BENEF'])
    expect(names((await cohorts(`search=${encodeURIComponent(words)}`)).data), words).toEqual([
      'Bénéficiaires du Kaarta',
    ])
  expect((await officer.get('/admin/transfers/cohorts?search=%00')).status).toBeLessThan(500)
})

test('an officer sorts cohorts in French order, by the fields of the list only', async () => {
  expect(names((await cohorts('sort=name')).data)).toEqual(['Bénéficiaires du Kaarta', 'Étoile', 'Zone 50%'])
  expect(names((await cohorts('sort=-name')).data)).toEqual(['Zone 50%', 'Étoile', 'Bénéficiaires du Kaarta'])
  expect((await cohorts('sort=-from')).data[0].name).toBe('Zone 50%')
  const refused = await officer.get('/admin/transfers/cohorts?sort=file_hash')
  expect(refused).toMatchObject({
    status: 422,
    body: { errors: { sort: ['This list cannot be sorted that way.'] } },
  })
  expect(names((await cohorts('status=approved')).data)).toEqual(['Étoile'])
  expect((await cohorts('transfer_agency_id=1')).total).toBe(3)
  expect((await cohorts('transfer_agency_id=2')).total).toBe(0)
  expect((await officer.get('/admin/transfers/cohorts?status=lost')).status).toBe(422)
})

test('an officer gets every list in pages of at most 100 rows, with an empty page after the last', async () => {
  const lists: [string, (body: never) => unknown][] = [
    ['/admin/transfers/cohorts', ({ cohorts: page }: { cohorts: object }) => page],
    ['/admin/transfers/parameters', ({ parameters: page }: { parameters: object }) => page],
    [
      `/admin/transfers/cohorts/${third}/summary`,
      ({ cohort }: { cohort: { transfer_master_list: object } }) => cohort.transfer_master_list,
    ],
    [
      `/admin/transfers/cohorts/${second}/payrolls`,
      ({ cohort }: { cohort: { transfer_payroll_groups: object } }) => cohort.transfer_payroll_groups,
    ],
    [
      `/admin/transfers/cohorts/payroll/${round.id}`,
      ({ payrollGroup }: { payrollGroup: { transfer_payrolls: object } }) => payrollGroup.transfer_payrolls,
    ],
  ]
  for (const [path, page] of lists) {
    const all = page((await officer.get(path)).body as never) as { data: object[]; total: number }
    expect(all, path).toMatchObject({
      current_page: 1,
      per_page: 15,
      last_page: Math.max(1, Math.ceil(all.total / 15)),
    })
    expect(all.data).toHaveLength(Math.min(15, all.total))
    expect(page((await officer.get(`${path}?page=900`)).body as never), path).toMatchObject({
      data: [],
      current_page: 900,
      total: all.total,
    })
    expect(page((await officer.get(`${path}?per_page=1&page=2`)).body as never)).toMatchObject({
      per_page: 1,
      last_page: Math.max(1, all.total),
    })
    const many = await officer.get(`${path}?per_page=101`)
    expect(many).toMatchObject({
      status: 422,
      body: { errors: { per_page: ['Ask for at most 100 rows a page.'] } },
    })
    for (const wrong of ['page=0', 'page=-1', 'page=x', 'per_page=0', 'page=1.5'])
      expect((await officer.get(`${path}?${wrong}`)).status, `${path}?${wrong}`).toBe(422)
  }
})

test('an officer finds a recipient by name, number or student, and sees who shares a number', async () => {
  const list = async (query: string) =>
    (await officer.get(`/admin/transfers/cohorts/${first}/summary?${query}`)).body.cohort.transfer_master_list
  const last = ({ data }: { data: { receiver_last_name: string }[] }) =>
    data.map((row) => row.receiver_last_name)
  expect(last(await list('search=nambele'))).toEqual(['Ñambélé'])
  expect(last(await list(`search=${encodeURIComponent('76 00 00 11')}`))).toEqual(['Diarra'])
  expect(last(await list(`search=${encodeURIComponent('00 223 76 00 00 11')}`))).toEqual(['Diarra'])
  expect(last(await list('search=diarra+aw+000003'))).toEqual(['Diarra'])
  expect(last(await list('search=kys-000002'))).toEqual(['Abdoulaye'])
  expect(last(await list('sort=receiver_last_name'))).toEqual(['Abdoulaye', 'Diarra', 'Ñambélé'])
  expect(last(await list('sort=-amount'))).toEqual(['Abdoulaye', 'Diarra', 'Ñambélé'])
  expect(last(await list('shared=yes'))).toEqual(['Ñambélé', 'Abdoulaye'])
  expect(await list('status=pending')).toMatchObject({ total: 3 })
  expect(await list('status=success')).toMatchObject({ total: 0, data: [] })
  expect((await stage.cohort(first)).check).toMatchObject({ shared_numbers: 1, shared_rows: 2 })
  const inRound = async (words: string) =>
    (await officer.get(`/admin/transfers/cohorts/payroll/${round.id}?search=${encodeURIComponent(words)}`))
      .body.payrollGroup.transfer_payrolls.data
  const [paid] = await inRound('COULIBALY 5')
  expect(await inRound('kys-000005')).toEqual([paid])
  for (const words of [
    paid.external_trx_id,
    paid.external_trx_id.toUpperCase(),
    paid.external_trx_id.slice(3),
  ])
    expect(await inRound(words), words).toEqual([paid])
  expect(await inRound(`fatoumata ${paid.external_trx_id}`)).toEqual([paid])
  expect(await inRound('nobody 5')).toEqual([])
  const failed = await officer.get(`/admin/transfers/cohorts/payroll/${round.id}?status=failed`)
  expect(failed.body.payrollGroup.transfer_payrolls).toMatchObject({
    total: 1,
    data: [{ failure_reason: 'account_unknown' }],
  })
})

test('an administrator sees all agencies, the last three parameters and the last two cohorts, newest first', async () => {
  for (const n of [1, 2, 3]) {
    const form = {
      name: `P${n}`,
      description: 'x',
      commission: 1,
      amount: 100,
      currency: 'XOF',
      frequency: 1,
    }
    expect((await admin.post('/admin/transfers/parameter', form)).status).toBe(200)
  }
  const { body } = await officer.get('/admin/transfers/settings')
  expect(names(body.parameters)).toEqual(['P3', 'P2', 'P1'])
  expect(names(body.cohorts)).toEqual(['Zone 50%', 'Étoile'])
  expect(names(body.agencies)).toEqual(['Sandbox'])
})

test('an officer gets 404 for a malformed id and for an unknown one', async () => {
  const paths = ['cohorts/:id/summary', 'cohorts/:id/progress', 'cohorts/:id/payrolls', 'cohorts/payroll/:id']
  for (const path of paths)
    for (const id of ['0', '-1', 'abc', '1e3', '1.5', '999999', '99999999999999999999', '%20'])
      expect((await officer.get(`/admin/transfers/${path.replace(':id', id)}`)).status, `${path} ${id}`).toBe(
        404,
      )
  for (const [path, field] of [
    ['cohorts/export', 'cohort_id'],
    ['cohorts/payroll/export', 'payroll_id'],
  ] as const) {
    expect((await officer.post(`/admin/transfers/${path}`, { [field]: 999_999 })).status).toBe(404)
    for (const wrong of [0, -1, 'abc', 1.5, 1e300, null])
      expect(
        (await officer.post(`/admin/transfers/${path}`, { [field]: wrong })).status,
        `${field} ${wrong}`,
      ).toBe(422)
  }
})

test('an auditor finds every change in the audit log, with who made it, what it was and from where', async () => {
  const agency = {
    name: 'Audited',
    description: 'x',
    type: 'mobile_money',
    country: 'sn',
    fees: 1,
    endpoint: stage.agency.url,
    details: '{"protocol":"sandbox","token":"quiet"}',
  }
  await admin.post('/admin/transfers/agency', agency)
  await admin.put('/admin/transfers/agency/2', { status: 'inactive' })
  await admin.put('/admin/transfers/parameter/1', { status: 'inactive' })
  await admin.put('/admin/transfers/parameter/1', { status: 'active' })
  await approver.post(`/admin/transfers/cohorts/${second}/stop`)
  await approver.post(`/admin/transfers/cohorts/${second}/resume`)
  await approver.post(`/admin/transfers/cohorts/${third}/approve`, {
    action: 'rejected',
    comment: 'Too early',
  })
  const { logs } = (await admin.get('/admin/users/audit/logs?per_page=100')).body
  const seen = (type: string, id?: number) =>
    logs.data
      .filter(
        (log: { auditable_type: string; auditable_id: number }) =>
          log.auditable_type === type && (!id || log.auditable_id === id),
      )
      .map(({ event }: { event: string }) => event)
  expect(seen('agency', 2)).toEqual(['updated', 'created'])
  expect(seen('parameter')).toEqual(['updated', 'updated', 'created', 'created', 'created'])
  expect(seen('cohort', second)).toEqual(['resumed', 'stopped', 'approved', 'imported', 'uploaded'])
  expect(seen('cohort', third)).toEqual(['rejected', 'imported', 'uploaded'])
  const rejected = logs.data.find(({ event }: { event: string }) => event === 'rejected')
  expect(rejected).toMatchObject({
    old_values: { status: 'pending' },
    new_values: { status: 'rejected', comment: 'Too early' },
    user: { first_name: 'Awa' },
    ip_address: '127.0.0.1',
  })
  expect(JSON.stringify(logs)).not.toContain('quiet')
})

test('an officer reads a round in the order of names, page by page, and from its end', async () => {
  const names = ['Ñambélé', 'Abdoulaye', 'Élégie', 'Diarra', 'Coulibaly']
  const list = await imported(
    'Par nom',
    names.map((name, n) => ['Awa', name, `+2237600005${n}`, `KYS-00005${n}`, null]),
  )
  expect((await approve(list)).status).toBe(200)
  const { cohort } = (await officer.get(`/admin/transfers/cohorts/${list}/payrolls`)).body
  const of = async (query: string) => {
    const { body } = await officer.get(
      `/admin/transfers/cohorts/payroll/${cohort.transfer_payroll_groups.data[0].id}?${query}`,
    )
    const { data, total } = body.payrollGroup.transfer_payrolls
    return [total, ...data.map((row: { receiver_last_name: string }) => row.receiver_last_name)]
  }
  expect(await of('sort=receiver_last_name')).toEqual([
    5,
    'Abdoulaye',
    'Coulibaly',
    'Diarra',
    'Élégie',
    'Ñambélé',
  ])
  expect(await of('sort=receiver_last_name&per_page=2&page=2')).toEqual([5, 'Diarra', 'Élégie'])
  expect(await of('sort=receiver_last_name&per_page=2&page=4')).toEqual([5])
  expect(await of('sort=-receiver_last_name&per_page=2&page=3')).toEqual([5, 'Abdoulaye'])
  expect(await of('sort=receiver_last_name&search=diarra')).toEqual([1, 'Diarra'])
})

test('an auditor reads who searched recipients by name: in a list, its changes, its names, a round and answers', async () => {
  const searchesOf = async ({ user }: { user: { id: number } }) => {
    const logs = await auditor.get(`/admin/users/audit/logs?user_id=${user.id}&event=searched`)
    return (logs.body.logs.data as AuditLog[]).map(({ auditable_type: type, new_values }) => ({
      type,
      ...new_values,
    }))
  }
  const { rows: girls } = await portal.owner.query('select id, student_code from students')
  const girl = (code: string) => girls.find(({ student_code }) => student_code === code)?.id
  const inRound = `/admin/transfers/cohorts/payroll/${round?.id}`
  const { data } = (await officer.get(inRound)).body.payrollGroup.transfer_payrolls
  const paid = data.find(({ external_trx_id: trx }: RoundPayment) => trx)
  for (const [path, search, ...found] of [
    [`/admin/transfers/cohorts/${first}/summary`, 'diarra', girl('KYS-000003')],
    [inRound, paid.external_trx_id, paid.student_id],
    [`/admin/transfers/cohorts/${first}/names/list`, 'abdoulaye', girl('KYS-000002')],
    [`/admin/transfers/cohorts/${first}/changes`, 'nobody'],
    ['/admin/transfers/exceptions', 'nobody'],
  ]) {
    const reader = await portal.signedIn('transfers.view')
    expect((await reader.get(path)).status, path).toBe(200)
    expect(await searchesOf(reader), path).toEqual([])
    await reader.get(`${path}?search=${encodeURIComponent(search)}`)
    expect(await searchesOf(reader), path).toMatchObject([
      { type: 'student', found: found.length, first_found: found.map((id) => ({ id })) },
    ])
  }
})
