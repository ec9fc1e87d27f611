export type Entry = { name: string; side?: 'DBIT' | 'CRDT'; amount?: number; account?: string; id?: string }

/** A bank's statement (camt.053) that has booked these entries on this day. */
export function camtFile(entries: Entry[], day: string): File {
  const text = entries.map(({ name, side = 'DBIT', amount = 10_500, account, id = name }) => {
    const to = account ? `<RltdPties><CdtrAcct><Id><IBAN>${account}</IBAN></Id></CdtrAcct></RltdPties>` : ''
    return `<Ntry><Amt Ccy="XOF">${amount}</Amt><CdtDbtInd>${side}</CdtDbtInd><Sts><Cd>BOOK</Cd></Sts><BookgDt><Dt>${day}</Dt></BookgDt>
      <NtryDtls><TxDtls><Refs><AcctSvcrRef>${side} ${id}</AcctSvcrRef><EndToEndId>${name}</EndToEndId></Refs>${to}</TxDtls></NtryDtls></Ntry>`
  })
  const space = 'urn:iso:std:iso:20022:tech:xsd:camt.053.001.08'
  return new File(
    [`<Document xmlns="${space}"><BkToCstmrStmt><Stmt>${text.join('')}</Stmt></BkToCstmrStmt></Document>`],
    'a.xml',
  )
}
