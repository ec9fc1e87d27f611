import type { ArrearsOfAge, GirlInArrears as Row } from '@portal/contracts/transfers/arrears'
import { expect, test } from 'vitest'
import { exported, readyFile, recordsOf } from '../../exports/workbook.ts'
import { type Entry, startArrears } from './arrears-stage.ts'

const stage = await startArrears()
const { portal, officer, approver, settled, payments, retry, owner } = stage
const { yelimane, school, kayes, agency, older, newer, others, failed } = stage
const path = '/admin/transfers/arrears'

const read = async (query = '') => (await approver.get(`${path}?per_page=100&${query}`)).body
const sum = (of: readonly { amount: number }[]) => of.reduce((all, { amount }) => all + amount, 0)
/** The arrears of the programme, as the reconciliations say them. */
const owed = async (query = ''): Promise<number> =>
  (await approver.get(`/admin/transfers/reconciliations?${query}`)).body.totals.total_amount_arrears

test('an accountant reads who is owed what, since when and why, to the franc of the reconciliations', async () => {
  const { arrears, totals, ages, reasons, missed } = await read()
  const [first, second, third] = await failed(older)
  expect(
    arrears.data.map(({ id, amount, payments, days, age }: Row) => [id, amount, payments, days, age]),
  ).toEqual([
    [(await failed(others))[0]?.student_id, 10_500, 1, 91, 'over-90'],
    [first?.student_id, 21_000, 2, 65, '61-90'],
    [second?.student_id, 21_000, 2, 65, '61-90'],
    [third?.student_id, 21_000, 2, 65, '61-90'],
  ])
  expect(arrears.data[1]).toMatchObject({
    student_code: 'KYS-000001',
    cap_name: expect.stringMatching(/^CAP /),
    causes: [{ state: 'failed', reason: 'account_unknown', count: 2, amount: 21_000 }],
  })
  expect(reasons).toEqual([
    { code: 'account_blocked', name: 'The account is blocked.' },
    { code: 'account_unknown', name: 'No account has this number.' },
  ])
  expect(ages).toEqual([
    { age: '0-30', girls: 3, payments: 3, amount: 31_500 },
    { age: '31-60', girls: 0, payments: 0, amount: 0 },
    { age: '61-90', girls: 3, payments: 3, amount: 31_500 },
    { age: 'over-90', girls: 1, payments: 1, amount: 10_500 },
  ])
  expect(totals).toEqual({ girls: 4, payments: 7, amount: await owed() })
  expect([sum(arrears.data), sum(ages)]).toEqual([totals.amount, totals.amount])
  expect(missed).toEqual({ rounds: 0, amount: 0 })
})

test('an accountant filters by place, agency, reason, age and name, and rows, ages and totals are of the same payments', async () => {
  for (const query of [
    `cap=${yelimane}`,
    `cap=${kayes}`,
    `cap=${yelimane}&school=${school}`,
    `transfer_agency_id=${agency}`,
    'reason=account_blocked',
    'search=eleve+1',
    'search=kys-000002',
    'reason=account_unknown&age=61-90',
  ]) {
    const { arrears, totals, ages } = await read(query)
    expect(arrears.total, query).toBeGreaterThan(0)
    expect(arrears.total, query).toBe(totals.girls)
    expect(sum(arrears.data), query).toBe(totals.amount)
    const wanted = new URLSearchParams(query).get('age')
    expect(sum((ages as ArrearsOfAge[]).filter(({ age }) => !wanted || age === wanted)), query).toBe(
      totals.amount,
    )
  }
  // The reconciliations have the same place as a filter.
  expect((await read(`cap=${yelimane}`)).totals.amount).toBe(await owed(`cap=${yelimane}`))
  expect((await read(`cap=${kayes}`)).schools).toMatchObject([{ name: 'Kayes Khasso 1' }])
  // Of a girl only the payments of that age are counted.
  expect((await read('age=61-90')).arrears.data).toMatchObject(Array(3).fill({ amount: 10_500, payments: 1 }))
  expect((await read('age=31-60')).arrears).toMatchObject({ total: 0, data: [] })
  expect((await read('transfer_agency_id=999')).totals).toEqual({ girls: 0, payments: 0, amount: 0 })
  expect((await approver.get(`${path}?age=old`)).status).toBe(422)
})

