import type { Locale, Text } from '@portal/contracts/sentences'
import type { accountingParts, TrialBalanceRow } from '@portal/contracts/transfers/accounting'
import { sql } from 'kysely'
import { type OutCell, type OutColumn, type OutRow, writeWorkbook } from '../../excel/write.ts'
import type { Reader } from '../../kit/database/db.ts'
import { batches } from '../../kit/database/keyset.ts'
import { type ExportTask, registerExport } from '../../kit/jobs/exports.ts'
import { type Booked, linesOf, type MoneyLine } from '../ledger/money-lines.ts'
import { accountWords, eventWords } from './accounting.messages.ts'
import {
  type AccountingFilters,
  booked,
  bookedWhere,
  eventsOf,
  isInPeriod,
  isUntil,
  trialBalance,
} from './accounting.service.ts'

export const accountingExport = 'accounting'

type Params = AccountingFilters & { part: (typeof accountingParts)[number] }
type Column<Row> = Omit<OutColumn, 'header'> & { label: Text; value: (row: Row, locale: Locale) => OutCell }

const labels = {
  account: { en: 'Account', fr: 'Compte' },
  agency: { en: 'Transfer agency', fr: 'Agence de transfert' },
  debit: { en: 'Debit (XOF)', fr: 'Débit (F CFA)' },
  credit: { en: 'Credit (XOF)', fr: 'Crédit (F CFA)' },
} satisfies Record<string, Text>

type Event = Booked & {
  id: number
  created_at: string
  cohort: string
  n: number
  reference: string
  agency: string
}
type Line = Event & MoneyLine

const journalColumns: Column<Line>[] = [
  { key: 'entry', kind: 'whole', label: { en: 'Entry', fr: 'Écriture' }, value: ({ id }) => id },
  {
    key: 'time',
    kind: 'datetime',
    label: { en: 'Timestamp', fr: 'Horodatage' },
    value: ({ created_at }) => created_at,
  },
  { key: 'cohort', kind: 'text', label: { en: 'Cohort', fr: 'Cohorte' }, value: ({ cohort }) => cohort },
  { key: 'round', kind: 'whole', label: { en: 'Round', fr: 'Tour' }, value: ({ n }) => n },
  {
    key: 'reference',
    kind: 'text',
    width: 36,
    label: { en: 'Reference id', fr: 'Référence' },
    value: ({ reference }) => reference,
  },
  {
    key: 'event',
    kind: 'text',
    label: { en: 'Event', fr: 'Événement' },
    value: ({ kind }, locale) => eventWords[kind]?.[locale] ?? kind,
  },
  { key: 'agency', kind: 'text', label: labels.agency, value: ({ agency }) => agency },
  {
    key: 'account',
    kind: 'text',
    label: labels.account,
    value: ({ account }, locale) => accountWords[account][locale],
  },
  { key: 'debit', kind: 'money', label: labels.debit, value: ({ debit }) => debit || null },
  { key: 'credit', kind: 'money', label: labels.credit, value: ({ credit }) => credit || null },
]

const balanceColumns: Column<TrialBalanceRow>[] = [
  {
    key: 'account',
    kind: 'text',
    label: labels.account,
    value: ({ account }, locale) => accountWords[account][locale],
  },
  { key: 'agency', kind: 'text', label: labels.agency, value: ({ agency }) => agency?.name ?? null },
  {
    key: 'opening',
    kind: 'money',
    label: { en: 'Brought forward (XOF)', fr: 'Report (F CFA)' },
    value: ({ opening }) => opening,
  },
  { key: 'debit', kind: 'money', label: labels.debit, value: ({ debit }) => debit },
  { key: 'credit', kind: 'money', label: labels.credit, value: ({ credit }) => credit },
  {
    key: 'closing',
    kind: 'money',
    label: { en: 'Balance (XOF)', fr: 'Solde (F CFA)' },
    value: ({ closing }) => closing,
  },
]

