import type { Country } from '@portal/contracts/fields'
import { sentence } from '@portal/contracts/imports/import-sentences'
import { limits, WorkbookProblem } from '@portal/excel/limits'
import { type Line, largest, readDay, readNumber, textOf } from './statement-line.ts'
import { readXml, type XmlVisitor } from './xml-reader.ts'

/** The values of an entry or of one of its payments, by their path below it. `Amt@Ccy` is an attribute. */
type Values = Map<string, string[]>
type Entry = { own: Values; payments: Values[] }

/** The amounts of charges, as one sum (version 02 and 08), as records (08), or one by one (02). */
const charges = ['Chrgs/TtlChrgsAndTaxAmt', 'Chrgs/Rcrd/Amt', 'Chrgs/Amt']
const amounts = ['Amt', 'AmtDtls/TxAmt/Amt', ...charges]
/** The kind of movement, of an entry or of one of its payments. */
const movement = 'BkTxCd/Domn/Fmly/SubFmlyCd'
/** Reversals because a payment was returned, or because its cancellation was asked for. */
const returnKinds = ['RRTN', 'RPCR']
/** The only values that are kept. Version 02 has `Sts` and `Cdtr/Nm`, version 08 `Sts/Cd` and `Cdtr/Pty/Nm`. */
const kept = new Set([
  ...amounts,
  'CdtDbtInd',
  'RvslInd',
  'Sts',
  'Sts/Cd',
  'BookgDt/Dt',
  'BookgDt/DtTm',
  'ValDt/Dt',
  'ValDt/DtTm',
  'AcctSvcrRef',
  movement,
  'NtryDtls/Btch/NbOfTxs',
  'Refs/AcctSvcrRef',
  'Refs/EndToEndId',
  'Refs/TxId',
  'RltdPties/Cdtr/Nm',
  'RltdPties/Cdtr/Pty/Nm',
  'RltdPties/CdtrAcct/Id/IBAN',
  'RltdPties/CdtrAcct/Id/Othr/Id',
])
/** That the bank gave a payment back. It may be said without a reason. */
const returned = 'RtrInf'

/**
 * Reads the payments of a bank's statement (camt.053) or notification (camt.054), as a stream. Entries that are not booked
 * yet, and money that came in without a reference, are left out. A payment that the bank gave back is a line for a person to look
 * at, and so is money that came in with a reference.
 */
export async function* readCamt(path: string, country: Country, signal: AbortSignal): AsyncGenerator<Line[]> {
  let lines: Line[] = []
  let row = 0
  const visitor = entriesTo((entry) => {
    for (const line of linesOf(entry, country)) {
      row += 1
      if (row > limits.rows) throw tooMany()
      lines.push({ row, ...line })
    }
  })
  for await (const _ of readXml(path, visitor, signal)) {
    if (lines.length > 0) yield lines
    lines = []
  }
}

const tooMany = () => new WorkbookProblem('statement_lines', limits.rows)

const known = /^urn:iso:std:iso:20022:tech:xsd:camt\.(053|054)\.001\.0[28]$/

/** Collects the values of each entry, and gives it on when it ends. */
function entriesTo(take: (entry: Entry) => void): XmlVisitor {
  let entryAt = ''
  let entry: Entry | null = null
  let payment: Values | null = null
  /** Where a value is kept, and under which path. */
  const placeOf = (path: readonly string[]): [Values, string] | null => {
    if (!entry) return null
    const below = path.slice(3)
    return payment ? [payment, below.slice(2).join('/')] : [entry.own, below.join('/')]
  }
  const keep = (path: readonly string[], text: string, suffix = '') => {
    const [values, key] = placeOf(path) ?? []
    if (!values || key === undefined || !(kept.has(key) || key === returned)) return
    const before = values.get(key + suffix)
    if (!before) values.set(key + suffix, [text.slice(0, 255)])
    else if (charges.includes(key)) before.push(text.slice(0, 255))
  }
  return {
    root(namespace, name) {
      const kind = known.exec(namespace)?.[1]
      if (!kind || name !== 'Document')
        throw new WorkbookProblem('xml_kind', (namespace || name).slice(0, 100))
      entryAt = kind === '053' ? 'BkToCstmrStmt/Stmt/Ntry' : 'BkToCstmrDbtCdtNtfctn/Ntfctn/Ntry'
    },
    open(path, attribute) {
      const at = path.join('/')
      if (at === entryAt) entry = { own: new Map(), payments: [] }
      else if (entry && at === `${entryAt}/NtryDtls/TxDtls`) {
        payment = new Map()
        if (entry.payments.push(payment) > limits.rows) throw tooMany()
      } else if (entry && amounts.includes(placeOf(path)?.[1] ?? ''))
        keep(path, attribute('Ccy') ?? '', '@Ccy')
    },
    close(path, text) {
      const at = path.join('/')
      if (entry && at === entryAt) {
        take(entry)
        entry = null
      } else if (payment && at === `${entryAt}/NtryDtls/TxDtls`) payment = null
      else keep(path, text)
    },
  }
}

