import { limits, WorkbookProblem } from '@portal/excel/limits'
import { storable } from '../connectors/answer-check.ts'
import { readXml, type XmlVisitor } from './xml-reader.ts'

/** A status as a bank writes it, and its own code or words for the reason. */
export type BankStatus = { status: string | null; reason: string | null }

/** What a bank says about one order of a file. */
export type BankOrderStatus = BankStatus & {
  end_to_end_id: string
  /** The bank's own id of the payment. */
  transaction_id: string | null
  /** The amount that the bank repeats, as it wrote it; null if it repeats none. */
  amount: { written: string; currency: string } | null
}

/** A status report of a bank (pain.002) about one file. */
export type BankReport = {
  /** `MsgId` of the file. */
  message_id: string
  /**
   * The status of the whole file, which holds for the orders that have none of their own; that of a group of its payments, if the
   * report has one group. If the file came twice, its reason says so, whatever else the bank gives as one.
   */
  all: BankStatus
  orders: BankOrderStatus[]
}

const known = /^urn:iso:std:iso:20022:tech:xsd:pain\.002\.001\.(03|10)$/
const group = 'CstmrPmtStsRpt/OrgnlGrpInfAndSts'
const payment = 'CstmrPmtStsRpt/OrgnlPmtInfAndSts'
const order = `${payment}/TxInfAndSts`
const reason = ['StsRsnInf/Rsn/Cd', 'StsRsnInf/Rsn/Prtry']

/** A file or order that the bank had before. That says nothing of what became of the first one. */
export const isDuplicate = (code: string | null | undefined) => /^(AM05|DU0[1-5]|DUPL)$/.test(code ?? '')

/** Reads a report as a stream, within the limits of all XML files. Only the values that are needed are kept. */
export async function readPain002(path: string, signal: AbortSignal): Promise<BankReport> {
  const whole = new Map<string, string>()
  const orders: BankOrderStatus[] = []
  let current: Map<string, string> | null = null
  let groups = 0
  let currency = ''
  const visitor: XmlVisitor = {
    root(namespace, name) {
      if (!known.test(namespace) || name !== 'Document')
        throw new WorkbookProblem('bank_answer_kind', (namespace || name).slice(0, 100))
    },
    open(path, attribute) {
      const at = path.join('/')
      if (at === payment) {
        // A report may have several groups, each with a status for its own payments.
        groups += 1
        forget(whole, payment)
      } else if (at === order) {
        if (orders.length === limits.rows) throw new WorkbookProblem('statement_lines', limits.rows)
        current = new Map()
      } else if (at === `${order}/OrgnlTxRef/Amt/InstdAmt`) currency = attribute('Ccy') ?? ''
    },
    close(path, text) {
      const at = path.join('/')
      if (at === order && current) {
        orders.push(orderOf(current, currency, whole))
        current = null
        return
      }
      const [values, key] = current ? [current, at.slice(order.length + 1)] : [whole, at]
      // Of several reasons the first is kept, or the one that names a duplicate.
      const names = isDuplicate(text) && reason.some((each) => at.endsWith(each))
      if (names || (!values.has(key) && values.size < 100)) values.set(key, storable(text))
    },
  }
  for await (const _ of readXml(path, visitor, signal));
  const message_id = whole.get(`${group}/OrgnlMsgId`)
  if (!message_id) throw new WorkbookProblem('bank_answer_file')
  if (groups > 1) forget(whole, payment)
  const all = statusIn(whole, payment, 'PmtInfSts') ?? statusIn(whole, group, 'GrpSts') ?? none
  const twice = [reasonIn(whole, payment), reasonIn(whole, group)].find(isDuplicate)
  return { message_id, all: { ...all, reason: twice ?? all.reason }, orders }
}

/** Removes the values below a place. */
function forget(values: Map<string, string>, place: string): void {
  for (const key of values.keys()) if (key.startsWith(`${place}/`)) values.delete(key)
}

const none: BankStatus = { status: null, reason: null }

/** The status of the file or of its group of payments. One that only says "in part" says nothing of an order. */
function statusIn(values: Map<string, string>, place: string, name: string): BankStatus | null {
  const status = values.get(`${place}/${name}`)
  return status && status !== 'PART' ? { status, reason: reasonIn(values, place) } : null
}

const reasonIn = (values: Map<string, string>, place: string): string | null =>
  reasonOf(
    values,
    reason.map((key) => `${place}/${key}`),
  )

function orderOf(values: Map<string, string>, currency: string, whole: Map<string, string>): BankOrderStatus {
  const written = values.get('OrgnlTxRef/Amt/InstdAmt')
  const status = values.get('TxSts')
  const own = status
    ? { status, reason: reasonOf(values, reason) }
    : (statusIn(whole, payment, 'PmtInfSts') ?? none)
  return {
    ...own,
    end_to_end_id: (values.get('OrgnlEndToEndId') ?? '').slice(0, 35),
    transaction_id: values.get('AcctSvcrRef') || null,
    amount: written === undefined ? null : { written, currency },
  }
}

/** The code of a reason or, without one, the bank's own word. */
function reasonOf(values: Map<string, string>, keys: readonly string[]): string | null {
  const given = keys.map((key) => values.get(key)).filter((value) => value)
  return given.find(isDuplicate) ?? given[0] ?? null
}
