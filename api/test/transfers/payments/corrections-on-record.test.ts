import { expect, test } from 'vitest'
import { verifyLedger } from '../../../src/transfers/ledger/ledger-check.service.ts'
import { runCommand } from '../../commands.ts'
import { exported, recordsOf } from '../../exports/workbook.ts'
import { type Entry, reason, startCorrections } from './correction-stage.ts'

const {
  portal,
  officer,
  approver,
  settled,
  retry,
  app,
  newNumber,
  propose,
  decide,
  waitingOf,
  correctionOf,
  refused,
} = await startCorrections()

const refusedByTheDatabase = { code: '23514' }

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

  const wanted = { cohort_id: id, search: 'sissoko' }
  const lines = await recordsOf(await exported(officer, '/admin/transfers/cohorts/export', wanted))
  expect(lines).toHaveLength(1)
  expect(lines[0]).toMatchObject({
    'Parent name': 'Nènè Sissokó',
    'Recipient number': phone,
    'Corrected, before': wrong.receiver_phone_number,
  })
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
