import type { AgencyAccess, Instruction, NameAnswer, Outcome } from './connector.ts'
import { isNotFound, readHolder, unreadable } from './gsma-answers.ts'
import { type GsmaCall, isGood, unfollowed } from './gsma-calls.ts'
import { compareNames } from './holder-names.ts'
import { isOutcome } from './http.ts'

/** Compares a name with that of the number's holder. It takes two calls: the state of the account, and its name. */
export async function compareHolder(
  call: GsmaCall,
  agency: AgencyAccess,
  { phone, name }: Pick<Instruction, 'phone' | 'name'>,
): Promise<NameAnswer | Outcome> {
  const holder = `/accounts/msisdn/${encodeURIComponent(phone ?? '')}`
  const status = await call(agency, `${holder}/status`)
  if (isOutcome(status)) return status
  // Nobody holds this number at the operator.
  if (isNotFound(status)) return { name: 'not_told', holder: null, within_limits: null, active: false }
  if (!isGood(status)) return unfollowed(status)
  const reply = await call(agency, `${holder}/accountname`)
  if (isOutcome(reply)) return reply
  if (!isGood(reply)) return unfollowed(reply)
  const accountName = readHolder(reply.body)
  if (accountName === null || typeof status.body.status !== 'string') return unreadable
  return {
    name: accountName ? compareNames(name, accountName) : 'not_told',
    holder: accountName || null,
    within_limits: null,
    active: status.body.status === 'available',
  }
}
