import type { AnswerOf } from '@portal/contracts/endpoint'
import type { PaymentAct, payrolls, RoundPayment } from '@portal/contracts/transfers/payrolls'
import { lazy } from '@portal/screens/lazy'
import { actedOn } from './acted.ts'

const SettlePaymentDialog = lazy(() => import('./acts/SettlePaymentDialog.tsx'), 'SettlePaymentDialog')
const WriteOffDialog = lazy(() => import('./acts/WriteOffDialog.tsx'), 'WriteOffDialog')
const CorrectRecipientDialog = lazy(
  () => import('./acts/CorrectRecipientDialog.tsx'),
  'CorrectRecipientDialog',
)
const RetryPaymentsDialog = lazy(() => import('./acts/RetryPaymentsDialog.tsx'), 'RetryPaymentsDialog')

type ActProps = {
  act: PaymentAct
  chosen: RoundPayment[]
  group: AnswerOf<typeof payrolls.read>['payrollGroup']
  of: string
  onDone: () => void
  onClose: () => void
}

/** The dialog of an act on the chosen payments. */
export function ActDialog({ act, chosen, group, ...dialog }: ActProps) {
  const payments = actedOn(chosen, act)
  const [first] = chosen
  if (act === 'correct')
    return first ? (
      <CorrectRecipientDialog payment={first} tellsNames={group.tells_names} onClose={dialog.onClose} />
    ) : null
  if (act === 'settle') return first ? <SettlePaymentDialog payment={first} onClose={dialog.onClose} /> : null
  if (act === 'write_off')
    return <WriteOffDialog payments={payments} barred={group.write_off_barred} {...dialog} />
  const retry = { ...payments, wanted: { payroll_ids: payments.ids } }
  return <RetryPaymentsDialog retry={retry} barred={group.retry_barred} {...dialog} />
}
