import { expect, test } from 'vitest'
import { flagged } from '../../../src/transfers/cohorts/list-flags.service.ts'
import { cohortForm, dayFromNow, headings, recipient, sheetFile, startStage } from '../../cohorts.ts'
import { stopped } from '../../registers/registers.ts'
import { rowsRead } from '../../server/rows-read.ts'

const stage = await startStage(60)
const { portal, officer, approver, imported, approve, progress } = stage
await portal.worker()
const later = { from: dayFromNow(40), to: dayFromNow(60) }
const flagsOf = async (id: number) =>
  (await approver.get(`/admin/transfers/cohorts/${id}/flags`)).body.flags as {
    kind: string
    count: number
    rows: Record<string, unknown>[]
  }[]
const only = async (id: number, kind: string) => (await flagsOf(id)).find((flag) => flag.kind === kind)

test('an approver sees no flag on a list without anything unusual', async () => {
  const id = await imported(
    'Ordinary',
    [1, 2, 3, 4].map((n) => recipient(n)),
    later,
  )
  expect(await flagsOf(id)).toEqual([])
  expect((await approver.get('/admin/transfers/cohorts/999999/flags')).status).toBe(404)
})

test('an approver sees amounts above three times the parameter’s, and amounts far above the others of the list', async () => {
  const rows = Array.from({ length: 10 }, (_, n) => recipient(n + 1))
  rows[3] = recipient(4, { amount: 31_501 })
  rows[6] = recipient(7, { amount: 25_000 })
  const id = await imported('Amounts', rows, later)
  expect(await flagsOf(id)).toMatchObject([
    {
      kind: 'amount_parameter',
      count: 1,
      rows: [{ row: 5, student_code: 'KYS-000004', value: '31501', compared: '10500' }],
    },
    { kind: 'amount_spread', count: 1, rows: [{ row: 8, value: '25000', compared: '10500' }] },
  ])
})

test('an approver sees which recipients have another number than at the last payment, with both numbers', async () => {
  const first = await imported('Paid', [recipient(11), recipient(12)])
  await approve(first)
  await progress(first, ({ round }) => round?.success === 2)
  const id = await imported('Changed', [recipient(11), recipient(12, { phone: '+22370009911' })], later)
  expect(await only(id, 'number_changed')).toMatchObject({
    count: 1,
    rows: [{ row: 3, value: '+22370009911', compared: recipient(12)[2] }],
  })
  // Of the girl whose number is the same no payment is read.
  expect(await rowsRead(portal.db, flagged.number_changed(id), 'transfer_payrolls')).toBe(1)
})

test('an approver sees numbers of fixed lines, of other countries, and of operators that the agency does not serve', async () => {
  const phones = ['+22320221234', '+22322112345', '+22310000010', '+22366000010', '+22376000010']
  const rows = phones.map((phone, n) => recipient(20 + n, { phone }))
  const id = await imported('Ranges', rows, later)
  const ranges = async () => (await only(id, 'number_range'))?.rows.map(({ compared }) => compared)
  expect(await ranges()).toEqual(['fixed_line', 'other_country', 'no_known_range'])
  await portal.owner.query(
    `update transfer_agencies set details = details || '{"number_prefixes": ["7", "9"]}'`,
  )
  expect(await ranges()).toEqual(['fixed_line', 'other_country', 'no_known_range', 'other_operator'])
  await portal.owner.query(
    `update transfer_agencies set details = details || '{"number_prefixes": ["66", "76000"]}'`,
  )
  expect(await ranges()).toEqual(['fixed_line', 'other_country', 'no_known_range'])
  await portal.owner.query(
    `update transfer_agencies set details = details || '{"number_prefixes": ["66", "76001"]}'`,
  )
  expect(await ranges()).toEqual(['fixed_line', 'other_country', 'no_known_range', 'other_operator'])
  await portal.owner.query("update transfer_agencies set details = details - 'number_prefixes'")
})

