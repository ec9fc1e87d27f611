import * as v from 'valibot'
import { endpoint } from '../endpoint.ts'
import { done, francs, instant, PersonName, upload, whole } from '../fields.ts'

/** Whole francs. */
const money = v.number()

/**
 * What a line of a bank's answer led to: the payment is paid or has failed; the bank still has it (`waiting`); it was so
 * before (`same`). For a person to look at are: the bank had the order before (`duplicate`), the line does not agree with
 * the order (`differs`) or with what was settled (`contradicts`), its status is not known (`unreadable`), or no payment of
 * the file has its name (`unknown`).
 */
const answerEffects = [
  'paid',
  'failed',
  'waiting',
  'same',
  'duplicate',
  'differs',
  'contradicts',
  'unreadable',
  'unknown',
] as const
export type AnswerEffect = (typeof answerEffects)[number]

/** What a bank answered to a file (Money 7.10). */
export const BankAnswer = v.object({
  id: v.number(),
  file_name: v.string(),
  user: PersonName,
  created_at: instant,
  paid: v.number(),
  failed: v.number(),
  unchanged: v.number(),
  /** Lines that a person has to look at, and the first twenty of them. */
  others: v.number(),
  to_look_at: v.array(
    v.object({
      end_to_end_id: v.string(),
      status: v.string(),
      reason: v.nullable(v.string()),
      effect: v.picklist(answerEffects),
    }),
  ),
})
export type BankAnswer = v.InferOutput<typeof BankAnswer>

/** A file of orders that was made for a bank (Money 7.9). */
export const BankFile = v.object({
  id: v.number(),
  /** The file's own name at the bank (`MsgId`). */
  message_id: v.string(),
  payments: v.number(),
  amount: money,
  /** The hash of its content, in hexadecimal digits. */
  sha256: v.string(),
  user: PersonName,
  created_at: instant,
  /** Payments by what became of them. */
  sending: v.number(),
  success: v.number(),
  failed: v.number(),
  unknown: v.number(),
  /** Null if its content was deleted after its time, or with a person. */
  download_url: v.nullable(v.string()),
  /** Newest first. */
  answers: v.array(BankAnswer),
})
export type BankFile = v.InferOutput<typeof BankFile>

/** What the next file of a round would have. */
export const NextBankFile = v.object({
  payments: v.number(),
  amount: money,
  /** The bank, and the account of the programme there. */
  agency: v.string(),
  account: v.string(),
  /** Why it cannot be made now; null if nothing keeps from it. */
  barred: v.nullable(v.string()),
})
export type NextBankFile = v.InferOutput<typeof NextBankFile>

/** What the person saw when they confirmed. A file with other sums, or of another paying account, is not made. */
export const BankFileCreate = v.object({
  payments: whole(1, 1_000_000),
  amount: francs,
  account: v.optional(v.string()),
})
export type BankFileCreate = v.InferOutput<typeof BankFileCreate>

/** The calls on files for banks. They have their own file, so that other pages load without them. */
export const bankFiles = {
  /** The files of a round, the newest first, and what the next one would have: null if the agency is no bank that takes files. */
  list: endpoint({
    method: 'GET',
    path: '/admin/transfers/cohorts/payroll/:groupId/bank-files',
    access: 'transfers.view',
    answer: v.object({ bank_files: v.array(BankFile), next: v.nullable(NextBankFile) }),
  }),
  /** Makes the file with all payments of the round that wait to be sent. They count as sent from now on. */
  create: endpoint({
    method: 'POST',
    path: '/admin/transfers/cohorts/payroll/:groupId/bank-files',
    access: 'payrolls.export',
    body: BankFileCreate,
    answer: v.object({ ...done.entries, bank_file: v.object({ id: v.number(), download_url: v.string() }) }),
  }),
  /** Uploads what the bank answered (pain.002). Its own name of the file says which file it is about. */
  answer: endpoint({
    method: 'POST',
    path: '/admin/transfers/bank-answers',
    access: 'statements.import',
    body: v.object({ answer_file: upload }),
    multipart: true,
    answer: v.object({ ...done.entries, bank_answer: v.object({ id: v.number() }) }),
  }),
  /** The file as it was made: the same bytes each time. */
  download: endpoint({
    method: 'GET',
    path: '/storage/bank-files/:id',
    access: 'payrolls.export',
    answer: v.unknown(),
  }),
}