test('an accountant reads what is owed for thirty days in the first age, and a day later in the next one', async () => {
  const girl = (await failed(others))[0]?.student_id
  const due = (days: number) =>
    owner.query(
      "update transfer_payroll_groups set due_on = (now() at time zone 'utc')::date - $2::int where cohort_id = $1",
      [others, days],
    )
  const boundaries = [
    [30, '0-30'],
    [31, '31-60'],
    [60, '31-60'],
    [61, '61-90'],
    [90, '61-90'],
    [91, 'over-90'],
  ] as const
  for (const [days, age] of boundaries) {
    await due(days)
    const { arrears, ages } = await read()
    expect(arrears.data.find(({ id }: Row) => id === girl)).toMatchObject({ days, age })
    const other = (await read(`age=${age}`)).arrears.data
    expect(
      other.map(({ id }: Row) => id),
      `${days} days`,
    ).toContain(girl)
    expect(sum(ages), `${days} days`).toBe(await owed())
  }
})

test('an accountant finds a girl in arrears by the name of her guardian', async () => {
  const [first] = await failed(older)
  await owner.query(
    `with u as (insert into users (first_name, last_name, gender, type) values ('Nènè', 'Sidibé', 'female', 'partner') returning id),
     p as (insert into parents (user_id, parent_assigned_id) select id, 'TUT-7' from u returning id)
     insert into parent_students (parent_id, student_id) select p.id, $1 from p`,
    [first?.student_id],
  )
  const { arrears, totals } = await read('search=sidibe+nene')
  expect(arrears.data.map(({ id }: Row) => id)).toEqual([first?.student_id])
  expect(totals).toEqual({ girls: 1, payments: 2, amount: 21_000 })
  expect((await read('search=sidibe+nobody')).totals.girls).toBe(0)
})

test('an accountant pages through the arrears in one order, also past a girl who is owed many payments', async () => {
  const inOrder = async (sort: string) =>
    (
      await Promise.all(
        [1, 2, 3, 4].map(
          async (page) =>
            (
              await approver.get(`${path}?sort=${sort}&per_page=1&page=${page}`)
            ).body.arrears.data as Row[],
        ),
      )
    ).flat()
  const ids = ((await read()).arrears.data as Row[]).map(({ id }) => id)
  const [many] = await failed(others)
  for (const more of [0, 20]) {
    await owner.query(
      `insert into owed_payments (payroll_id, student_id, payroll_group_id, amount)
       select -k, $1, g.id, 1 from transfer_payroll_groups g, generate_series(1, $2::int) k where g.cohort_id = $3`,
      [many?.student_id, more, others],
    )
    const pages = await inOrder('since')
    expect(pages.map(({ id }) => id)).toEqual(ids)
    expect(pages[0]).toMatchObject({ payments: 1 + more, amount: 10_500 + more })
    expect((await inOrder('-since')).map(({ id }) => id)).toEqual(ids.toReversed())
    expect((await approver.get(`${path}?page=2`)).body.arrears).toMatchObject({ data: [], total: 4 })
  }
  await owner.query('delete from owed_payments where payroll_id < 0')
})

test('an accountant sorts over all pages, and a search is in the audit log', async () => {
  const first = async (sort: string, page: number) =>
    (await approver.get(`${path}?sort=${sort}&per_page=1&page=${page}`)).body.arrears.data[0] as Row
  expect((await first('-amount', 1)).amount).toBe(21_000)
  expect((await first('-amount', 4)).amount).toBe(10_500)
  expect((await first('-since', 4)).age).toBe('over-90')
  expect((await first('last_name', 1)).student_code).toBe('KYS-000001')
  await read('search=eleve')
  const { rows: searched } = await owner.query(
    "select auditable_type from audits where event = 'searched' and user_id = $1 order by id desc limit 1",
    [approver.user.id],
  )
  expect(searched).toEqual([{ auditable_type: 'student' }])
})

