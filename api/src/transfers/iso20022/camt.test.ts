import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { say } from '@portal/contracts/sentences'
import { afterAll, expect, test } from 'vitest'
import { readCamt } from './camt.ts'
import type { Line } from './statement-line.ts'

const folder = mkdtempSync(join(tmpdir(), 'camt-'))
afterAll(() => rmSync(folder, { recursive: true }))

async function linesOf(content: string | Buffer): Promise<Line[]> {
  const path = join(folder, 'statement.xml')
  writeFileSync(path, content)
  const lines: Line[] = []
  for await (const batch of readCamt(path, 'ml', new AbortController().signal)) lines.push(...batch)
  return lines
}
/** The sentence that a file is refused with. */
const refusal = (content: string | Buffer) =>
  linesOf(content).then(
    () => 'read',
    (problem) => say(problem.problem, 'en'),
  )
/** The sentence of the only line of a file. */
async function problemOf(content: string): Promise<string> {
  const lines = await linesOf(content)
  expect(lines).toHaveLength(1)
  return say(lines[0]?.problem ?? 'none', 'en')
}

const camt = (entries: string, version = '053.001.08', head = '<?xml version="1.0" encoding="UTF-8"?>') => {
  const [outer, inner] = version.startsWith('053')
    ? ['BkToCstmrStmt', 'Stmt']
    : ['BkToCstmrDbtCdtNtfctn', 'Ntfctn']
  return `${head}<Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.${version}"><${outer}><GrpHdr><MsgId>M-1</MsgId></GrpHdr>
    <${inner}><Acct><Ccy>XOF</Ccy></Acct><Bal><Amt Ccy="XOF">900000</Amt></Bal>${entries}</${inner}></${outer}></Document>`
}
type Details = { reference?: string; amount?: string; currency?: string; account?: string; more?: string }
const details = ({
  reference = 'PR-1',
  amount = '10500',
  currency = 'XOF',
  account = '',
  more = '',
}: Details = {}) => `<TxDtls><Refs><AcctSvcrRef>B-1</AcctSvcrRef>${reference && `<EndToEndId>${reference}</EndToEndId>`}</Refs>
  <Amt Ccy="${currency}">${amount}</Amt><CdtDbtInd>DBIT</CdtDbtInd>${more}
  <RltdPties><Cdtr><Pty><Nm>Awa Diarra &amp; fille</Nm></Pty></Cdtr>${account && `<CdtrAcct><Id><Othr><Id>${account}</Id></Othr></Id></CdtrAcct>`}</RltdPties></TxDtls>`
const entry = (
  inside = details(),
  { side = 'DBIT', status = '<Cd>BOOK</Cd>', more = '', day = '2026-10-03' } = {},
) =>
  `<Ntry><Amt Ccy="XOF">10500</Amt><CdtDbtInd>${side}</CdtDbtInd>${more}<Sts>${status}</Sts><BookgDt><Dt>${day}</Dt></BookgDt>
   <AcctSvcrRef>E-1</AcctSvcrRef>${inside && `<NtryDtls>${inside}</NtryDtls>`}</Ntry>`

/** What kind of movement the bank calls it. */
const code = (kind: string) =>
  `<BkTxCd><Domn><Cd>PMNT</Cd><Fmly><Cd>ICDT</Cd><SubFmlyCd>${kind}</SubFmlyCd></Fmly></Domn></BkTxCd>`

const paid = {
  row: 1,
  reference: 'PR-1',
  transaction_id: 'B-1',
  number: null,
  name: 'Awa Diarra & fille',
  amount: 10500,
  minus: false,
  fee: null,
  day: '2026-10-03',
  problem: null,
}

test('an accountant’s bank statement gives a line for each payment, in both kinds and versions', async () => {
  expect(await linesOf(camt(entry()))).toEqual([paid])
  expect(await linesOf(camt(entry(), '054.001.08'))).toEqual([paid])
  const old = `<TxDtls><Refs><EndToEndId>PR-1</EndToEndId></Refs><AmtDtls><TxAmt><Amt Ccy="XOF">10500.00</Amt></TxAmt></AmtDtls>
    <Chrgs><TtlChrgsAndTaxAmt Ccy="XOF">105</TtlChrgsAndTaxAmt></Chrgs>
    <RltdPties><Cdtr><Nm>Awa</Nm></Cdtr><CdtrAcct><Id><Othr><Id>76 12 34 56</Id></Othr></Id></CdtrAcct></RltdPties></TxDtls>`
  const read = { ...paid, transaction_id: 'E-1', name: 'Awa', number: '+22376123456', fee: 105 }
  for (const version of ['053.001.02', '054.001.02'])
    expect(await linesOf(camt(entry(old, { status: 'BOOK' }), version))).toEqual([read])
})