test('an approver sees a recipient whose name differs from the guardian’s in the register', async () => {
  await portal.owner.query(`
    with u as (insert into users (first_name, last_name, gender, type) values ('Fatoumata', 'Coulibaly', 'female', 'partner'),
      ('Oumar', 'Keïta', 'male', 'partner') returning id, first_name),
    k as (insert into parents (user_id, parent_assigned_id) select id, 'P-' || id from u returning id, user_id)
    insert into parent_students (parent_id, student_id)
    select k.id, s.id from k join u on u.id = k.user_id
      join students s on s.student_code = any(case u.first_name when 'Oumar' then array['KYS-000031', 'KYS-000032', 'KYS-000033', 'KYS-000034']
        else array['KYS-000030'] end)`)
  const { rows: girls } = await portal.owner.query(`
    select u.first_name, u.last_name from students s join users u on u.id = s.user_id where s.student_code = 'KYS-000034'`)
  const named = (n: number, first: string, last: string) => [first, last, ...recipient(n).slice(2)]
  const id = await imported(
    'Names',
    [
      recipient(30),
      recipient(31),
      named(32, 'Oumar', 'Keïta'),
      named(33, 'KEITA', 'OUMAR'),
      named(34, girls[0].first_name, girls[0].last_name),
    ],
    later,
  )
  expect(await only(id, 'name_unlike')).toMatchObject({
    count: 1,
    rows: [{ row: 3, value: 'Fatoumata Coulibaly 31', compared: 'Oumar Keïta' }],
  })
  // Of five girls three are compared letter by letter, each with her own name and that of her guardian.
  expect(await rowsRead(portal.db, flagged.name_unlike(id), 'users')).toBe(6)
  // Nor are the names of all girls read where a list is so long that its rows are joined with registers as a whole.
  expect(await rowsRead(portal.db, flagged.name_unlike(id), 'own', ['nestloop', 'mergejoin'])).toBe(3)
})

test('an approver sees every cell that was changed in the review, with its value in the file', async () => {
  const sent = await officer.upload(
    '/admin/transfers/cohorts/import?review=1',
    cohortForm(sheetFile([headings, recipient(40), recipient(41)]), { name: 'Corrected', ...later }),
  )
  const { id } = sent.body.import
  await stopped(officer, id)
  await officer.post(`/imports/${id}/check`, { corrections: [{ row: 3, column: 'amount', value: '9000' }] })
  await officer.post(`/imports/${id}/confirm`, { corrections: [{ row: 3, column: 'amount', value: '9500' }] })
  await stopped(officer, id)
  expect(await only(sent.body.cohort.id, 'corrected')).toMatchObject({
    count: 1,
    rows: [{ row: 3, student_code: 'KYS-000041', column: 'amount', value: '9500', compared: '–' }],
  })
})

test('an approver sees a girl who is twice on a list of before that was refused, and that an overlap counts her once', async () => {
  const rows = [recipient(55), recipient(56), recipient(57)]
  const period = { from: dayFromNow(100), to: dayFromNow(120) }
  const earlier = await imported('Earlier list', rows, period)
  expect((await approve(earlier)).status).toBe(200)
  const id = await imported('From before', rows, period)
  expect(await only(id, 'girl_twice')).toBeUndefined()
  // Lists of then could have her twice, the second time by a code of hers that was corrected in the review.
  const { owner } = portal
  await owner.query('alter table transfer_master_list disable trigger girl_is_once_on_list')
  await owner.query(
    `insert into transfer_master_list (cohort_id, "row", receiver_first_name, receiver_last_name, receiver_phone_number, student_id, student_code, amount, fees)
     select cohort_id, 9, receiver_first_name, receiver_last_name, receiver_phone_number, student_id, 'KYS-OLD', amount, fees
     from transfer_master_list where cohort_id = $1 and student_code = 'KYS-000056'`,
    [id],
  )
  await owner.query('alter table transfer_master_list enable trigger girl_is_once_on_list')
  const row = { value: expect.stringMatching(/^Élève N° \d+$/) }
  expect(await only(id, 'girl_twice')).toMatchObject({
    count: 2,
    rows: [
      { ...row, row: 3, student_code: 'KYS-000056', compared: '9' },
      { ...row, row: 9, student_code: 'KYS-OLD', compared: '3' },
    ],
  })
  expect((await stage.cohort(id)).check.overlaps).toMatchObject([{ cohort_id: earlier, students: 3 }])
})
