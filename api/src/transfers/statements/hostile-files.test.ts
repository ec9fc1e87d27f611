import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { say } from '@portal/contracts/sentences'
import { WorkbookProblem } from '@portal/excel/limits'
import { afterAll, expect, test } from 'vitest'
import { damagedBytes, oneOf } from '../../../test/mutations/bytes.ts'
import { slippedCsv } from '../../../test/mutations/csv.ts'
import { slippedXml } from '../../../test/mutations/xml.ts'
import { Random } from '../../../test/random.ts'
import { pain002, tx, why } from '../../../test/transfers/banks/answers.ts'
import { readPain002 } from '../iso20022/pain002.ts'
import type { Line } from '../iso20022/statement-line.ts'
import { formatOf, lookAtStatement, readStatement } from './statement-file.ts'

/**
 * Statements and answers of banks and agencies, broken by chance. A failure names the seed; `RANDOM_SEED` and `RANDOM_RUNS` make
 * others, and more.
 */
const seed = Number(process.env.RANDOM_SEED ?? 20_261_130)
const runs = Number(process.env.RANDOM_RUNS ?? 1)
const times = (count: number) => Array.from({ length: count * runs }, (_, n) => n)
const folder = mkdtempSync(join(tmpdir(), 'hostile-'))
afterAll(() => rmSync(folder, { recursive: true }))
const path = join(folder, 'statement')
const { signal } = new AbortController()

/** What a file gives, or the sentence with which it is refused. Any other error is a fault. */
async function refusable<Result>(
  bytes: Buffer,
  read: () => Promise<Result>,
): Promise<Result | { refused: string }> {
  writeFileSync(path, bytes)
  try {
    return await read()
  } catch (error) {
    if (error instanceof WorkbookProblem) return { refused: error.problem }
    throw error
  }
}

/** Reads a statement as an upload and its job do. */
const readLines = (bytes: Buffer) =>
  refusable(bytes, async (): Promise<{ refused: string } | { lines: Line[] }> => {
    const format = await formatOf(path)
    const looked = await lookAtStatement(path, format, undefined)
    if (looked.problem) return { refused: looked.problem }
    const lines: Line[] = []
    for await (const batch of readStatement(path, format, undefined, 'ml', signal)) lines.push(...batch)
    return { lines }
  })
type Read = Awaited<ReturnType<typeof readLines>>

const isStorable = (text: string | null, longest = 255) =>
  text === null || (text.length <= longest && !text.includes('\0') && text.isWellFormed())
const isSentence = (problem: string) =>
  (['en', 'fr'] as const).every((locale) => / .+\./s.test(say(problem, locale)))
const isDay = (day: string | null) =>
  day === null || (/^2[01]\d\d-\d\d-\d\d$/.test(day) && new Date(day).toISOString().startsWith(day))

function faultsOf(read: Read): string[] {
  if ('refused' in read) return isSentence(read.refused) ? [] : [`no sentence: ${read.refused}`]
  return read.lines.flatMap((line, n) => {
    const { row, amount, fee, day, problem, minus } = line
    const isFrancs = (value: number | null) =>
      value === null || (Number.isInteger(value) && value >= 0 && value <= 1e12)
    const isGood =
      Number.isInteger(row) &&
      row > (read.lines[n - 1]?.row ?? 0) &&
      row < 2 ** 31 &&
      [line.reference, line.transaction_id, line.number, line.name].every((text) => isStorable(text)) &&
      isFrancs(amount) &&
      isFrancs(fee) &&
      typeof minus === 'boolean' &&
      isDay(day) &&
      (problem === null
        ? amount !== null && day !== null
        : isSentence(problem) && isStorable(problem, 10_000))
    return isGood ? [] : [JSON.stringify(line).slice(0, 400)]
  })
}

/** What is wrong with how a broken file is read. */
async function judged(
  what: string,
  bytes: Buffer,
  more: (read: Read) => string[] = () => [],
): Promise<string[]> {
  const began = performance.now()
  const found = await readLines(bytes).then(
    (read) => [...faultsOf(read), ...more(read)],
    (error: Error) => [String(error.stack)],
  )
  if (performance.now() - began > 5_000) found.push(`took ${performance.now() - began} ms`)
  return found.map((fault) => `${what}: ${fault}`)
}

