import { Workbook } from 'exceljs'
import { expect, test } from 'vitest'
import { verifyLedger } from '../../../src/transfers/ledger/ledger-check.service.ts'
import { dayFromNow } from '../../cohorts.ts'
import { runCommand } from '../../commands.ts'
import { bellOf, linesWith } from '../../letters/notices.ts'
import { until } from '../../portal.ts'
import { type Entry as Paid, startRetries } from './retries.ts'

const stage = await startRetries()
const {
  portal,
  agency,
  officer,
  approver,
  cohort,
  imported,
  approve,
  ending,
  settled,
  payments,
  paid,
  retry,
} = stage
type Entry = Paid & { master_list_id: number }
const reason = 'The guardian has another number since June'
/** The database role of the api and the worker. */
const app = portal.db.pool
let numbers = 0
/** A number that the agency pays, and that no list has. */
const newNumber = () => `+22379${String(++numbers).padStart(4, '0')}10`

const propose = ({ master_list_id }: Entry, receiver_phone_number: string, who = officer) =>
  who.post(`/admin/transfers/master-list/${master_list_id}/corrections`, { receiver_phone_number, reason })
const decide = (id: number, action: 'approved' | 'refused', who = approver) =>
  who.post(`/admin/transfers/corrections/${id}/decide`, { action })
const waiting = async (who = approver) =>
  (await who.get('/admin/transfers/corrections?per_page=100')).body.corrections.data
/** The correction of a cohort that waits. */
const waitingOf = async (name: string): Promise<number> =>
  (await waiting()).find(({ cohort_name }: { cohort_name: string }) => cohort_name === name).id
const correctionOf = async ({ master_list_id }: Entry) =>
  (
    await portal.owner.query(
      'select id::int, state, user_id::int, decided_by::int from recipient_corrections where master_list_id = $1 order by id desc',
      [master_list_id],
    )
  ).rows[0]
const refusedByTheDatabase = { code: '23514' }

/** A cohort whose first payment failed for a wrong number. */
async function refused(name: string, ...digits: number[]) {
  const { id, entries } = await paid(name, 2, ...digits)
  return { id, wrong: entries[0] as Entry, entries: entries as Entry[] }
}

test('an approver sees that a girl’s next list has the number from before her correction', {
  timeout: 120_000,
}, async () => {
  const rows = ending(2)
  const id = await imported('Corrected', rows)
  await approve(id)
  await settled(id)
  const [wrong] = (await payments(id)) as Entry[]
  const phone = newNumber()
  await propose(wrong as Entry, phone)
  await decide((await waiting())[0].id, 'approved')
  await retry([wrong as Entry])
  await settled(id)
  const next = await imported('Next term', rows, { from: dayFromNow(40), to: dayFromNow(60) })
  const { body } = await approver.get(`/admin/transfers/cohorts/${next}/flags`)
  expect(body.flags).toMatchObject([
    { kind: 'number_changed', count: 1, rows: [{ value: rows[0]?.[2], compared: phone }] },
  ])
})

