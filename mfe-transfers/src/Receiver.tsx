import type { MasterListEntry } from '@portal/contracts/transfers/cohorts'
import { formatPhone } from '@portal/i18n/format'
import { Nothing } from '@portal/ui/Money'

type Named = Pick<MasterListEntry, 'receiver_first_name' | 'receiver_last_name'>

/** First and last name of who is paid. */
export const receiverName = (entry: Named) => `${entry.receiver_first_name} ${entry.receiver_last_name}`

type Numbered = { receiver_phone_number: string | null; receiver_account?: string | null }

/** Where the money goes: a phone, or an account where the agency is a bank. */
export function ReceiverNumber({ of }: { of: Numbered }) {
  if (of.receiver_phone_number) return <span className="nowrap">{formatPhone(of.receiver_phone_number)}</span>
  return of.receiver_account ? <Account number={of.receiver_account} /> : <Nothing />
}

/** An account is longer than most columns: it may break in the middle, and is copied without a gap. */
const Account = ({ number }: { number: string }) => (
  <span className="mono">
    {number.slice(0, 16)}
    <wbr />
    {number.slice(16)}
  </span>
)
