/** Who pays: the account of the programme at its bank. */
export type Payer = { name: string; account: string; bank: string }

/** What stands above the orders of a file. */
export type FileHead = {
  /** `MsgId` of the file, and `PmtInfId` of its only group. */
  message_id: string
  /** An instant as ISO 8601. */
  created_at: string
  payments: number
  /** The sum in whole francs. */
  amount: number
  payer: Payer
  /** What the recipients read on their statements. */
  purpose: string
}

/** One order of a file. */
export type FileOrder = {
  /** The key of its attempt. */
  key: string
  end_to_end_id: string
  amount: number
  name: string
  account: string
  bank: string
}

const begun = `<?xml version="1.0" encoding="UTF-8"?>
<Document xmlns="urn:iso:std:iso:20022:tech:xsd:pain.001.001.09">`

/**
 * A file of credit transfers (pain.001.001.09 of ISO 20022) up to its first order. Elements are in the order of the schema.
 * Texts have only characters that banks read (`bankText`), and the other values only letters and digits, so that nothing
 * has to be escaped.
 */
export const fileBegin = ({ message_id, created_at, payments, amount, payer }: FileHead): string => `${begun}
<CstmrCdtTrfInitn>
<GrpHdr>
<MsgId>${message_id}</MsgId>
<CreDtTm>${created_at}</CreDtTm>
<NbOfTxs>${payments}</NbOfTxs>
<CtrlSum>${amount}</CtrlSum>
<InitgPty><Nm>${bankText(payer.name, 70)}</Nm></InitgPty>
</GrpHdr>
<PmtInf>
<PmtInfId>${message_id}</PmtInfId>
<PmtMtd>TRF</PmtMtd>
<BtchBookg>false</BtchBookg>
<NbOfTxs>${payments}</NbOfTxs>
<CtrlSum>${amount}</CtrlSum>
<ReqdExctnDt><Dt>${created_at.slice(0, 10)}</Dt></ReqdExctnDt>
<Dbtr><Nm>${bankText(payer.name, 70)}</Nm></Dbtr>
<DbtrAcct>${accountOf(payer.account)}<Ccy>XOF</Ccy></DbtrAcct>
<DbtrAgt><FinInstnId><BICFI>${payer.bank}</BICFI></FinInstnId></DbtrAgt>
<ChrgBr>SHAR</ChrgBr>
`

/** One order. The recipient gets the amount in whole francs, because the CFA franc has no decimals. */
export const writeOrder = (
  { key, end_to_end_id, amount, name, account, bank }: FileOrder,
  purpose: string,
): string => `<CdtTrfTxInf>
<PmtId><InstrId>${key.replaceAll('-', '')}</InstrId><EndToEndId>${end_to_end_id}</EndToEndId></PmtId>
<Amt><InstdAmt Ccy="XOF">${amount}</InstdAmt></Amt>
<CdtrAgt><FinInstnId><BICFI>${bank}</BICFI></FinInstnId></CdtrAgt>
<Cdtr><Nm>${bankText(name, 70)}</Nm></Cdtr>
<CdtrAcct>${accountOf(account)}</CdtrAcct>
<Purp><Cd>SSBE</Cd></Purp>
<RmtInf><Ustrd>${bankText(purpose, 140)}</Ustrd></RmtInf>
</CdtTrfTxInf>
`

export const fileEnd = '</PmtInf>\n</CstmrCdtTrfInitn>\n</Document>\n'

/** An IBAN has 28 characters in Mali and Senegal, the RIB of a bank account 24. */
const accountOf = (account: string): string =>
  /^[A-Z]{2}\d{2}/.test(account) && account.length === 28
    ? `<Id><IBAN>${account}</IBAN></Id>`
    : `<Id><Othr><Id>${account}</Id><SchmeNm><Cd>BBAN</Cd></SchmeNm></Othr></Id>`

/** Letters that do not become plain ones by taking their accent off. */
const plain: Record<string, string> = {
  œ: 'oe',
  Œ: 'OE',
  æ: 'ae',
  Æ: 'AE',
  ß: 'ss',
  ø: 'o',
  Ø: 'O',
  ɛ: 'e',
  Ɛ: 'E',
  ɔ: 'o',
  Ɔ: 'O',
  ɲ: 'n',
  Ɲ: 'N',
  ŋ: 'n',
  Ŋ: 'N',
  ɓ: 'b',
  Ɓ: 'B',
  ɗ: 'd',
  Ɗ: 'D',
  ƴ: 'y',
  Ƴ: 'Y',
  '’': "'",
  '‘': "'",
  '–': '-',
  '—': '-',
  '&': '+',
}

/**
 * A text in the characters that all banks read: letters without accents, digits and `/-?:().,'+`. Others become spaces. It
 * is never empty, because the schema wants a character.
 */
function bankText(text: string, most: number): string {
  const letters = [...text.normalize('NFC')].map((sign) => plain[sign] ?? sign).join('')
  const kept = letters
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .replace(/[^A-Za-z0-9/\-?:().,'+]+/g, ' ')
    .trim()
    .slice(0, most)
    .trim()
  return kept || '-'
}
