import { expect, test } from 'vitest'
import { bellOf, linesWith } from '../../letters/notices.ts'
import { type Entry, reason, startCorrections } from './correction-stage.ts'

const {
  portal,
  officer,
  approver,
  payments,
  retry,
  app,
  newNumber,
  propose,
  decide,
  waiting,
  correctionOf,
  refused,
} = await startCorrections()

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
