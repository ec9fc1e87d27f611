import { useLingui } from '@lingui/react/macro'
import type { ExceptionKind } from '@portal/contracts/transfers/payrolls'
import { statedPlace } from '@portal/contracts/transfers/transfer-words'
import { Money } from '@portal/ui/Money'
import { Link } from 'react-router-dom'
import { isPaymentStatus, PaymentPill } from '../../PaymentPill.tsx'
import { paths } from '../../paths.ts'
import './words.ts'

/** What was expected or answered, as far as possible in words. */
export function ExceptionValue({ kind, of }: { kind: ExceptionKind; of: string | null }) {
  const { t } = useLingui()
  const sentences: Record<string, string> = {
    not_found_elsewhere: t`Not found at the agency’s present address`,
    not_found_too_late: t`Not found, too long after it was sent`,
    not_found_any_more: t`Not found, though the agency held it`,
    nothing: t`Nothing`,
  }
  if (of === null) return '–'
  if (kind === 'amount' && /^\d{1,12}$/.test(of)) return <Money amount={Number(of)} currency={false} />
  const place = statedPlace(kind, of)
  if (place) {
    const { statement, row } = place
    return <Link to={paths.statement(statement)}>{t`Statement ${statement}, row ${row}`}</Link>
  }
  const [state = '', reason] = of.split(': ')
  if (['contradiction', 'statement', 'returned'].includes(kind) && isPaymentStatus(state))
    return <PaymentPill status={state} reason={reason} />
  return sentences[of] ?? <span className="mono anywhere">{of}</span>
}

/** Which part of an answer does not agree. */
export function useExceptionKinds(): Record<ExceptionKind, string> {
  const { t } = useLingui()
  return {
    contradiction: t`Outcome, after it was final`,
    key: t`Key of the order`,
    reference: t`Reference of the payment`,
    amount: t`Amount`,
    currency: t`Currency`,
    recipient: t`Recipient’s number`,
    transaction: t`Transaction, which belongs to another payment`,
    not_found: t`Order`,
    unreadable: t`Form of the answer`,
    statement: t`Paid by a signed statement`,
    returned: t`Given back by a signed statement`,
    several: t`Another payment with this reference`,
  }
}