/** A line for each payment of an entry; one for an entry that does not list its payments. */
function linesOf({ own, payments }: Entry, country: Country): Omit<Line, 'row'>[] {
  const status = first(own, 'Sts/Cd', 'Sts') ?? ''
  if (['PDNG', 'INFO', 'FUTR'].includes(status)) return []
  const batch = Number(first(own, 'NtryDtls/Btch/NbOfTxs') ?? 1)
  const around = { status, batch, listed: payments.length > 0, only: payments.length <= 1 && batch === 1 }
  return (around.listed ? payments : [new Map()]).flatMap((payment) => {
    const line = lineOf(own, payment, around, country)
    return line ? [line] : []
  })
}

/** What a payment has to know of its entry. `only`: the entry is this payment alone, so that its amount is the payment's. */
type Around = { status: string; batch: number; listed: boolean; only: boolean }

function lineOf(own: Values, payment: Values, around: Around, country: Country): Omit<Line, 'row'> | null {
  const side = first(payment, 'CdtDbtInd') ?? first(own, 'CdtDbtInd') ?? ''
  const reference = referenceOf(payment)
  const back =
    payment.has(returned) ||
    isTrue(first(own, 'RvslInd')) ||
    returnKinds.includes(firstOf([payment, own], [movement]) ?? '')
  if (side === 'CRDT' && !back && reference === null) return null
  const money = around.only ? [payment, own] : [payment]
  const amount = francsOf(money, ['Amt', 'AmtDtls/TxAmt/Amt'])
  const fee = chargesOf(money)
  const written = firstOf([own], ['BookgDt/Dt', 'BookgDt/DtTm', 'ValDt/Dt', 'ValDt/DtTm']) ?? ''
  // xs:date may end with a zone, and a day with a zone is still that day.
  const day = readDay(written.replace(/^(\d{4}-\d{2}-\d{2})(?:Z|[+-]\d{2}:\d{2})$/, '$1'))
  const number = firstOf([payment], ['RltdPties/CdtrAcct/Id/IBAN', 'RltdPties/CdtrAcct/Id/Othr/Id'])
  const line = {
    reference,
    transaction_id: textOf(
      first(payment, 'Refs/AcctSvcrRef', 'Refs/TxId') ?? (around.only ? first(own, 'AcctSvcrRef') : null),
    ),
    number: readNumber(number, country),
    name: textOf(first(payment, 'RltdPties/Cdtr/Pty/Nm', 'RltdPties/Cdtr/Nm')),
    amount: amount.francs,
    minus: false,
    fee: fee.francs,
    day,
  }
  const problem = () => {
    if (back) return sentence('statement_returned')
    if (side === 'CRDT') return sentence('statement_incoming')
    if (around.status !== 'BOOK' || side !== 'DBIT')
      return sentence('statement_entry', `${around.status} ${side}`)
    if (!around.listed && around.batch !== 1) return sentence('statement_batch', around.batch)
    if (amount.foreign !== null) return sentence('statement_currency', amount.foreign)
    if (amount.francs === null) return sentence('statement_amount', amount.written)
    if (day === null) return sentence('statement_day', written)
    if (fee.francs === null && fee.written !== '') return sentence('statement_fee', fee.written)
    return reference === null && line.number === null ? sentence('statement_reference') : null
  }
  return { ...line, problem: problem() }
}

/** Our reference. Banks write NOTPROVIDED for an order without one. */
function referenceOf(payment: Values): string | null {
  const reference = textOf(first(payment, 'Refs/EndToEndId'))
  return reference === 'NOTPROVIDED' ? null : reference
}

type Francs = { francs: number | null; written: string; foreign: string | null }

/** The first amount that is given. One of another currency is none in francs. */
function francsOf(places: readonly Values[], keys: readonly string[]): Francs {
  for (const values of places)
    for (const key of keys) {
      const written = values.get(key)?.[0]
      if (written === undefined) continue
      const currency = values.get(`${key}@Ccy`)?.[0] ?? ''
      if (currency !== 'XOF') return { francs: null, written, foreign: currency }
      return { francs: readXmlFrancs(written), written, foreign: null }
    }
  return { francs: null, written: '', foreign: null }
}

/** The sum of the charges, or nothing if one of them is not in whole francs. */
function chargesOf(places: readonly Values[]): Francs {
  for (const values of places)
    for (const key of charges) {
      const written = values.get(key)
      if (!written) continue
      const currencies = values.get(`${key}@Ccy`) ?? []
      const each = written.map((text, n) => (currencies[n] === 'XOF' ? readXmlFrancs(text) : null))
      const sum = each.reduce((sum, francs) => (sum === null || francs === null ? null : sum + francs), 0)
      const shown = written
        .map((text, n) => `${text} ${currencies[n]}`)
        .join(' + ')
        .slice(0, 100)
      return { francs: sum !== null && sum <= largest ? sum : null, written: shown, foreign: null }
    }
  return { francs: null, written: '', foreign: null }
}

/**
 * Whole francs as XML writes decimals: a point and no groups, so that 10.500 is ten and a half. Decimals other than zeros
 * are refused, because the franc has none.
 */
export function readXmlFrancs(text: string): number | null {
  const francs = Number(/^(\d{1,13})(?:\.0{1,5})?$/.exec(text)?.[1] ?? Number.NaN)
  return francs <= largest ? francs : null
}

const isTrue = (text: string | null) => text === 'true' || text === '1'
const first = (values: Values, ...keys: string[]) => firstOf([values], keys)

function firstOf(places: readonly Values[], keys: readonly string[]): string | null {
  for (const values of places)
    for (const key of keys) {
      const text = values.get(key)?.[0]
      if (text !== undefined) return text
    }
  return null
}