test('an accountant exports what is filtered, in her language, and no name is a formula', async () => {
  const [girl] = await failed(others)
  await owner.query(
    "update users set first_name = '=cmd', last_name = 'Diallo' where id = (select user_id from students where id = $1)",
    [girl?.student_id],
  )
  const answer = await approver.post(`${path}/export`, { age: 'over-90' }, { 'accept-language': 'fr' })
  expect(answer).toMatchObject({
    status: 202,
    body: { file_name: expect.stringMatching(/^arrears-.*\.xlsx$/) },
  })
  const sheet = await recordsOf(await readyFile(approver, answer.body.file_name))
  expect(sheet).toMatchObject([
    {
      Prénom: "'=cmd",
      Nom: 'Diallo',
      Paiements: 1,
      'Arriérés (F CFA)': 10_500,
      '0 à 30 jours (F CFA)': 0,
      'Plus de 90 jours (F CFA)': 10_500,
      Jours: 91,
      Motifs: 'Aucun compte n’a ce numéro.',
    },
  ])
  const lines = await recordsOf(await exported(approver, `${path}/export`))
  const column = (name: string) => lines.reduce((total, line) => total + Number(line[name]), 0)
  expect(column('Arrears (XOF)')).toBe(await owed())
  expect(
    ['0 to 30 days', '31 to 60 days', '61 to 90 days', 'More than 90 days'].map((age) =>
      column(`${age} (XOF)`),
    ),
  ).toEqual([31_500, 0, 31_500, 10_500])
})

test('arrears fall by what is written off, say what else keeps a payment, and end once it is made again', async () => {
  const before = await owed()
  const [girl, other] = (await failed(newer)) as [Entry, Entry]
  await approver.post(`${path}/write-off`, { payroll_ids: [girl.id], reason: 'The family moved away' })
  expect((await read()).totals.amount).toBe(before - 10_500)
  expect(await owed()).toBe(before - 10_500)

  const reason = 'Two families claim her'
  await officer.post('/admin/transfers/payee-holds', { student_id: other.student_id, reason })
  const held = (await read('search=kys-000002')).arrears.data as Row[]
  expect(held).toMatchObject([{ amount: 21_000, causes: [{ state: 'held', reason: 'account_unknown' }] }])

  const [, , third] = (await failed(older)) as [Entry, Entry, Entry]
  await stage.correct(third)
  expect((await retry([third])).status).toBe(200)
  await settled(older)
  expect((await read('search=kys-000003')).totals).toEqual({ girls: 1, payments: 1, amount: 10_500 })
  expect((await read()).totals.amount).toBe(await owed())
})

