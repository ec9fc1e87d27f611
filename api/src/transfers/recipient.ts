import { readAccount } from '@portal/contracts/access/account'
import type { Country } from '@portal/contracts/fields'
import { readPhone } from '@portal/contracts/registers/phone'
import type { WaitingCorrection } from '@portal/contracts/transfers/recipient-corrections'
import { type RawBuilder, sql } from 'kysely'
import { type FieldFaults, invalid } from '../kit/http/refusals.ts'

/** To whom a payment goes: a name, and a number or an account. */
export type Recipient = WaitingCorrection['new_values']

/** SQL: where the money of a row goes: to the account at a bank, to the number elsewhere. Only lists of banks have accounts. */
export const paidNumber = (row: RawBuilder<unknown>) =>
  sql`coalesce(${row}.receiver_account, ${row}.receiver_phone_number)`

/** Reads what was typed by the rules of a target list. A recipient keeps the kind of address that the list has. */
export function readRecipient(old: Recipient & { country: Country }, wanted: Partial<Recipient>): Recipient {
  const faults: FieldFaults = {}
  const next: Recipient = {
    receiver_first_name: wanted.receiver_first_name ?? old.receiver_first_name,
    receiver_last_name: wanted.receiver_last_name ?? old.receiver_last_name,
    receiver_phone_number: old.receiver_phone_number,
    receiver_account: old.receiver_account,
  }
  if (wanted.receiver_phone_number) {
    const phone = readPhone(wanted.receiver_phone_number, old.country)
    if ('problem' in phone) faults.receiver_phone_number = phone.problem
    else next.receiver_phone_number = phone.e164
  }
  if (wanted.receiver_account && old.receiver_account !== null) {
    const account = readAccount(wanted.receiver_account, old.country)
    if ('problem' in account) faults.receiver_account = account.problem
    else next.receiver_account = account.account
  }
  if (Object.keys(faults).length > 0) throw invalid(faults)
  return next
}