test('an officer corrects a number, an approver approves it, and the payment is made once more, to the new number only', {
  timeout: 120_000,
}, async () => {
  const { id, wrong } = await refused('Put right', 10)
  const phone = newNumber()
  expect(await propose(wrong, phone)).toMatchObject({
    status: 200,
    body: { message: 'The correction waits for the approval of a second person.' },
  })
  // Nothing has changed yet, and nothing is done about the payment meanwhile.
  expect(await payments(id)).toMatchObject([
    { state: 'correcting', acts: [], receiver_phone_number: wrong.receiver_phone_number, corrected: false },
    { state: 'success' },
  ])
  const waits = 'A correction of its recipient waits for approval.'
  for (const answer of [
    await retry([wrong]),
    await approver.post('/admin/transfers/arrears/write-off', { payroll_ids: [wrong.id], reason }),
  ])
    expect(answer).toMatchObject({
      status: 409,
      body: { errors: { [`payroll_ids.${wrong.id}`]: [expect.stringContaining(waits)] } },
    })
  const [shown] = await waiting()
  expect(shown).toMatchObject({
    cohort_name: 'Put right',
    old_values: { receiver_phone_number: wrong.receiver_phone_number },
    new_values: { receiver_phone_number: phone, receiver_first_name: 'Fatoumata' },
    reason,
    failed: 1,
    amount: 10_500,
    shared: 0,
    barred: null,
  })

  expect(await decide(shown.id, 'approved')).toMatchObject({ status: 200 })
  expect(await payments(id)).toMatchObject([
    { state: 'failed', receiver_phone_number: phone, corrected: true },
    { state: 'success', corrected: false },
  ])
  // The list of the cohort shows the number that is paid, and the one that was approved with the list.
  expect((await cohort(id)).transfer_master_list.data).toMatchObject([
    { receiver_phone_number: phone, listed_number: wrong.receiver_phone_number },
    { listed_number: null },
  ])
  const found = await approver.get(`/admin/transfers/cohorts/${id}/summary?search=${phone.slice(4)}`)
  expect(found.body.cohort.transfer_master_list.total).toBe(1)
  expect((await retry([wrong])).status).toBe(200)
  await settled(id)
  const orders = (await agency.ledger()).filter(({ reference }) => reference === wrong.reference)
  expect(orders.map(({ phone: to, executed }) => ({ to, executed }))).toEqual([
    { to: wrong.receiver_phone_number, executed: 0 },
    { to: phone, executed: 1 },
  ])
  const { rows: attempts } = await portal.owner.query(
    'select n, state, correction_id::int from payment_attempts where payroll_id = $1 order by n',
    [wrong.id],
  )
  expect(attempts).toEqual([
    { n: 1, state: 'failed', correction_id: null },
    { n: 2, state: 'success', correction_id: shown.id },
  ])
  expect((await cohort(id)).transfer_cohort_stats).toMatchObject({
    total_amount_disbursed: 21_000,
    total_amount_arrears: 0,
  })
  const { rows: log } = await portal.owner.query(
    `select a.event, a.user_id::int, v.old_values, v.new_values from audits a join audit_values v on v.audit_id = a.id
     where a.event like 'correction %' and a.auditable_type = 'cohort' and a.auditable_id = $1 order by a.id`,
    [id],
  )
  expect(log).toEqual([
    {
      event: 'correction proposed',
      user_id: officer.user.id,
      old_values: null,
      new_values: { correction: shown.id, columns: ['receiver_phone_number'] },
    },
    {
      event: 'correction approved',
      user_id: approver.user.id,
      old_values: null,
      new_values: { correction: shown.id },
    },
  ])
  expect(await waiting()).toEqual([])
  expect((await verifyLedger(portal.db)).faults).toEqual([])
})

test('the rounds that follow go to the corrected number, and those made before keep theirs', {
  timeout: 120_000,
}, async () => {
  const id = await imported('Two rounds', ending(2, 10), { from: dayFromNow(0), to: dayFromNow(59) })
  await approve(id)
  await settled(id)
  const [wrong] = (await payments(id)) as [Entry]
  const phone = newNumber()
  await propose(wrong, phone)
  await decide((await correctionOf(wrong)).id, 'approved')
  await portal.owner.query(
    'update transfer_rounds set due_on = current_date where cohort_id = $1 and n = 2',
    [id],
  )
  const { rows } = await until(async () => {
    const found = await portal.owner.query(
      `select g.n, p.receiver_phone_number as phone, p.status, p.correction_id is not null as corrected
       from transfer_payrolls p join transfer_payroll_groups g on g.id = p.payroll_group_id
       where g.cohort_id = $1 and p.master_list_id = $2 order by g.n`,
      [id, wrong.master_list_id],
    )
    return found.rows[1]?.status === 'success' && found
  })
  expect(rows).toEqual([
    { n: 1, phone, status: 'failed', corrected: true },
    { n: 2, phone, status: 'success', corrected: true },
  ])
  expect((await verifyLedger(portal.db)).faults).toEqual([])
})

