import * as v from 'valibot'
import { daysInOrder } from '../days-in-order.ts'
import { endpoint } from '../endpoint.ts'
import { day, id, listQuery, page, searched } from '../fields.ts'
import { exportStarted, Named } from '../registers/register-fields.ts'

/** Whole francs. */
const money = v.number()

/** The accounts of the double-entry view (Money 10.3). Each agency has a float of its own. */
export const moneyAccounts = ['programme', 'float', 'fees', 'recipients', 'arrears', 'written_off'] as const
export type MoneyAccount = (typeof moneyAccounts)[number]

/** A row of the trial balance. A balance is debits less credits: together all balances are zero. */
export const TrialBalanceRow = v.object({
  account: v.picklist(moneyAccounts),
  /** Whose float it is; null for the other accounts. */
  agency: v.nullable(Named),
  /** The balance before the first day. */
  opening: money,
  debit: money,
  credit: money,
  /** The balance at the end of the last day. */
  closing: money,
})
export type TrialBalanceRow = v.InferOutput<typeof TrialBalanceRow>

/** The balances of a cohort at the end of the last day. */
export const CohortBalances = v.object({
  id: v.number(),
  name: v.string(),
  programme: money,
  float: money,
  fees: money,
  recipients: money,
  arrears: money,
  written_off: money,
})
export type CohortBalances = v.InferOutput<typeof CohortBalances>

const filters = {
  /** Only entries of payments while they were with this agency. */
  transfer_agency_id: v.optional(id),
  /** First and last day in UTC, both included; each may be missing. */
  from: v.optional(day),
  to: v.optional(day),
}

/** What an export has: every line of the journal, or the trial balance. */
export const accountingParts = ['journal', 'balance'] as const
export type AccountingPart = (typeof accountingParts)[number]

/** The calls on the double-entry view of the programme's money. */
export const accounting = {
  /** The trial balance of the cohorts that the search leaves, and the balances of each of them. */
  list: endpoint({
    method: 'GET',
    path: '/admin/transfers/accounting',
    access: 'transfers.view',
    query: v.pipe(listQuery(['created_at', 'name'], filters), daysInOrder()),
    answer: v.object({ accounts: v.array(TrialBalanceRow), cohorts: page(CohortBalances) }),
  }),
  export: endpoint({
    method: 'POST',
    path: '/admin/transfers/accounting/export',
    access: 'payrolls.export',
    body: v.pipe(
      v.object({
        part: v.picklist(accountingParts),
        search: searched,
        ...filters,
      }),
      daysInOrder(),
    ),
    answer: exportStarted,
  }),
}
