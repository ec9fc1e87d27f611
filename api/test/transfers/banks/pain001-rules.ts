import { SaxesParser } from 'saxes'

/**
 * The rules of pain.001.001.09 for what the portal writes, from the published message definition (CustomerCreditTransferInitiation
 * V09) and not from the portal's code: the children of each element in their order, and the form of each value. No schema is
 * at hand here, so this is a reading of it: an element that is not in the table is a fault, whether the schema has it or not.
 */
type Rule = { value: RegExp } | { children: readonly string[] }

/** The characters that SWIFT's networks carry, without those at the ends that it trims. */
const text = (most: number) => ({ value: new RegExp(`^(?! )[A-Za-z0-9/?:().,'+ -]{1,${most}}(?<! )$`) })
const children = (...names: string[]) => ({ children: names })
const decimal = { value: /^\d{1,18}$/ }
const bic = { value: /^[A-Z0-9]{4}[A-Z]{2}[A-Z0-9]{2}([A-Z0-9]{3})?$/ }
const agent = children('FinInstnId')

const rules: Record<string, Rule> = {
  Document: children('CstmrCdtTrfInitn'),
  CstmrCdtTrfInitn: children('GrpHdr', 'PmtInf+'),
  GrpHdr: children('MsgId', 'CreDtTm', 'NbOfTxs', 'CtrlSum?', 'InitgPty'),
  MsgId: text(35),
  CreDtTm: { value: /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/ },
  NbOfTxs: { value: /^[0-9]{1,15}$/ },
  CtrlSum: decimal,
  InitgPty: children('Nm'),
  Nm: text(140),
  PmtInf: children(
    ...[
      'PmtInfId',
      'PmtMtd',
      'BtchBookg?',
      'NbOfTxs?',
      'CtrlSum?',
      'ReqdExctnDt',
      'Dbtr',
      'DbtrAcct',
      'DbtrAgt',
      'ChrgBr?',
    ],
    'CdtTrfTxInf+',
  ),
  PmtInfId: text(35),
  PmtMtd: { value: /^(CHK|TRF|TRA)$/ },
  BtchBookg: { value: /^(true|false)$/ },
  ReqdExctnDt: children('Dt'),
  Dt: { value: /^\d{4}-\d\d-\d\d$/ },
  Dbtr: children('Nm'),
  DbtrAcct: children('Id', 'Ccy?'),
  CdtrAcct: children('Id'),
  'DbtrAcct/Id': children('IBAN|Othr'),
  'CdtrAcct/Id': children('IBAN|Othr'),
  IBAN: { value: /^[A-Z]{2}[0-9]{2}[a-zA-Z0-9]{1,30}$/ },
  Othr: children('Id', 'SchmeNm?'),
  'Othr/Id': text(34),
  SchmeNm: children('Cd'),
  'SchmeNm/Cd': text(4),
  Ccy: { value: /^[A-Z]{3}$/ },
  DbtrAgt: agent,
  CdtrAgt: agent,
  FinInstnId: children('BICFI'),
  BICFI: bic,
  ChrgBr: { value: /^(DEBT|CRED|SHAR|SLEV)$/ },
  CdtTrfTxInf: children('PmtId', 'Amt', 'CdtrAgt?', 'Cdtr?', 'CdtrAcct?', 'Purp?', 'RmtInf?'),
  PmtId: children('InstrId?', 'EndToEndId'),
  InstrId: text(35),
  EndToEndId: text(35),
  Amt: children('InstdAmt'),
  // The CFA franc has no decimals.
  InstdAmt: decimal,
  Cdtr: children('Nm'),
  Purp: children('Cd'),
  'Purp/Cd': text(4),
  RmtInf: children('Ustrd'),
  Ustrd: text(140),
}

export type ReadOrder = {
  end_to_end_id: string
  instruction_id: string
  amount: number
  name: string
  account: string
  bank: string
}
export type ReadFile = {
  faults: string[]
  message_id: string
  payments: number
  amount: number
  orders: ReadOrder[]
}

type Node = { name: string; text: string; children: Node[]; attributes: Record<string, string> }

/** Reads a file and says what in it is against the rules. */
export function readPain001(xml: string): ReadFile {
  const root = treeOf(xml)
  const faults: string[] = []
  if (root.attributes.xmlns !== 'urn:iso:std:iso:20022:tech:xsd:pain.001.001.09') faults.push('namespace')
  follow(root, '', faults)
  const orders = all(root, 'CdtTrfTxInf').map(
    (order): ReadOrder => ({
      end_to_end_id: value(order, 'EndToEndId'),
      instruction_id: value(order, 'InstrId'),
      amount: Number(value(order, 'InstdAmt')),
      name: value(order, 'Nm'),
      account: value(order, 'IBAN') || value(order, 'Othr', 'Id'),
      bank: value(order, 'BICFI'),
    }),
  )
  for (const amount of all(root, 'InstdAmt')) if (amount.attributes.Ccy !== 'XOF') faults.push('Ccy')
  const sum = orders.reduce((sum, { amount }) => sum + amount, 0)
  for (const part of [...all(root, 'GrpHdr'), ...all(root, 'PmtInf')]) {
    if (Number(value(part, 'NbOfTxs')) !== orders.length) faults.push(`${part.name}/NbOfTxs`)
    if (Number(value(part, 'CtrlSum')) !== sum) faults.push(`${part.name}/CtrlSum`)
  }
  for (const id of ['end_to_end_id', 'instruction_id'] as const)
    if (new Set(orders.map((order) => order[id])).size !== orders.length) faults.push(`${id} twice`)
  return { faults, message_id: value(root, 'MsgId'), payments: orders.length, amount: sum, orders }
}

function follow(node: Node, parent: string, faults: string[]) {
  const rule = rules[`${parent}/${node.name}`] ?? rules[node.name]
  if (!rule) faults.push(`${parent}/${node.name}`)
  else if ('value' in rule) {
    if (node.children.length > 0 || !rule.value.test(node.text)) faults.push(`${node.name}: ${node.text}`)
  } else {
    const order = rule.children.map((child) => {
      const [, names = '', times = ''] = /^([\w|]+)([?+]?)$/.exec(child) ?? []
      return `(?:(?:${names}) )${times}`
    })
    const found = node.children.map(({ name }) => `${name} `).join('')
    if (!new RegExp(`^${order.join('')}$`).test(found)) faults.push(`${node.name} has ${found.slice(0, 200)}`)
    for (const child of node.children) follow(child, node.name, faults)
  }
}

function treeOf(xml: string): Node {
  const stack: Node[] = [{ name: '', text: '', children: [], attributes: {} }]
  const parser = new SaxesParser()
  parser.on('error', (error) => {
    throw error
  })
  parser.on('opentag', ({ name, attributes }) => {
    const node: Node = { name, text: '', children: [], attributes: attributes as Record<string, string> }
    stack.at(-1)?.children.push(node)
    stack.push(node)
  })
  parser.on('text', (part) => {
    const node = stack.at(-1) as Node
    node.text += part
  })
  parser.on('closetag', () => stack.pop())
  parser.write(xml).close()
  return stack[0]?.children[0] as Node
}

function all(node: Node, name: string): Node[] {
  return [...(node.name === name ? [node] : []), ...node.children.flatMap((child) => all(child, name))]
}
function value(node: Node, ...path: string[]): string {
  let at: Node | undefined = node
  for (const name of path) at = at && all(at, name)[0]
  return at?.text ?? ''
}