test('an officer finds a corrected recipient by the new name and number, and exports what the page shows', {
  timeout: 120_000,
}, async () => {
  const { id, wrong } = await refused('Another guardian', 10)
  const phone = newNumber()
  const proposed = await officer.post(`/admin/transfers/master-list/${wrong.master_list_id}/corrections`, {
    receiver_first_name: 'Nènè',
    receiver_last_name: 'Sissokó',
    receiver_phone_number: phone,
    reason,
  })
  expect(proposed.status).toBe(200)
  expect((await decide((await correctionOf(wrong)).id, 'approved')).status).toBe(200)
  const { round } = (await officer.get(`/admin/transfers/cohorts/${id}/progress`)).body
  for (const search of ['sissoko+nene', 'SISSOKO', phone.slice(4), `nene+${phone.slice(4)}`, 'coulibaly']) {
    const { body } = await officer.get(`/admin/transfers/cohorts/${id}/summary?search=${search}`)
    const list = body.cohort.transfer_master_list
    expect([list.total, list.data[0]?.id], search).toEqual([
      search === 'coulibaly' ? 2 : 1,
      wrong.master_list_id,
    ])
    const payroll = await officer.get(`/admin/transfers/cohorts/payroll/${round.id}?search=${search}`)
    expect(payroll.body.payrollGroup.transfer_payrolls.data[0]?.master_list_id, search).toBe(
      wrong.master_list_id,
    )
    // The names that the agency has are those of the corrected recipients alone.
    const { names } = (await officer.get(`/admin/transfers/cohorts/${id}/names/list?search=${search}`)).body
    expect(names.total, search).toBe(1)
    expect(names.data[0].id === wrong.master_list_id, search).toBe(search !== 'coulibaly')
  }

  const asked = await officer.post('/admin/transfers/cohorts/export', { cohort_id: id, search: 'sissoko' })
  const file = await until(async () => {
    const got = await officer.get(`/storage/exports/${asked.body.file_name}`)
    return got.status === 200 && got
  }, 20_000)
  const book = new Workbook()
  await book.xlsx.load(new Uint8Array(file.bytes).buffer)
  const [headings, ...lines] = (book.worksheets[0]?.getSheetValues().slice(1) ?? []) as unknown[][]
  const cell = (heading: string) => lines[0]?.[headings?.indexOf(heading) ?? -1]
  expect(lines).toHaveLength(1)
  expect(cell('Parent name')).toBe('Nènè Sissokó')
  expect(cell('Recipient number')).toBe(phone)
  expect(cell('Corrected, before')).toBe(wrong.receiver_phone_number)
})

test('an officer whose correction is decided on reads what the approver wrote about it', {
  timeout: 60_000,
}, async () => {
  const { wrong } = await refused('Not hers')
  const decided = async (action: 'approved' | 'refused', comment?: string) => {
    await propose(wrong, newNumber())
    const { id } = await correctionOf(wrong)
    return approver.post(`/admin/transfers/corrections/${id}/decide`, { action, comment })
  }
  const tooLong = await decided('refused', 'x'.repeat(501))
  expect(tooLong).toMatchObject({ status: 422, body: { errors: { comment: [expect.any(String)] } } })
  for (const [action, comment] of [
    ['refused', ' This is the number of a neighbour '],
    ['refused', ''],
    ['approved', 'The mother has confirmed it'],
  ] as const)
    expect((await decided(action, comment)).status).toBe(200)
  const lines = (await bellOf(officer)).filter(({ text }) => text.includes('Not hers: your'))
  expect(lines.map(({ text }) => text)).toEqual([
    'Cohort Not hers: your correction of a recipient was approved: The mother has confirmed it',
    'Cohort Not hers: your correction of a recipient was refused.',
    'Cohort Not hers: your correction of a recipient was refused: This is the number of a neighbour',
  ])
})

test('everybody who opens a payment reads who refused the correction of its recipient, and why, until a correction is approved', {
  timeout: 60_000,
}, async () => {
  const { id, wrong } = await refused('Refused and read', 10)
  const { rows: users } = await portal.owner.query(
    "select first_name || ' ' || last_name as name from users where id = $1",
    [approver.user.id],
  )
  const decided = async (action: 'approved' | 'refused', comment?: string) => {
    await propose(wrong, newNumber())
    const { id: correction } = await correctionOf(wrong)
    await approver.post(`/admin/transfers/corrections/${correction}/decide`, { action, comment })
  }
  const group = (await officer.get(`/admin/transfers/cohorts/${id}/progress`)).body.round.id
  const notes = async (who: typeof officer, headers = {}) =>
    (
      await who.get(`/admin/transfers/cohorts/payroll/${group}`, headers)
    ).body.payrollGroup.transfer_payrolls.data.map(
      ({ refused_correction }: { refused_correction: string | null }) => refused_correction,
    )
  expect(await notes(officer)).toEqual([null, null])
  await decided('refused')
  expect(await notes(officer)).toEqual([`${users[0].name} refused a correction.`, null])
  await decided('refused', ' This is the number of a neighbour ')
  const auditor = await portal.signedInAs('Auditor')
  for (const who of [officer, auditor])
    expect(await notes(who)).toEqual([
      `${users[0].name} refused a correction: This is the number of a neighbour`,
      null,
    ])
  expect((await notes(officer, { 'accept-language': 'fr' }))[0]).toMatch(
    /a refusé une correction\s: This is the number of a neighbour$/,
  )
  // One that its proposer took back was refused by nobody.
  await propose(wrong, newNumber())
  await officer.post(`/admin/transfers/corrections/${(await correctionOf(wrong)).id}/withdraw`)
  expect((await notes(officer))[0]).toContain('a neighbour')
  await decided('approved', 'The mother has confirmed it')
  expect(await notes(officer)).toEqual([null, null])
  expect((await payments(id))[0]).toMatchObject({ corrected: true })
})