test('an entry with many payments gives each its own line, and prefixes and Latin letters are read', async () => {
  const many = entry(details() + details({ reference: 'PR-2', amount: '7000' }), { more: '' })
  expect((await linesOf(camt(many))).map(({ row, reference, amount }) => [row, reference, amount])).toEqual([
    [1, 'PR-1', 10500],
    [2, 'PR-2', 7000],
  ])
  const prefixed = camt(entry())
    .replaceAll(/<(\/?)(?=[A-Z])/g, '<$1b:')
    .replace('xmlns=', 'xmlns:b=')
  expect(await linesOf(prefixed)).toEqual([paid])
  const latin = camt(
    entry(details().replace('Awa', 'Aïssé')),
    '053.001.08',
    '<?xml version="1.0" encoding="ISO-8859-1"?>',
  )
  expect((await linesOf(Buffer.from(latin, 'latin1')))[0]?.name).toBe('Aïssé Diarra & fille')
})

test('charges are the fee of a payment, and a moment with a zone is its day in UTC', async () => {
  const records = '<Chrgs><Rcrd><Amt Ccy="XOF">100</Amt></Rcrd><Rcrd><Amt Ccy="XOF">5.0</Amt></Rcrd></Chrgs>'
  const moment = entry(details({ more: records })).replace(
    '<Dt>2026-10-03</Dt>',
    '<DtTm>2026-10-03T23:30:00-01:00</DtTm>',
  )
  expect(await linesOf(camt(moment))).toEqual([{ ...paid, fee: 105, day: '2026-10-04' }])
  expect(await linesOf(camt(entry(details(), { day: '2026-10-03Z' })))).toEqual([paid])
})

test('money that came in and entries that are not booked are no payments', async () => {
  const others = ['<Cd>PDNG</Cd>', '<Cd>INFO</Cd>', '<Cd>FUTR</Cd>'].map((status) =>
    entry(details(), { status }),
  )
  const funded = entry('', { side: 'CRDT' })
  expect(await linesOf(camt(others.join('') + funded))).toEqual([])
})

test('a payment that the bank gave back, in whatever form it says so, is for a person', async () => {
  const back = /gave this payment back/
  const returned = '<RtrInf><Rsn><Cd>AC04</Cd></Rsn></RtrInf>'
  for (const given of [
    entry(details({ more: returned })),
    entry(details({ more: returned }), { side: 'CRDT' }).replaceAll('DBIT', 'CRDT'),
    entry(details(), { more: '<RvslInd>true</RvslInd>', side: 'CRDT' }).replaceAll('DBIT', 'CRDT'),
    entry(details(), { more: code('RRTN'), side: 'CRDT' }).replaceAll('DBIT', 'CRDT'),
    entry(details({ more: code('RPCR') }), { side: 'CRDT' }).replaceAll('DBIT', 'CRDT'),
    // Without a reference, and even without payments, only the code says that it is no new money.
    entry('', { more: code('RRTN'), side: 'CRDT' }),
  ])
    expect(await problemOf(camt(given))).toMatch(back)
})

test('money that came in with a reference is for a person, who reads that the bank does not call it a return', async () => {
  for (const incoming of [
    entry(details().replace('DBIT', 'CRDT')),
    entry(details({ more: code('ESCT') }), { side: 'CRDT' }).replaceAll('DBIT', 'CRDT'),
  ])
    expect(await problemOf(camt(incoming))).toMatch(/^Money came in with a reference/)
})

test('a line that is not whole francs or belongs to no payment stays, with a sentence', async () => {
  const told = async (given: Details) => problemOf(camt(entry(details(given))))
  expect(await told({ currency: 'EUR' })).toBe('“EUR” is not the currency of the programme, which is XOF.')
  for (const amount of ['10.500', '10500.5', '-10500', '1e4', '0x10', '10 500', '', '9'.repeat(30)])
    expect(await told({ amount }), amount).toBe(`“${amount}” is no amount in whole francs.`)
  expect(await told({ reference: '' })).toMatch(
    /neither a reference \(EndToEndId\) nor the recipient’s account/,
  )
  expect(await told({ reference: 'NOTPROVIDED' })).toMatch(/neither a reference/)
  expect(await linesOf(camt(entry(details({ reference: '', account: '76123456' }))))).toEqual([
    { ...paid, reference: null, number: '+22376123456' },
  ])
  expect(await problemOf(camt(entry(details(), { day: '2026-13-40' })))).toBe('“2026-13-40” is no day.')
  const fee = '<Chrgs><TtlChrgsAndTaxAmt Ccy="EUR">1</TtlChrgsAndTaxAmt></Chrgs>'
  expect(await told({ more: fee })).toBe('“1 EUR” is no fee in whole francs.')
  expect(await problemOf(camt(entry(details(), { status: '<Cd>WHAT</Cd>' })))).toBe(
    'The bank does not say that it booked this entry as a payment: “WHAT DBIT”.',
  )
  const sum = entry('<Btch><NbOfTxs>200</NbOfTxs></Btch>')
  expect(await problemOf(camt(sum))).toMatch(/booked 200 payments as one sum.*camt\.054/)
  const foreign = await linesOf(camt(entry(details({ currency: 'EUR' }))))
  expect(foreign[0]?.amount, 'euros are never counted as francs').toBeNull()
})

