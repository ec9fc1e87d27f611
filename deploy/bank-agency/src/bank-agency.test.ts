import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { final } from './answers.ts'
import { Books } from './books.ts'
import { readOrders } from './orders.ts'

const folder = mkdtempSync(join(tmpdir(), 'bank-agency-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const fileOf = (messageId: string, orders: [id: string, account: string][], sum = orders.length * 500) =>
  `<Document xmlns="urn:iso:std:iso:20022:tech:xsd:pain.001.001.09"><CstmrCdtTrfInitn>
  <GrpHdr><MsgId>${messageId}</MsgId><NbOfTxs>${orders.length}</NbOfTxs><CtrlSum>${sum}</CtrlSum></GrpHdr><PmtInf>${orders
    .map(
      ([id, account]) =>
        `<CdtTrfTxInf><PmtId><EndToEndId>${id}</EndToEndId></PmtId><Amt><InstdAmt Ccy="XOF">500</InstdAmt></Amt>
         <Cdtr><Nm>Awa</Nm></Cdtr><CdtrAcct><Id><Othr><Id>${account}</Id></Othr></Id></CdtrAcct></CdtTrfTxInf>`,
    )
    .join('')}</PmtInf></CstmrCdtTrfInitn></Document>`

test('the bank pays each order once, refuses closed accounts, and knows both after it was killed', () => {
  const books = new Books(folder)
  const file = readOrders(
    fileOf('one', [
      ['a', '101160101200000000002177'],
      ['b', '101160101200000000000177'],
    ]),
  )
  expect([books.take(file), books.take(file)]).toEqual([true, false])
  const later = new Books(folder)
  expect(later.take(readOrders(fileOf('two', [['a', '101160101200000000002177']])))).toBe(true)
  expect(later.payments.map(({ reason }) => reason)).toEqual([null, 'AC04', 'AM05'])
  expect(later.moved).toBe(500)
  expect(final('one', later.of('one'))).toMatch(/>a<.*<TxSts>ACSC<[\s\S]*>b<.*<TxSts>RJCT<.*<Cd>AC04</)
})

test('the bank takes no file whose sums are not those of its orders', () => {
  expect(() => readOrders(fileOf('three', [['c', '101160101200000000002177']], 1))).toThrow('sums')
  expect(() => readOrders('<Document/>')).toThrow('no pain.001')
})