const headed = <Row>(columns: Column<Row>[], locale: Locale) =>
  columns.map(({ label, value: _, ...column }) => ({ ...column, header: label[locale] }))

/** How many events are read at once. */
const batch = 2000

/**
 * The numbers of the first and the last event of a period: without them its first batch passed all events before it, and its
 * last all after it.
 */
async function rangeOf(db: Reader, query: AccountingFilters): Promise<{ first: number; last: number }> {
  const all = { first: 0, last: Number.MAX_SAFE_INTEGER }
  if (!query.from && !query.to) return all
  // `+ 0` keeps the planner from walking the key: it would pass all events before the period for each of the two.
  const { rows } = await sql<{ first: number | null; last: number | null }>`
    select min(e.id + 0) - 1 as first, max(e.id + 0) as last from money_events e where ${isUntil(query)} and ${isInPeriod(query)}`.execute(
    db,
  )
  const { first, last } = rows[0] ?? {}
  return { first: first ?? 0, last: last ?? 0 }
}

/** Reads the entries of the period in their order. */
async function* readJournal(db: Reader, query: AccountingFilters): AsyncGenerator<Event> {
  const { first, last } = await rangeOf(db, query)
  const read = async (after: number) => {
    const { rows } = await sql<Event>`
      select e.id, e.kind, e.status, e.amount, e.fees, e.created_at, c.name as cohort, g.n, p.reference, a.name as agency
      from ${booked} join transfer_payrolls p on p.id = e.payroll_id join transfer_agencies a on a.id = e.agency_id
      where ${bookedWhere(query)} and ${isInPeriod(query)} and e.id > ${after} and e.id <= ${last} order by e.id limit ${batch}`.execute(
      db,
    )
    return rows
  }
  for await (const events of batches(read, ({ id }) => id, first)) yield* events
}

/** Writes a line for each debit and credit. The last row has their sums, which are equal. */
async function writeJournal(db: Reader, { params, locale, path, progress }: ExportTask<Params>) {
  const total = await eventsOf(db, params)
  let done = 0
  const sums = { debit: 0, credit: 0 }
  async function* lines(): AsyncGenerator<OutRow> {
    for await (const event of readJournal(db, params)) {
      for (const line of linesOf(event)) {
        sums.debit += line.debit
        sums.credit += line.credit
        yield journalColumns.map(({ value }) => value({ ...event, ...line }, locale))
      }
      done += 1
    }
  }
  const rows = await writeWorkbook(path, {
    name: { en: 'Journal entries', fr: 'Journal' }[locale],
    columns: headed(journalColumns, locale),
    rows: lines(),
    totals: () => journalColumns.map(({ key }) => (key === 'debit' || key === 'credit' ? sums[key] : null)),
    onProgress: () => progress(done, total),
  })
  return { rows, columns: journalColumns.map(({ label }) => label) }
}

async function writeBalance(db: Reader, { params, locale, path, progress }: ExportTask<Params>) {
  const accounts = await trialBalance(db, params)
  const sum = (key: 'opening' | 'debit' | 'credit' | 'closing') =>
    accounts.reduce((total, row) => total + row[key], 0)
  await writeWorkbook(path, {
    name: { en: 'Trial balance', fr: 'Balance' }[locale],
    columns: headed(balanceColumns, locale),
    rows: accounts.map((row) => balanceColumns.map(({ value }) => value(row, locale))),
    totals: () => [null, null, sum('opening'), sum('debit'), sum('credit'), sum('closing')],
  })
  await progress(accounts.length, accounts.length)
  return { rows: accounts.length, columns: balanceColumns.map(({ label }) => label) }
}

/** Registers the exports of the journal and of the trial balance. */
export function registerAccountingExport() {
  registerExport<Params>(accountingExport, {
    allowed: (actor) => actor.can('payrolls.export'),
    subject: (filters) => ({ type: 'accounting', id: null, filters }),
    write: ({ db }, task) =>
      task.params.part === 'journal' ? writeJournal(db, task) : writeBalance(db, task),
  })
}