test('a person who proposed a correction cannot approve it, in the portal or in the database, and may withdraw it', {
  timeout: 120_000,
}, async () => {
  const { id, wrong } = await refused('Her own number')
  const both = await portal.signedIn('transfers.view', 'recipients.correct', 'cohorts.approve')
  const phone = newNumber()
  expect((await propose(wrong, phone, both)).status).toBe(200)
  const correction = await correctionOf(wrong)
  const own = 'You proposed this correction, so somebody else must approve it.'
  expect(await waiting(both)).toMatchObject([{ id: correction.id, barred: own }])
  expect(await decide(correction.id, 'approved', both)).toMatchObject({ status: 403, body: { message: own } })
  expect((await decide(correction.id, 'approved', officer)).status).toBe(403)
  await expect(
    app.query(
      "update recipient_corrections set state = 'approved', decided_by = user_id, decided_at = now() where id = $1",
      [correction.id],
    ),
  ).rejects.toMatchObject({ constraint: 'recipient_corrections_four_eyes' })
  expect((await decide(correction.id, 'refused', both)).status).toBe(200)
  expect(await payments(id)).toMatchObject([
    { state: 'failed', receiver_phone_number: wrong.receiver_phone_number, corrected: false },
  ])
  expect((await decide(correction.id, 'approved')).status).toBe(409)
  // She has touched the cohort, so she does not pay it again either.
  expect((await retry([wrong], both)).status).toBe(403)
})

test('a person whose correction cannot be reads why at its field, and two of them at once give one correction', {
  timeout: 120_000,
}, async () => {
  const { wrong, entries } = await refused('Typing errors', 10)
  const path = `/admin/transfers/master-list/${wrong.master_list_id}/corrections`
  const short = await officer.post(path, { receiver_phone_number: '7012', reason })
  expect(short).toMatchObject({
    status: 422,
    body: { errors: { receiver_phone_number: [expect.any(String)] } },
  })
  expect(
    (await officer.post(path, { receiver_phone_number: newNumber(), reason: ' ' })).body.errors,
  ).toHaveProperty('reason')
  expect(await propose(wrong, wrong.receiver_phone_number)).toMatchObject({
    status: 409,
    body: { message: expect.stringContaining('as approved already') },
  })
  const fine = entries[1] as Entry
  expect(await propose(fine, newNumber())).toMatchObject({
    status: 409,
    body: { message: expect.stringContaining('No payment of this recipient has failed') },
  })
  expect((await propose({ ...wrong, master_list_id: 999_999 }, newNumber())).status).toBe(404)
  expect((await propose(wrong, newNumber(), approver)).status).toBe(403)
  const answers = await Promise.all([propose(wrong, newNumber()), propose(wrong, newNumber())])
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 409])
})