test('payments of one entry have neither its sum nor its transaction, also if the bank lists only one of them', async () => {
  const bare = '<TxDtls><Refs><EndToEndId>PR-1</EndToEndId></Refs></TxDtls>'
  const read = async (inside: string) =>
    (await linesOf(camt(entry(inside)))).map(({ amount, transaction_id }) => [amount, transaction_id])
  expect(await read(bare)).toEqual([[10500, 'E-1']])
  expect(await read(bare + bare)).toEqual([
    [null, null],
    [null, null],
  ])
  expect(await read(`<Btch><NbOfTxs>2</NbOfTxs></Btch>${bare}`)).toEqual([[null, null]])
})

test('a payment is of the day on which the bank booked it, or of its value if the bank does not say that', async () => {
  const valued = entry().replace('</BookgDt>', '</BookgDt><ValDt><Dt>2026-10-05</Dt></ValDt>')
  expect((await linesOf(camt(valued)))[0]?.day).toBe('2026-10-03')
  const unbooked = valued.replace('<BookgDt><Dt>2026-10-03</Dt></BookgDt>', '')
  expect((await linesOf(camt(unbooked)))[0]?.day).toBe('2026-10-05')
})

test('an amount of a million million francs is read, and no larger one', async () => {
  const read = async (amount: string) => (await linesOf(camt(entry(details({ amount })))))[0]?.amount
  expect([await read('1000000000000'), await read('1000000000001')]).toEqual([10 ** 12, null])
})

test('elements of another namespace are never taken for those of the bank', async () => {
  const extra = '<SplmtryData><Envlp xmlns="urn:x"><EndToEndId>PR-9</EndToEndId></Envlp></SplmtryData>'
  const foreign = '<x:Amt xmlns:x="urn:x" Ccy="XOF">1</x:Amt>'
  expect(await linesOf(camt(entry(foreign + details({ more: extra + foreign }))))).toEqual([paid])
})

test('a hostile or foreign file is refused with a sentence that says what is wrong', async () => {
  const bomb = '<!DOCTYPE d [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;">]>'
  const file = '<!DOCTYPE d [<!ENTITY f SYSTEM "file:///etc/passwd">]>'
  for (const doctype of [bomb, file, '<!DOCTYPE Document SYSTEM "http://127.0.0.1:9/x.dtd">'])
    expect(await refusal(camt(entry(), '053.001.08', doctype))).toMatch(/document type \(DTD\).*refused/)
  expect(await refusal(camt(entry(details({ reference: '&unknown;' }))))).toMatch(/damaged/)
  const other = camt(entry()).replaceAll('camt.053.001.08', 'pain.001.001.09')
  expect(await refusal(other)).toBe(
    'This XML file is no statement: choose a camt.053 or camt.054 of version 02 or 08. It is “urn:iso:std:iso:20022:tech:xsd:pain.001.001.09”.',
  )
  expect(await refusal('<rows><row/></rows>')).toMatch(/It is “rows”/)
  expect(await refusal(camt(entry()).slice(0, -40))).toMatch(/damaged/)
  expect(await refusal('<?xml version="1.0"?>')).toMatch(/damaged/)
  expect(await refusal(`${camt(entry())}<again/>`)).toMatch(/damaged/)
  const heavy = /more parts or levels than a statement has/
  expect(await refusal(camt('<Ntry>'.repeat(60)))).toMatch(heavy)
  const attributes = Array.from({ length: 1000 }, (_, n) => `a${n}=""`).join(' ')
  expect(await refusal(camt(entry().replace('<Ntry', `<Ntry ${attributes}`)))).toMatch(heavy)
  expect(await refusal(camt('<a/>'.repeat(2_100_000)))).toMatch(heavy)
  expect(await refusal(Buffer.from(camt(entry()).replace('Awa', 'Aïssé'), 'latin1'))).toMatch(/damaged/)
  const strange = '<?xml version="1.0" encoding="EBCDIC-CP-FR"?>'
  expect(await refusal(camt(entry(), '053.001.08', strange))).toMatch(/encoding/)
})