test('all payments of a girl are on one page, add up to the franc, and so do those of her guardian', async () => {
  const [girl] = (await failed(newer)) as [Entry]
  const page = (await approver.get(`/admin/transfers/payees/${girl.student_id}/payments`)).body
  expect(page.person).toMatchObject({ id: girl.student_id, note: expect.stringContaining('KYS-000001') })
  // One was written off before, the older one is still owed.
  expect(page.totals).toEqual({ expected: 21_000, paid: 0, owed: 10_500, pending: 0, written_off: 10_500 })
  expect(page.payments.data).toMatchObject([
    {
      cohort_name: 'This month',
      n: 1,
      state: 'written_off',
      write_off_reason: 'The family moved away',
      next_step: null,
    },
    { cohort_name: 'Two months ago', state: 'failed', failure_reason: 'account_unknown', amount: 10_500 },
  ])
  const owedNow = (await read('search=kys-000001')).arrears.data as Row[]
  expect(owedNow).toMatchObject([{ id: girl.student_id, amount: page.totals.owed }])
  const filtered = await approver.get(`/admin/transfers/payees/${girl.student_id}/payments?of=owed`)
  expect(filtered.body.payments).toMatchObject({ total: 1, data: [{ id: (await failed(older))[0]?.id }] })
  expect((await approver.get('/admin/transfers/payees/999999/payments')).status).toBe(404)

  const sister = (await payments(newer))[3] as Entry
  const { rows: made } = await owner.query(
    `with u as (insert into users (first_name, last_name, gender, type) values ('Sira', 'Keita', 'female', 'partner') returning id),
     p as (insert into parents (user_id, parent_assigned_id) select id, 'TUT-9' from u returning id),
     s as (insert into parent_students (parent_id, student_id) select p.id, unnest($1::bigint[]) from p)
     select id::int from p`,
    [[girl.student_id, sister.student_id]],
  )
  const guardian = `/admin/transfers/guardians/${made[0].id}/payments`
  const hers = (await approver.get(guardian)).body
  expect(hers.person).toMatchObject({ first_name: 'Sira', note: 'TUT-9' })
  expect(hers.totals).toEqual({
    expected: 42_000,
    paid: 21_000,
    owed: 10_500,
    pending: 0,
    written_off: 10_500,
  })
  expect(hers.payments.total).toBe(4)
  expect((await approver.get('/admin/transfers/guardians/999999/payments')).status).toBe(404)
  const stranger = await portal.signedInAs('School Officer')
  expect((await stranger.get(guardian)).status).toBe(403)
  const { rows: opened } = await owner.query(
    "select auditable_type from audits where event = 'opened' and user_id = $1 order by id",
    [approver.user.id],
  )
  expect(opened).toEqual([{ auditable_type: 'student' }, { auditable_type: 'parent' }])
})

test('only whoever sees transfers reads the arrears, and only whoever may export payments takes them along', async () => {
  const auditor = await portal.signedInAs('Auditor')
  expect((await auditor.get(path)).status).toBe(200)
  expect((await auditor.post(`${path}/export`, {})).status).toBe(403)
  expect((await (await portal.signedInAs('School Officer')).get(path)).status).toBe(403)
})

test('the dashboard says what waits for whoever may act, and the agencies have disbursed what the programme has', async () => {
  const read = async (who = approver) => (await who.get('/admin/transfers/dashboard')).body
  const { agencies, waits } = await read()
  const { body: settings } = await approver.get('/admin/transfers/settings')
  const rounds = (await approver.get('/admin/transfers/reconciliations')).body.totals
  expect(agencies.map(({ name }: { name: string }) => name)).toEqual(['Sandbox'])
  const [sandbox] = agencies
  expect(sandbox.disbursed).toBe(settings.totalAmountDisbursed)
  expect(sandbox.disbursed).toBe(rounds.total_amount_disbursed)
  // Ten payments were made: one of the failed ones was paid later, and one was written off.
  expect(sandbox).toMatchObject({ paid: 4, refused: 6, success_rate: 0.4 })
  expect(sandbox.seconds_to_pay).toBeGreaterThanOrEqual(0)
  // The same money by month and by CAP is on the home page.
  const months = (await approver.get('/home/trends')).body.months as { disbursed: number }[]
  expect(months.reduce((all, { disbursed }) => all + disbursed, 0)).toBe(sandbox.disbursed)

  expect(waits).toEqual({ not_progressing: [], statements: 0, holds: 1 })
  await owner.query('update agency_leases set stalled_at = now() where agency_id = $1', [agency])
  expect((await read()).waits.not_progressing).toEqual([{ id: agency, name: 'Sandbox' }])
  // An officer cannot act on any of this.
  expect((await read(officer)).waits).toEqual({ not_progressing: [], statements: 0, holds: 0 })
  expect((await (await portal.signedInAs('School Officer')).get('/admin/transfers/dashboard')).status).toBe(
    403,
  )
})
