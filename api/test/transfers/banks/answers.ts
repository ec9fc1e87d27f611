/** An answer of a bank (pain.002) to the file of this name, with what stands in its only group of payments. */
export const pain002 = (message: string, inside: string, group = '<GrpSts>PART</GrpSts>', version = '10') =>
  new File(
    [
      `<Document xmlns="urn:iso:std:iso:20022:tech:xsd:pain.002.001.${version}"><CstmrPmtStsRpt><GrpHdr><MsgId>A</MsgId></GrpHdr>
       <OrgnlGrpInfAndSts><OrgnlMsgId>${message}</OrgnlMsgId>${group}</OrgnlGrpInfAndSts><OrgnlPmtInfAndSts>${inside}
       </OrgnlPmtInfAndSts></CstmrPmtStsRpt></Document>`,
    ],
    'answer.xml',
  )
/** What the answer says of one payment. */
export const tx = (name: string | undefined, status: string, more = '') =>
  `<TxInfAndSts><OrgnlEndToEndId>${name}</OrgnlEndToEndId><TxSts>${status}</TxSts>${more}</TxInfAndSts>`
/** The code of a reason. */
export const why = (code: string) => `<StsRsnInf><Rsn><Cd>${code}</Cd></Rsn></StsRsnInf>`