test('the database changes whom a payment pays only by an approved correction of a failed payment', {
  timeout: 120_000,
}, async () => {
  const { wrong, entries } = await refused('Only approved', 10)
  const fine = entries[1] as Entry
  const insert = (entry: Entry, values: object) =>
    app.query(
      'insert into recipient_corrections (master_list_id, old_values, new_values, reason, user_id) values ($1, $2, $3, $4, $5)',
      [entry.master_list_id, '{}', JSON.stringify(values), reason, officer.user.id],
    )
  await expect(insert(fine, { receiver_phone_number: newNumber() })).rejects.toMatchObject({
    constraint: 'recipient_corrections_failed',
  })
  for (const values of [
    { receiver_phone_number: null },
    { amount: 2_000_000 },
    { receiver_first_name: null },
  ])
    await expect(insert(wrong, values)).rejects.toMatchObject({ constraint: 'recipient_corrections_values' })

  const phone = newNumber()
  await propose(wrong, phone)
  const { id } = await correctionOf(wrong)
  const forged = (change: string, at = wrong.id) =>
    expect(app.query(`update transfer_payrolls set ${change} where id = ${at}`)).rejects.toMatchObject(
      refusedByTheDatabase,
    )
  await forged(`receiver_phone_number = '${phone}', correction_id = ${id}`)
  await portal.owner.query("insert into sending_holds (reasons, known_until) values ('{clock}', now())")
  try {
    expect((await decide(id, 'approved')).status).toBe(409)
    await expect(
      app.query(
        "update recipient_corrections set state = 'approved', decided_by = $2, decided_at = now() where id = $1",
        [id, approver.user.id],
      ),
    ).rejects.toMatchObject(refusedByTheDatabase)
  } finally {
    await portal.owner.query('update sending_holds set released_at = now(), released_by = $1', [
      approver.user.id,
    ])
  }
  expect((await decide(id, 'approved')).status).toBe(200)
  await forged(`receiver_phone_number = '${newNumber()}'`)
  await forged('correction_id = null')
  await forged(`receiver_phone_number = '${phone}', correction_id = ${id}`, fine.id)
  for (const change of [
    `update recipient_corrections set new_values = new_values || '{"receiver_phone_number": "+22370000010"}' where id = ${id}`,
    `update recipient_corrections set state = 'refused' where id = ${id}`,
    `delete from recipient_corrections where id = ${id}`,
    `update payment_attempts set correction_id = ${id} where payroll_id = ${wrong.id}`,
  ])
    await expect(app.query(change)).rejects.toMatchObject({ code: expect.stringMatching(/^(23514|23503)$/) })
  expect((await verifyLedger(portal.db)).faults).toEqual([])
})

test('a girl whose recipient was corrected is erased with both numbers, and the ledger holds', {
  timeout: 120_000,
}, async () => {
  const { id, wrong } = await refused('Put right and erased', 10)
  expect((await propose(wrong, newNumber())).status).toBe(200)
  const comment = 'Her uncle has this number'
  const { id: first } = await correctionOf(wrong)
  await approver.post(`/admin/transfers/corrections/${first}/decide`, { action: 'refused', comment })
  const phone = newNumber()
  expect((await propose(wrong, phone)).status).toBe(200)
  expect((await decide((await correctionOf(wrong)).id, 'approved')).status).toBe(200)
  expect((await retry([wrong])).status).toBe(200)
  await settled(id)
  const { owner, settings } = portal
  await expect(
    owner.query("update recipient_corrections set comment = 'Another' where id = $1", [first]),
  ).rejects.toMatchObject(refusedByTheDatabase)
  const { rows } = await owner.query('select student_code from transfer_master_list where id = $1', [
    wrong.master_list_id,
  ])
  const erased = await runCommand(settings, 'person-erase', ['--student', rows[0].student_code])
  expect(erased).toMatchObject({ code: 0, err: '' })
  const { rows: kept } = await owner.query(
    'select old_values, new_values, reason, comment, state from recipient_corrections where master_list_id = $1 order by id',
    [wrong.master_list_id],
  )
  const emptied = { old_values: {}, new_values: {}, reason: '—', comment: null }
  expect(kept).toEqual([
    { ...emptied, state: 'refused' },
    { ...emptied, state: 'approved' },
  ])
  expect(await verifyLedger(portal.db)).toMatchObject({ faults: [] })
})

