import { lastTwo, type Payment } from './books.ts'

const reason = (code: string) => `<StsRsnInf><Rsn><Cd>${code}</Cd></Rsn></StsRsnInf>`

function report(messageId: string, kind: string, group: string, payments: string): string {
  const head = `<MsgId>A-${kind}-${messageId.slice(0, 16)}</MsgId><CreDtTm>2026-01-01T00:00:00Z</CreDtTm>`
  return `<?xml version="1.0" encoding="UTF-8"?>
<Document xmlns="urn:iso:std:iso:20022:tech:xsd:pain.002.001.10"><CstmrPmtStsRpt><GrpHdr>${head}</GrpHdr>
<OrgnlGrpInfAndSts><OrgnlMsgId>${messageId}</OrgnlMsgId><OrgnlMsgNmId>pain.001.001.09</OrgnlMsgNmId>${group}</OrgnlGrpInfAndSts>
${payments && `<OrgnlPmtInfAndSts><OrgnlPmtInfId>${messageId}</OrgnlPmtInfId>${payments}</OrgnlPmtInfAndSts>`}
</CstmrPmtStsRpt></Document>
`
}

/** The bank has the file and has not decided. */
export const received = (messageId: string, payments: readonly Payment[]): string =>
  report(
    messageId,
    'received',
    '<GrpSts>ACTC</GrpSts>',
    payments.map(({ end_to_end_id }) => status(end_to_end_id, '<TxSts>PDNG</TxSts>')).join('\n'),
  )

/** What became of each payment. */
export const final = (messageId: string, payments: readonly Payment[]): string =>
  report(
    messageId,
    'final',
    '<GrpSts>PART</GrpSts>',
    payments
      .map(({ end_to_end_id, amount, account, transaction, reason: code }) => {
        const order = `<OrgnlTxRef><Amt><InstdAmt Ccy="XOF">${amount}</InstdAmt></Amt></OrgnlTxRef>`
        if (code !== null) return status(end_to_end_id, `<TxSts>RJCT</TxSts>${reason(code)}${order}`)
        if (lastTwo(account) === '04') return status(end_to_end_id, `<TxSts>ACSP</TxSts>${order}`)
        return status(end_to_end_id, `<TxSts>ACSC</TxSts><AcctSvcrRef>${transaction}</AcctSvcrRef>${order}`)
      })
      .join('\n'),
  )

/** The file was handed in a second time. */
export const again = (messageId: string): string =>
  report(messageId, 'again', `<GrpSts>RJCT</GrpSts>${reason('AM05')}`, '')

const status = (endToEndId: string, rest: string) =>
  `<TxInfAndSts><OrgnlEndToEndId>${endToEndId}</OrgnlEndToEndId>${rest}</TxInfAndSts>`

/** The statement of the paying account: each payment is booked for itself. */
export function statement(payments: readonly Payment[]): string {
  const entries = payments
    .filter(({ reason }) => reason === null)
    .map(
      ({ end_to_end_id, amount, account, name, transaction, at }) =>
        `<Ntry><Amt Ccy="XOF">${amount}</Amt><CdtDbtInd>DBIT</CdtDbtInd><Sts><Cd>BOOK</Cd></Sts><BookgDt><Dt>${at.slice(0, 10)}</Dt></BookgDt>` +
        `<NtryDtls><TxDtls><Refs><AcctSvcrRef>${transaction}</AcctSvcrRef><EndToEndId>${end_to_end_id}</EndToEndId></Refs>` +
        `<RltdPties><Cdtr><Pty><Nm>${name}</Nm></Pty></Cdtr><CdtrAcct><Id><Othr><Id>${account}</Id></Othr></Id></CdtrAcct></RltdPties>` +
        '</TxDtls></NtryDtls></Ntry>',
    )
  return `<?xml version="1.0" encoding="UTF-8"?>
<Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.053.001.08"><BkToCstmrStmt><GrpHdr><MsgId>S-${payments.length}</MsgId></GrpHdr><Stmt><Id>1</Id>
${entries.join('\n')}
</Stmt></BkToCstmrStmt></Document>
`
}
