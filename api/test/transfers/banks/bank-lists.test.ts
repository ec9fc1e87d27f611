import { expect, test } from 'vitest'
import { accountHolder, bankList } from './bank.ts'
import { startBankFiles } from './bank-file-stage.ts'
import { readPain001 } from './pain001-rules.ts'
import { ribOf } from './rib.ts'

const stage = await startBankFiles()
const { portal, approver, approve, progress, bank, approved, filesOf, make, refuseAll, download } = stage

test('a girl whose bank has letters in its code is paid by her RIB, one with an IBAN by that, and one with a name in N’Ko as well', async () => {
  const begin = (n: number) => `01601012${String(n).padStart(12, '0')}`
  // In the key of a RIB the letters M and L count as 4 and 3.
  const key = (n: number) => String(97n - (BigInt(`43${begin(n)}00`) % 97n)).padStart(2, '0')
  const rib = `ML${begin(75)}${key(75)}`
  // In the check digits of an IBAN M is 22 and L is 21.
  const iban = `ML${String(98n - (BigInt(`${ribOf(76)}222100`) % 97n)).padStart(2, '0')}${ribOf(76)}`
  const inNko = accountHolder(77).with(0, 'ߊߥߊ').with(1, 'ߖߊߙߊ')
  const { round } = await approved('Letters', [
    accountHolder(75).with(5, rib),
    accountHolder(76).with(5, iban),
    inNko,
  ])
  const { body } = await make(round, { payments: 3, amount: 31_500 })
  const file = (await download(body.bank_file.download_url)).bytes.toString('utf8')
  expect(readPain001(file).faults).toEqual([])
  const inside = (element: string) =>
    [...file.matchAll(new RegExp(`<${element}>(.*)</${element}>`, 'g'))].map(([, text]) => text)
  const bban = (account: string) =>
    `<Id><Othr><Id>${account}</Id><SchmeNm><Cd>BBAN</Cd></SchmeNm></Othr></Id>`
  expect(inside('CdtrAcct')).toEqual([bban(rib), `<Id><IBAN>${iban}</IBAN></Id>`, bban(ribOf(77))])
  expect(inside('Cdtr').at(-1)).toBe('<Nm>-</Nm>')
})

test('a list that was read before its bank took files is refused as a whole, with the rows that name no bank', async () => {
  await portal.owner.query("update transfer_agencies set protocol = 'sandbox' where id = $1", [bank])
  const sent = await stage.upload(bankList([accountHolder(71), accountHolder(72, { bank: null })]), {
    name: 'Older list',
    transfer_agency_id: bank,
  })
  await stage.ended(sent.body.import.id)
  await portal.owner.query("update transfer_agencies set protocol = 'file' where id = $1", [bank])
  await approve(sent.body.cohort.id)
  const { round } = await progress(sent.body.cohort.id, ({ round }) => round?.pending === 2)
  const answer = await make(round.id, { payments: 2, amount: 21_000 })
  expect([answer.status, answer.body.message]).toEqual([
    409,
    expect.stringContaining('that a file can name: 3.'),
  ])
  expect((await filesOf(round.id)).bank_files).toEqual([])
  expect((await progress(sent.body.cohort.id, () => true)).round).toMatchObject({ pending: 2, sending: 0 })
})

test('a row without a bank is refused when the list of a bank that takes files is read', async () => {
  const rows = [accountHolder(61), accountHolder(62, { bank: null })]
  const sent = await stage.upload(bankList(rows), { name: 'No bank', transfer_agency_id: bank })
  expect(await stage.ended(sent.body.import.id)).toMatchObject({ rows_rejected: 1 })
})

test('an approver sees which girls of a bank’s list are paid to one account, and not that they share a telephone', async () => {
  const rows = [61, 62, 63, 64].map((n) => accountHolder(n).with(2, '76 00 00 61'))
  const sent = await stage.upload(bankList([...rows.slice(0, 3), (rows[3] ?? []).with(5, ribOf(61))]), {
    name: 'One account',
    transfer_agency_id: bank,
  })
  expect(await stage.ended(sent.body.import.id)).toMatchObject({ state: 'imported' })
  const { id } = sent.body.cohort
  expect((await stage.cohort(id)).check).toMatchObject({ shared_numbers: 1, shared_rows: 2 })
  const { body } = await approver.get(`/admin/transfers/cohorts/${id}/summary?shared=yes`)
  const shown = body.cohort.transfer_master_list.data
  expect(shown.map((row: { student: { student_code: string } }) => row.student.student_code)).toEqual([
    'KYS-000061',
    'KYS-000064',
  ])

  // So does whoever approves a correction to an account that another girl has.
  expect((await approve(id)).status).toBe(200)
  const { round } = await progress(id, (now) => now.round?.pending === 4)
  expect((await make(round.id, { payments: 4, amount: 4 * 10_500 })).status).toBe(200)
  await refuseAll(round.id)
  const { rows: entries } = await portal.owner.query(
    "select id from transfer_master_list where cohort_id = $1 and student_code = 'KYS-000062'",
    [id],
  )
  const proposed = await stage.officer.post(`/admin/transfers/master-list/${entries[0].id}/corrections`, {
    receiver_account: ribOf(63),
    reason: 'The guardian has another account since June',
  })
  expect(proposed.status).toBe(200)
  expect((await approver.get('/admin/transfers/corrections')).body.corrections.data).toMatchObject([
    { shared: 1 },
  ])
})
