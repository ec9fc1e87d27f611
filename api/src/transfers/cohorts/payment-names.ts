import { searchWords } from '@portal/contracts/search-words'
import { type RawBuilder, sql } from 'kysely'
import { UUID_REGEX } from 'valibot'

/** Our reference, as 32 signs. A bank has it with a number from the second order on. */
const reference = /^([0-9a-f]{32})(?:-\d+)?$/

/**
 * SQL: the rows of a cohort's list whose payment, one of those that `of` selects among payments `e`, agencies and their statements call
 * exactly so: our reference, the key of an attempt, or the agency's number of the transaction. Each has a unique index. A transaction may
 * be typed in small letters or in capitals.
 */
export function rowsOfPayment(cohort: RawBuilder<unknown>, of: RawBuilder<unknown>, search: string) {
  const [first = '', ...others] = searchWords(search)
  const word = others.length > 0 ? '' : first
  const small = word.toLowerCase()
  const numbers = [...new Set([word, word.toUpperCase(), small])]
  return sql`select e.master_list_id as id from (
      select p.id from transfer_payrolls p where p.reference = ${reference.exec(small)?.[1] ?? null}
      union all select a.payroll_id from payment_attempts a where a.idempotency_key = ${UUID_REGEX.test(small) ? small : null}::uuid
      union all select a.payroll_id from payment_attempts a
        where a.agency_id in (select o.agency_id from agencies_of_cohort(${cohort}) o) and a.external_trx_id = any(${numbers}::text[])
    ) named join transfer_payrolls e on e.id = named.id where ${of}`
}
