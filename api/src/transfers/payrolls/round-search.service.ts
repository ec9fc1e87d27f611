import { countedAtMost } from '@portal/contracts/fields'
import { searchWords } from '@portal/contracts/search-words'
import type { ShownStatus } from '@portal/contracts/transfers/cohorts'
import { type RawBuilder, sql } from 'kysely'
import { type Db, searchRows } from '../../kit/database/db.ts'
import { matches } from '../../kit/database/paging.ts'
import { rowsOfAccount } from '../cohorts/master-list.service.ts'
import { rowsOfPayment } from '../cohorts/payment-names.ts'
import { isShownAs } from '../payments/shown-status.ts'

/** What the payments of a round and their export are filtered by. */
export type RoundFilters = { search?: string; status?: ShownStatus | undefined }

/** SQL: what a payment went to, if its recipient was corrected. */
const corrected = sql`portal_search(concat_ws(' ', e.receiver_first_name, e.receiver_last_name, e.receiver_phone_number, e.receiver_account))`

/** SQL: what a payment is called here and at its agency. */
const named = sql`e.reference || ' ' || lower(coalesce(e.external_trx_id, ''))`

/** SQL: all that a payment is found by, for a search that nothing quicker answers. */
const everything = sql`m.search || ' ' || ${named} || case when e.correction_id is not null then ' ' || ${corrected} else '' end`

/** Conditions on payments `e` of a round, and on their rows `m` of the list if `readsList`. */
export type OfRound = { where: RawBuilder<unknown>[]; comparesAll: boolean; readsList: boolean }

/**
 * The conditions of the payments of a round. The list and its export have them in common. A search
 * asks the list first, whose texts are folded already, for accounts in the list of a bank, and for a payment that is called exactly so. Only if that finds
 * nothing are all payments of the round compared, for a part of a reference or a transaction number.
 */
export async function paymentsOfRound(
  db: Db,
  groupId: number,
  { search = '', status }: RoundFilters,
  atMost?: number,
): Promise<OfRound> {
  const ofRound = [sql`e.payroll_group_id = ${groupId}`, ...(status ? [isShownAs(status)] : [])]
  const anything = matches(everything, search)
  if (!anything) return { where: ofRound, comparesAll: false, readsList: false }
  // A filter by state would count what it leaves of the first rows only.
  const found = await rowsFound(db, groupId, search, status ? undefined : atMost)
  if (found.length > 0)
    return {
      where: [...ofRound, sql`e.master_list_id = any(${found}::bigint[])`],
      comparesAll: false,
      readsList: false,
    }
  const ofNumber = partOfNumber(search)
  return { where: [...ofRound, ofNumber || anything], comparesAll: true, readsList: !ofNumber }
}

/**
 * The condition for a single word that is neither in the list nor in a correction: it can only be in a reference or a transaction number.
 * Comparing names and numbers too took ten times as long.
 */
function partOfNumber(search: string) {
  return searchWords(search).length === 1 && matches(sql`(${named})`, search)
}

/** No more rows are read than a list counts, because a search for one letter finds most of them. */
export const countedRows = countedAtMost + 1

/** The rows of the list whose text, corrected recipient, reference or transaction number is the one searched, in the order of the list. */
async function rowsFound(
  db: Db,
  groupId: number,
  search: string,
  atMost: number | undefined,
): Promise<number[]> {
  const cohort = sql`(select cohort_id from transfer_payroll_groups where id = ${groupId})`
  const found = await searchRows(
    db,
    sql<{ id: number }>`
    (select m.id from transfer_master_list m where m.cohort_id = ${cohort} and ${matches(sql`m.search`, search)}
      order by m.id ${atMost ? sql`limit ${atMost}` : sql``})
    union ${rowsOfAccount(cohort, search)}
    union select e.master_list_id from recipient_corrections r join transfer_master_list m on m.id = r.master_list_id
      join transfer_payrolls e on e.master_list_id = m.id and e.payroll_group_id = ${groupId} and e.correction_id = r.id
      where m.cohort_id = ${cohort} and ${matches(sql`(m.search || ' ' || ${corrected})`, search)}
    union ${rowsOfPayment(cohort, sql`e.payroll_group_id = ${groupId}`, search)}
    order by 1`,
  )
  return found.map(({ id }) => id)
}