const amounts = [10_500, 21_000, 42_001, 7_777]
/** The pieces of a bank's statement: all but the amounts, which stand between them. */
function camtPieces(version: '053.001.08' | '053.001.02' | '054.001.08'): string[] {
  const [outer, inner] = version.startsWith('053')
    ? ['BkToCstmrStmt', 'Stmt']
    : ['BkToCstmrDbtCdtNtfctn', 'Ntfctn']
  const status = version.endsWith('02') ? 'BOOK' : '<Cd>BOOK</Cd>'
  const party = version.endsWith('02') ? '<Nm>Awa Diarra</Nm>' : '<Pty><Nm>Awa Diarra</Nm></Pty>'
  const head = `<?xml version="1.0" encoding="UTF-8"?>
    <Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.${version}"><${outer}><GrpHdr><MsgId>M-1</MsgId></GrpHdr><${inner}>`
  const entries = amounts.map((amount, n) => [
    `<Ntry><Amt Ccy="XOF">${amount}</Amt>`,
    `<CdtDbtInd>DBIT</CdtDbtInd><Sts>${status}</Sts><BookgDt><Dt>2026-10-0${n + 1}</Dt></BookgDt><AcctSvcrRef>E-${n}</AcctSvcrRef><NtryDtls><TxDtls>
      <Refs><AcctSvcrRef>B-${n}</AcctSvcrRef><EndToEndId>PR-${n}</EndToEndId></Refs>`,
    `<Amt Ccy="XOF">${amount}</Amt>`,
    `<CdtDbtInd>DBIT</CdtDbtInd><RltdPties><Cdtr>${party}</Cdtr><CdtrAcct><Id><Othr><Id>76 12 34 5${n}</Id></Othr></Id></CdtrAcct></RltdPties>`,
    `</TxDtls></NtryDtls></Ntry>`,
  ])
  return [head, ...entries.flat(), `</${inner}></${outer}></Document>`]
}
const versions = ['053.001.08', '053.001.02', '054.001.08'] as const

/** A line that nobody has to look at has the amount of its reference. */
const otherAmounts = (read: Read): string[] =>
  'refused' in read
    ? []
    : read.lines.flatMap(({ reference, amount, problem }) => {
        const own = amounts[Number(/^PR-(\d)$/.exec(reference ?? '')?.[1] ?? -1)]
        const isOwn = own === undefined ? amounts.includes(amount ?? -1) : amount === own
        return problem !== null || isOwn ? [] : [`${reference} has ${amount}`]
      })

test(
  'an accountant’s bank statement with damaged bytes is refused, or each line can be stored',
  async () => {
    const faults: string[] = []
    for (const n of times(100)) {
      const random = new Random(seed + n)
      const { what, bytes } = damagedBytes(random, Buffer.from(camtPieces(oneOf(random, versions)).join('')))
      faults.push(...(await judged(`${seed + n} ${what}`, bytes)))
    }
    expect(faults).toEqual([])
  },
  60_000 * runs,
)

test(
  'an accountant’s bank statement that a program wrote badly is refused, or each line can be stored',
  async () => {
    const faults: string[] = []
    for (const n of times(150)) {
      const random = new Random(seed + n)
      const { what, bytes } = slippedXml(random, camtPieces(oneOf(random, versions)).join(''))
      faults.push(...(await judged(`${seed + n} ${what}`, bytes)))
    }
    expect(faults).toEqual([])
  },
  60_000 * runs,
)

test(
  'no amount of a bank statement changes if a program writes something else badly',
  async () => {
    const faults: string[] = []
    for (const n of times(150)) {
      const random = new Random(seed + n)
      const pieces = camtPieces(oneOf(random, versions))
      const others = pieces.flatMap((piece, at) => (/^<(?:CdtDbtInd|Refs)/.test(piece) ? [at] : []))
      const at = oneOf(random, others)
      const { what, bytes } = slippedXml(random, pieces[at] ?? '')
      const made = Buffer.from(pieces.with(at, bytes.toString()).join(''))
      faults.push(
        ...(await judged(`${seed + n} ${what} ${bytes.toString().slice(0, 300)}`, made, otherAmounts)),
      )
    }
    expect(faults).toEqual([])
  },
  60_000 * runs,
)

