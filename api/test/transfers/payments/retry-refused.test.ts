import { expect, test } from 'vitest'
import { until } from '../../portal.ts'
import { type Entry, ids, path, startRetries } from './retries.ts'

const {
  portal,
  agency,
  officer,
  approver,
  imported,
  approve,
  progress,
  settled,
  payments,
  ending,
  used,
  paid,
  atAgency,
  attemptsOf,
  correct,
  retry,
} = await startRetries()

test('when two approvers retry the same payments at the same time, one succeeds and the other reads why not', {
  timeout: 120_000,
}, async () => {
  const { id, entries } = await paid('At once', 2, 3, 4)
  await correct(...entries)
  const other = await portal.signedInAs('Transfer Approver')
  const answers = await Promise.all([
    retry(entries),
    retry(entries, other),
    retry(entries),
    retry(entries, other),
  ])
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409])
  await settled(id)
  for (const entry of entries) {
    expect(await atAgency(entry)).toEqual({ keys: 2, moved: 1 })
    expect(await attemptsOf(entry)).toHaveLength(2)
  }
})

test('an approver whose selection contains payments that did not fail retries none of them, and reads the reason for each', {
  timeout: 120_000,
}, async () => {
  await agency.set({ hostile: [{ mode: 'pending_forever', numbers: ['40'] }] })
  const id = await imported('Mixed', ending(2, 10, 40, 3))
  await approve(id)
  await progress(id, ({ round }) => round?.success === 1 && round.failed === 2)
  const entries = await until(async () => {
    const now = await payments(id)
    return now[2]?.status === 'sending' && now
  })
  const [wrong, fine, pending, blocked] = entries as [Entry, Entry, Entry, Entry]
  // This response contradicts the refusal, so the money may have moved.
  await portal.owner.query(
    `insert into payment_exceptions (payroll_id, attempt_id, kind, expected, answered)
     select payroll_id, id, 'contradiction', 'failed', 'success' from payment_attempts where payroll_id = $1`,
    [blocked.id],
  )
  const refused = await approver.post(path, { payroll_ids: ids(entries) }, { 'accept-language': 'fr' })
  expect(refused.status).toBe(409)
  const french = JSON.parse(JSON.stringify(refused.body).replaceAll(/[\u00a0\u202f]/g, ' '))
  const name = (at: number) =>
    `Fatoumata Coulibaly ${used() - 4 + at}, ${entries[at - 1]?.receiver_phone_number}`
  expect(french).toEqual({
    message: 'Rien n’a été envoyé : 3 des 4 paiements choisis ne peuvent pas être relancés.',
    errors: {
      [`payroll_ids.${fine.id}`]: [`${name(2)} : Il a été payé.`],
      [`payroll_ids.${pending.id}`]: [`${name(3)} : Il est déjà en cours d’envoi.`],
      [`payroll_ids.${blocked.id}`]: [
        `${name(4)} : Une réponse ou un relevé de l’agence dit autre chose à son sujet et doit d’abord être examiné.`,
      ],
    },
  })
  const states = (all: readonly Entry[]) => all.map(({ id: payment, status }) => ({ payment, status }))
  expect(states(await payments(id))).toEqual(states(entries))
  expect(await attemptsOf(wrong)).toHaveLength(1)
  expect((await approver.post(path, { payroll_ids: [wrong.id, 999_999_999] })).status).toBe(404)
  expect(await attemptsOf(wrong)).toHaveLength(1)

  // A retry by reason leaves out this payment as well.
  expect(await approver.post(path, { cohort_id: id, reason: 'account_blocked' })).toMatchObject({
    status: 409,
    body: { message: 'No payment that failed for this reason can be made again. Reload the page.' },
  })
  await agency.set({ hostile: [] })
  await settled(id)
})

test('nobody can retry a payment whose outcome is unknown; the agency is asked about it', {
  timeout: 120_000,
}, async () => {
  await agency.set({ hostile: [{ mode: 'error_paid' }, { mode: 'not_json', on: ['key'] }] })
  const id = await imported('Unknown', ending(20))
  await approve(id)
  await progress(id, ({ round }) => round?.unknown === 1)
  const entries = await payments(id)
  const refused = await retry(entries)
  expect(refused.status).toBe(409)
  expect(refused.body.errors[`payroll_ids.${entries[0]?.id}`][0]).toContain('the money may have moved')
  await agency.set({ hostile: [] })
  await settled(id)
  expect(await atAgency(entries[0] as Entry)).toEqual({ keys: 1, moved: 1 })
})

