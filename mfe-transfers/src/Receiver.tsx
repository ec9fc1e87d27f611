import type { MasterListEntry } from '@portal/contracts/cohorts'
import { formatPhone } from '@portal/i18n/format'
import { Nothing } from '@portal/ui/Money'

type Named = Pick<MasterListEntry, 'receiver_first_name' | 'receiver_last_name'>

/** First and last name of who is paid. */
export const receiverName = (entry: Named) => `${entry.receiver_first_name} ${entry.receiver_last_name}`

type Numbered = { receiver_phone_number: string | null; receiver_account?: string | null }

/** Where the money goes: a phone, or an account where the agency is a bank. */
export function ReceiverNumber({ of }: { of: Numbered }) {
  if (of.receiver_phone_number) return <>{formatPhone(of.receiver_phone_number)}</>
  return of.receiver_account ? <span className="mono">{of.receiver_account}</span> : <Nothing />
}