test('an amount of a bank statement with something in its middle is the whole amount, or is refused', async () => {
  const faults: string[] = []
  for (const version of versions)
    for (const inside of [
      '<x/>',
      '<!-- 1 -->',
      '<?a 1?>',
      '<x>1</x>',
      '<y:x xmlns:y="urn:y"/>',
      '<Amt Ccy="XOF">5</Amt>',
    ]) {
      const text = camtPieces(version).join('').replaceAll('>10500<', `>105${inside}00<`)
      faults.push(...(await judged(inside, Buffer.from(text), otherAmounts)))
    }
  expect(faults).toEqual([])
})

const csv = [
  'Client reference;Transaction id;Name;Mobile;Amount;Fee;Timestamp',
  ...amounts.map(
    (amount, n) => `PR-${n};T-${n};Awa Diarra;+2237612345${n};${amount};105;2026-10-0${n + 1}T00:00:00Z`,
  ),
]

test(
  'an agency’s file of separated values that is broken is refused, or each line can be stored',
  async () => {
    const faults: string[] = []
    for (const n of times(150)) {
      const random = new Random(seed + n)
      const { what, bytes } = random.chance(0.3)
        ? damagedBytes(random, Buffer.from(csv.join('\r\n')))
        : slippedCsv(random, csv)
      faults.push(...(await judged(`${seed + n} ${what}`, bytes)))
    }
    expect(faults).toEqual([])
  },
  60_000 * runs,
)

test(
  'no amount of an agency’s file changes if another value of its line moves it',
  async () => {
    const faults: string[] = []
    for (const n of times(100)) {
      const random = new Random(seed + n)
      const lines = csv.map((line) => line.split(';'))
      const at = random.between(1, lines.length - 1)
      const cells = lines[at] ?? []
      const from = random.between(0, 3)
      const moved = random.chance(0.5)
        ? cells.toSpliced(from, 1)
        : cells.toSpliced(from, 0, oneOf(random, ['', 'x', '76']))
      const made = lines
        .with(at, moved)
        .map((line) => line.join(';'))
        .join('\n')
      faults.push(...(await judged(`${seed + n} ${moved}`, Buffer.from(made), otherAmounts)))
    }
    expect(faults).toEqual([])
  },
  60_000 * runs,
)

test(
  'an answer of a bank that is broken is refused, or all of it can be stored',
  async () => {
    const faults: string[] = []
    const inside = `<OrgnlPmtInfId>P</OrgnlPmtInfId>${tx('PR-1', 'ACSC', '<AcctSvcrRef>B-1</AcctSvcrRef>')}${tx(
      'PR-2',
      'RJCT',
      `${why('AC04')}<OrgnlTxRef><Amt><InstdAmt Ccy="XOF">10500</InstdAmt></Amt></OrgnlTxRef>`,
    )}`
    const good = `<?xml version="1.0"?>${await pain002('F-1', inside).text()}`
    for (const n of times(150)) {
      const random = new Random(seed + n)
      const { what, bytes } = random.chance(0.4)
        ? damagedBytes(random, Buffer.from(good))
        : slippedXml(random, good)
      const read = await refusable(bytes, () => readPain002(path, signal)).catch((error: Error) =>
        String(error.stack),
      )
      const isGood =
        typeof read === 'object' &&
        ('refused' in read
          ? isSentence(read.refused)
          : read.orders.every(
              ({ end_to_end_id, status, reason, transaction_id, amount }) =>
                isStorable(end_to_end_id, 35) &&
                [status, reason, transaction_id, amount?.written ?? null].every((text) =>
                  isStorable(text, 200),
                ),
            ) && isStorable(read.message_id, 200))
      if (!isGood) faults.push(`${seed + n} ${what}: ${JSON.stringify(read).slice(0, 600)}`)
    }
    expect(faults).toEqual([])
  },
  60_000 * runs,
)