test('an officer withdraws her own correction, and proposes a better one', { timeout: 60_000 }, async () => {
  const { id, wrong } = await refused('Withdrawn', 10)
  await propose(wrong, newNumber())
  const mine = async (who = officer) =>
    (await waiting(who)).find(({ cohort_name }: { cohort_name: string }) => cohort_name === 'Withdrawn')
  const shown = await mine()
  expect([shown.own, (await mine(approver)).own]).toEqual([true, false])
  const withdraw = (who: typeof officer) => who.post(`/admin/transfers/corrections/${shown.id}/withdraw`)
  expect(await withdraw(await portal.signedInAs('Transfer Officer'))).toMatchObject({
    status: 403,
    body: { message: expect.stringMatching(/^Somebody else proposed this correction/) },
  })
  expect((await withdraw(approver)).status).toBe(403)
  const answers = await Promise.all([withdraw(officer), withdraw(officer)])
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 409])
  expect((await decide(shown.id, 'approved')).status).toBe(409)
  expect((await payments(id))[0]).toMatchObject({ state: 'failed', corrected: false })
  const { rows } = await portal.owner.query(
    "select event from audits where auditable_type = 'cohort' and auditable_id = $1 and event like 'correction %' order by id",
    [id],
  )
  expect(rows.map(({ event }) => event)).toEqual(['correction proposed', 'correction withdrawn'])
  expect((await propose(wrong, newNumber())).status).toBe(200)
})

test('approvers are asked about a correction until somebody decided on it, and whoever touched the list is not asked at all', {
  timeout: 60_000,
}, async () => {
  const [colleague, touched] = [
    await portal.signedInAs('Transfer Approver'),
    await portal.signedInAs('Transfer Approver'),
  ]
  const { wrong } = await refused('Asked about', 10)
  // She changed the agency of the list, so she decides on nothing of it.
  const { rows: agencies } = await portal.owner.query('select user_id from transfer_agencies where id = 1')
  await portal.owner.query('update transfer_agencies set user_id = $1 where id = 1', [touched.user.id])
  const asked = (...people: (typeof approver)[]) =>
    linesWith('"Asked about": a correction of a recipient', people)
  const ends = [
    (correction: number) => decide(correction, 'refused'),
    (correction: number) => officer.post(`/admin/transfers/corrections/${correction}/withdraw`),
    (correction: number) => decide(correction, 'approved'),
  ]
  for (const end of ends) {
    expect((await propose(wrong, newNumber())).status).toBe(200)
    expect(await asked(approver, colleague, touched, officer)).toEqual([1, 1, 0, 0])
    const correction = (await correctionOf(wrong)).id
    expect((await decide(correction, 'approved', touched)).status).toBe(403)
    expect((await end(correction)).status).toBe(200)
    expect(await asked(approver, colleague, touched, officer)).toEqual([0, 0, 0, 0])
  }
  await portal.owner.query('update transfer_agencies set user_id = $1 where id = 1', [agencies[0].user_id])
})

test('a payment that was made again and still waits when a correction is approved goes to the corrected number, once', {
  timeout: 120_000,
}, async () => {
  const id = await imported('Made again', ending(2), { to: dayFromNow(59) })
  await approve(id)
  await settled(id)
  const [first] = (await payments(id)) as [Entry]
  const phone = newNumber()
  await portal.owner.query(
    "update transfer_rounds set due_on = (now() at time zone 'utc')::date where cohort_id = $1 and n = 2",
    [id],
  )
  await stage.progress(id, ({ round }) => round?.n === 2 && round.failed === 1)
  await stage.killWorker()
  // Both rounds have failed. The second payment is made again, and no worker has sent it yet.
  const [second] = (await payments(id)) as [Entry]
  expect((await retry([second])).status).toBe(200)
  expect((await propose(first, phone)).status).toBe(200)
  expect((await decide(await waitingOf('Made again'), 'approved')).status).toBe(200)
  expect(await stage.attemptsOf(second)).toMatchObject([
    { n: 1, state: 'failed' },
    { n: 2, state: 'failed' },
    { n: 3, state: 'pending', user_id: approver.user.id },
  ])
  stage.startWorker()
  await settled(id)
  expect(await payments(id)).toMatchObject([{ status: 'success', receiver_phone_number: phone }])
  const lines = (await agency.ledger()).filter(({ reference }) => reference === second.reference)
  expect(lines.map((line) => [line.phone, line.executed])).toEqual([
    [second.receiver_phone_number, 0],
    [phone, 1],
  ])
  expect((await verifyLedger(portal.db)).faults).toEqual([])
})

