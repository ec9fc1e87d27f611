import type { Text } from '@portal/contracts/sentences'
import type { ListStatus } from '@portal/contracts/transfers/cohorts'
import { failureReason } from '@portal/contracts/transfers/failure-reasons'
import type { RawBuilder } from 'kysely'
import { writeWorkbook } from '../../excel/write.ts'
import type { Db } from '../../kit/database/db.ts'
import { batches } from '../../kit/database/keyset.ts'
import type { ExportTask } from '../../kit/jobs/exports.ts'
import type { ListColumn } from '../list-export.ts'
import { statusWords } from '../payments/shown-status.ts'

/** A recipient of a list with her payment, as the files of a master list and of a round have both. */
export type Line = {
  id: number
  receiver_first_name: string
  receiver_last_name: string
  receiver_phone_number: string | null
  receiver_account: string | null
  student_code: string
  amount: number
  fees: number
  reference: string | null
  status: ListStatus
  failure_reason: string | null
  at: string
}

/** The columns that both files have, each with its heading. */
export const lineColumns = {
  parent: {
    key: 'parent',
    kind: 'text',
    label: { en: 'Parent name', fr: 'Nom du parent' },
    value: (line) => `${line.receiver_first_name} ${line.receiver_last_name}`,
  },
  number: {
    key: 'number',
    kind: 'text',
    label: { en: 'Recipient number', fr: 'Numéro du destinataire' },
    value: (line) => line.receiver_phone_number,
  },
  account: {
    key: 'account',
    kind: 'text',
    label: { en: 'Account', fr: 'Compte' },
    value: (line) => line.receiver_account,
  },
  student: {
    key: 'student',
    kind: 'text',
    label: { en: 'Student code', fr: 'Code de l’élève' },
    value: (line) => line.student_code,
  },
  fees: {
    key: 'fees',
    kind: 'money',
    label: { en: 'Fees (XOF)', fr: 'Frais (F CFA)' },
    value: (line) => line.fees,
  },
  status: {
    key: 'status',
    kind: 'text',
    label: { en: 'Status', fr: 'Statut' },
    value: (line, locale) => statusWords[line.status][locale],
  },
  reason: {
    key: 'reason',
    kind: 'text',
    label: { en: 'Reason of failure', fr: 'Motif de l’échec' },
    value: (line, locale) => line.failure_reason && failureReason(line.failure_reason, locale),
  },
  time: {
    key: 'time',
    kind: 'datetime',
    label: { en: 'Timestamp', fr: 'Horodatage' },
    value: (line) => line.at,
  },
} satisfies Record<string, ListColumn<Line>>

type File<L extends Line> = {
  name: Text
  columns: readonly ListColumn<L>[]
  /** How many lines there will be. */
  total: number
  /** SQL: the next lines after the one with this id. */
  page: (after: number) => RawBuilder<unknown>
}

/** Writes the file of an export. Its lines are read page by page. */
export async function writeLines<L extends Line>(
  db: Db,
  { locale, path, progress }: Pick<ExportTask<unknown>, 'locale' | 'path' | 'progress'>,
  { name, columns, total, page }: File<L>,
): Promise<{ rows: number; columns: Text[] }> {
  const read = async (after: number) => (await page(after).$castTo<L>().execute(db)).rows
  async function* lines() {
    for await (const found of batches(read, ({ id }) => id))
      for (const line of found) yield columns.map(({ value }) => value(line, locale))
  }
  const rows = await writeWorkbook(path, {
    name: name[locale],
    columns: columns.map(({ key, kind, label }) => ({ key, kind, header: label[locale] })),
    rows: lines(),
    onProgress: (done) => progress(done, total),
  })
  return { rows, columns: columns.map(({ label }) => label) }
}