test('nobody can retry payments of a list that she uploaded, or without the permission to approve', {
  timeout: 120_000,
}, async () => {
  const { id, entries } = await paid('Four eyes', 2)
  for (const who of [officer, await portal.signedInAs('Auditor')])
    expect((await retry(entries, who)).status).toBe(403)
  const uploader = await portal.signedIn('transfers.view', 'cohorts.approve')
  await portal.owner.query('update transfer_cohorts set user_id = $1 where id = $2', [uploader.user.id, id])
  const sentence = 'You uploaded this target list, so somebody else must decide on it.'
  expect(await retry(entries, uploader)).toMatchObject({ status: 403, body: { message: sentence } })
  const { body } = await uploader.get(`/admin/transfers/cohorts/${id}/payrolls`)
  expect(body.cohort.retry_barred).toBe(sentence)
  expect(await attemptsOf(entries[0] as Entry)).toHaveLength(1)
})

test('nobody can retry payments while the cohort is stopped or in error, its agency inactive, or sending held', {
  timeout: 120_000,
}, async () => {
  const { id, entries } = await paid('Not now', 2)
  const states: [string, string, string][] = [
    [
      `update transfer_cohorts set stopped_at = now() where id = ${id}`,
      `update transfer_cohorts set stopped_at = null where id = ${id}`,
      'Payments of this cohort are stopped. Resume them first.',
    ],
    [
      `update transfer_cohorts set status = 'error', error_reason = 'funds' where id = ${id}`,
      `update transfer_cohorts set status = 'approved', error_reason = null where id = ${id}`,
      'This cohort ended in a payment error. Retry its approval first.',
    ],
    [
      "update transfer_agencies set status = 'inactive'",
      "update transfer_agencies set status = 'active'",
      'The transfer agency is not active.',
    ],
    [
      "insert into sending_holds (reasons, known_until) values ('{absence}', now())",
      `update sending_holds set released_at = now(), released_by = ${approver.user.id}`,
      'No payments are being sent at all. Sending must be released first.',
    ],
  ]
  for (const [make, end, sentence] of states) {
    await portal.owner.query(make)
    expect(await retry(entries), sentence).toMatchObject({ status: 409, body: { message: sentence } })
    const page = await approver.get(`/admin/transfers/cohorts/${id}/payrolls`)
    expect(page.body.cohort.retry_barred).toBe(sentence)
    await portal.owner.query(end)
  }
  expect(await attemptsOf(entries[0] as Entry)).toHaveLength(1)
  expect((await retry(entries)).status).toBe(200)
  await settled(id)
})

test('an approver retries either selected payments or all payments of a cohort with one reason', async () => {
  for (const body of [
    {},
    { payroll_ids: [] },
    { payroll_ids: [1], at_most: 1 },
    { payroll_ids: [1], reason: '' },
    { cohort_id: 1 },
    { cohort_id: 1, reason: '' },
    { reason: 'account_unknown' },
  ]) {
    const refused = await approver.post(path, body)
    expect([refused.status, Object.keys(refused.body.errors ?? {})], JSON.stringify(body)).toEqual([
      422,
      ['payroll_ids'],
    ])
  }
  expect((await approver.post(path, { cohort_id: 999_999, reason: 'account_unknown' })).status).toBe(404)
})

test('a girl whose payment failed is paid after the period of her cohort too, until it is closed', {
  timeout: 120_000,
}, async () => {
  const { id, entries } = await paid('Late', 2, 3)
  await portal.owner.query(
    `update transfer_cohorts set "from" = "from" - 60, "to" = (now() at time zone 'utc')::date - 1 where id = $1`,
    [id],
  )
  await correct(...entries.slice(0, 1))
  expect((await retry(entries)).status).toBe(200)
  await settled(id)
  expect((await payments(id)).map(({ status }) => status).sort()).toEqual(['failed', 'success'])
  expect(await atAgency(entries[0] as Entry)).toEqual({ keys: 2, moved: 1 })
  const written = await approver.post('/admin/transfers/arrears/write-off', {
    payroll_ids: ids(entries.slice(1)),
    reason: 'She has left the country',
  })
  expect(written.status).toBe(200)
  expect(
    (await approver.post(`/admin/transfers/cohorts/${id}/close`, { reason: 'The year has ended' })).status,
  ).toBe(200)
  expect(await retry(entries)).toMatchObject({ status: 409 })
})
