import { SaxesParser } from 'saxes'

export type Order = { end_to_end_id: string; amount: number; name: string; account: string }
export type OrderFile = { message_id: string; orders: Order[] }

const root = 'Document/CstmrCdtTrfInitn'
const order = `${root}/PmtInf/CdtTrfTxInf`

/** Reads a pain.001. Throws for a file that is none, and for one whose sums are not those of its orders. */
export function readOrders(xml: string): OrderFile {
  const parser = new SaxesParser()
  const path: string[] = []
  const values = new Map<string, string>()
  const orders: Order[] = []
  let text = ''
  parser.on('error', (error) => {
    throw error
  })
  parser.on('opentag', ({ name, attributes }) => {
    path.push(name)
    text = ''
    if (path.length === 1 && attributes.xmlns !== 'urn:iso:std:iso:20022:tech:xsd:pain.001.001.09')
      throw new Error('The file is no pain.001.001.09.')
    if (name === 'InstdAmt' && attributes.Ccy !== 'XOF') throw new Error('The currency is not XOF.')
    if (path.join('/') === order) values.clear()
  })
  parser.on('text', (part) => {
    text += part
  })
  let head: Record<string, string> = {}
  parser.on('closetag', () => {
    const at = path.join('/')
    path.pop()
    if (at === order) {
      const of = (name: string) => values.get(`${order}/${name}`) ?? ''
      orders.push({
        end_to_end_id: of('PmtId/EndToEndId'),
        amount: Number(of('Amt/InstdAmt')),
        name: of('Cdtr/Nm'),
        account: of('CdtrAcct/Id/IBAN') || of('CdtrAcct/Id/Othr/Id'),
      })
    } else if (at.startsWith(`${root}/GrpHdr/`)) head = { ...head, [at.slice(root.length + 8)]: text }
    else values.set(at, text)
    text = ''
  })
  parser.write(xml).close()
  const sum = orders.reduce((sum, { amount }) => sum + amount, 0)
  if (!head.MsgId || Number(head.NbOfTxs) !== orders.length || Number(head.CtrlSum) !== sum)
    throw new Error('The sums of the file are not those of its orders.')
  return { message_id: head.MsgId, orders }
}
