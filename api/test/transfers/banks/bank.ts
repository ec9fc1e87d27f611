import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Stage, sheetFile } from '../../cohorts.ts'
import type { Portal } from '../../portal.ts'
import { endAgency, launchAgency } from '../agencies/agency.ts'
import { readPain001 } from './pain001-rules.ts'
import { ribOf } from './rib.ts'

const headings = [
  'receiver_first_name',
  'receiver_last_name',
  'receiver_phone_number',
  'student_code',
  'amount',
  'receiver_account',
  'receiver_bank',
]

/** Row `n` of a list for a bank. */
export const accountHolder = (n: number, fields: { name?: string; bank?: string | null } = {}) => [
  fields.name ?? 'Fatoumata',
  `Coulibaly ${n}`,
  null,
  `KYS-${String(n).padStart(6, '0')}`,
  null,
  ribOf(n),
  fields.bank === undefined ? 'BMSMMLBA' : fields.bank,
]

/** A list for a bank as a file. */
export const bankList = (rows: (string | number | null)[][]) => sheetFile([headings, ...rows])

export const payer = {
  payer_name: 'Programme des bourses',
  payer_account: ribOf(999),
  payer_bank: 'BDMAMLBA',
}

/** An administrator adds a bank that takes files, over HTTP. Returns its id. */
export async function addBank(
  portal: Portal,
  name = 'Banque du Fleuve',
  details: object = payer,
): Promise<number> {
  const admin = await portal.signedInAs('Administrator')
  const made = await admin.post('/admin/transfers/agency', {
    name,
    description: 'Account of the programme',
    type: 'bank',
    country: 'ml',
    fees: 0.75,
    endpoint: 'https://www.banque-du-fleuve.example',
    details: { protocol: 'file', ...details },
  })
  if (made.status !== 200) throw new Error(JSON.stringify(made.body))
  const { rows } = await portal.owner.query('select id::int from transfer_agencies where name = $1', [name])
  return rows[0].id
}

/** A round whose file is made: its names of payments, in the order of the list. */
export type SentFile = { cohort: number; round: number; file: Buffer; message: string; names: string[] }

/** Uploads and approves a list for a bank, and makes its file. */
export async function sentFile(
  stage: Stage,
  agency: number,
  name: string,
  numbers: number[],
): Promise<SentFile> {
  const upload = await stage.upload(bankList(numbers.map((n) => accountHolder(n))), {
    name,
    transfer_agency_id: agency,
  })
  const ended = await stage.ended(upload.body.import.id)
  if (ended.state !== 'imported') throw new Error(JSON.stringify(ended))
  const id = upload.body.cohort.id
  await stage.approve(id)
  const { round } = await stage.progress(id, ({ round }) => round?.pending === numbers.length)
  const sums = { payments: numbers.length, amount: numbers.length * 10_500 }
  const made = await stage.approver.post(`/admin/transfers/cohorts/payroll/${round.id}/bank-files`, sums)
  const file = (await stage.approver.get(made.body.bank_file.download_url)).bytes
  const { message_id: message, orders } = readPain001(file.toString('utf8'))
  const names = orders.map(({ end_to_end_id }) => end_to_end_id)
  return { cohort: id, round: round.id, file, message, names }
}

/** A payment of the bank's own ledger. `reason` is null for one that it made. */
export type BankPayment = {
  end_to_end_id: string
  account: string
  amount: number
  reason: string | null
  at: string
}
type Ledger = { payments: BankPayment[]; moved: number; files: number }

/** Starts the simulated bank as a process with its own ledger. */
export async function startBank() {
  const folder = mkdtempSync(join(tmpdir(), 'portal-bank-'))
  const { child, url } = await launchAgency({ BANK_AGENCY_PORT: '0', BANK_AGENCY_DIR: folder }, 'bank')
  const read = async (path: string) => {
    const answer = await fetch(`${url}${path}`)
    if (!answer.ok) throw new Error(await answer.text())
    return answer.text()
  }
  return {
    /** Hands in a file. Returns whether the bank took it. */
    async take(file: Buffer): Promise<boolean> {
      const answer = await fetch(`${url}/files`, { method: 'POST', body: new Uint8Array(file) })
      if (!answer.ok) throw new Error(await answer.text())
      return ((await answer.json()) as { taken: boolean }).taken
    },
    answer: async (messageId: string, which: 'received' | 'final' | 'again') =>
      new File([await read(`/answers/${messageId}/${which}`)], `${which}.xml`),
    statement: async () => new File([await read('/statement')], 'camt053.xml'),
    ledger: async () => JSON.parse(await read('/ledger')) as Ledger,
    async close() {
      await endAgency(child, 'SIGTERM')
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