test('a payment of a round that was made before a correction and still waits goes to the corrected number', {
  timeout: 120_000,
}, async () => {
  const id = await imported('Made before', ending(2), { to: dayFromNow(59) })
  await approve(id)
  await settled(id)
  const [wrong] = (await payments(id)) as [Entry]
  await stage.killWorker()
  await portal.owner.query(
    "update transfer_rounds set due_on = (now() at time zone 'utc')::date where cohort_id = $1 and n = 2",
    [id],
  )
  expect((await approver.post(`/admin/transfers/cohorts/${id}/rounds/2/start`)).status).toBe(200)
  const phone = newNumber()
  expect((await propose(wrong, phone)).status).toBe(200)
  expect((await decide(await waitingOf('Made before'), 'approved')).status).toBe(200)
  stage.startWorker()
  await settled(id)
  const [second] = (await payments(id)) as [Entry]
  expect(second).toMatchObject({ status: 'success', receiver_phone_number: phone })
  const line = (await agency.ledger()).find(({ reference }) => reference === second.reference)
  expect(line).toMatchObject({ phone, executed: 1 })
  expect((await verifyLedger(portal.db)).faults).toEqual([])
})

test('a guardian who is paid only by a correction is erased with it, and not while her payment is open', {
  timeout: 120_000,
}, async () => {
  const { id, wrong } = await refused('Paid to her aunt')
  const phone = newNumber()
  const proposed = await officer.post(`/admin/transfers/master-list/${wrong.master_list_id}/corrections`, {
    receiver_first_name: 'Oumou',
    receiver_last_name: 'Sangaré',
    receiver_phone_number: phone,
    reason,
  })
  expect(proposed.status).toBe(200)
  expect((await decide(await waitingOf('Paid to her aunt'), 'approved')).status).toBe(200)
  await portal.owner.query(
    `with u as (insert into users (first_name, last_name, gender, type) values ('Oumou', 'Sangaré', 'female', 'partner') returning id),
      p as (insert into parents (user_id, parent_assigned_id, contact_1) select id, 'TUT-AUNT', $1 from u returning id)
     insert into parent_students (parent_id, student_id)
     select p.id, m.student_id from p, transfer_master_list m where m.id = $2`,
    [phone, wrong.master_list_id],
  )
  const erase = () => runCommand(portal.settings, 'person-erase', ['--guardian', 'TUT-AUNT'])
  expect((await erase()).err).toContain('failed and is arrears')
  expect((await retry([wrong])).status).toBe(200)
  await settled(id)
  expect(await erase()).toMatchObject({ code: 0, err: '' })
  const { rows } = await portal.owner.query(
    `select p.status, p.receiver_last_name, p.receiver_phone_number, k.new_values
     from transfer_payrolls p join recipient_corrections k on k.master_list_id = p.master_list_id where p.id = $1`,
    [wrong.id],
  )
  expect(rows).toEqual([
    { status: 'success', receiver_last_name: '—', receiver_phone_number: null, new_values: {} },
  ])
  expect((await verifyLedger(portal.db)).faults).toEqual([])
})

test('a payment that was under way when a correction was approved, and fails, is made again to the corrected number', {
  timeout: 120_000,
}, async () => {
  const id = await imported('Under way', ending(2), { to: dayFromNow(59) })
  await approve(id)
  await settled(id)
  const [wrong] = (await payments(id)) as [Entry]
  await agency.set({ latency_ms: 4_000 })
  await portal.owner.query(
    "update transfer_rounds set due_on = (now() at time zone 'utc')::date where cohort_id = $1 and n = 2",
    [id],
  )
  await stage.progress(id, ({ round }) => round?.n === 2 && round.sending === 1)
  const phone = newNumber()
  expect((await propose(wrong, phone)).status).toBe(200)
  expect((await decide(await waitingOf('Under way'), 'approved')).status).toBe(200)
  await stage.progress(id, ({ round }) => round.failed === 1)
  await agency.set({ latency_ms: 0 })
  const [second] = (await payments(id)) as [Entry]
  expect(second).toMatchObject({ status: 'failed', receiver_phone_number: phone, corrected: true })
  expect((await retry([second])).status).toBe(200)
  await settled(id)
  const lines = (await agency.ledger()).filter(({ reference }) => reference === second.reference)
  expect(lines.map((line) => [line.phone, line.executed])).toEqual([
    [wrong.receiver_phone_number, 0],
    [phone, 1],
  ])
  expect((await verifyLedger(portal.db)).faults).toEqual([])
})
