import type { AnswerOf } from '@portal/contracts/endpoint'
import type { payrolls } from '@portal/contracts/transfers/payrolls'
import { lazy } from '@portal/screens/lazy'

const BankFilesCard = lazy(() => import('./bank/BankFilesCard.tsx'), 'BankFilesCard')
const ConfirmedCard = lazy(() => import('../dialogs/ConfirmedCard.tsx'), 'ConfirmedCard')
const ExceptionsCard = lazy(() => import('../dialogs/answers/ExceptionsCard.tsx'), 'ExceptionsCard')
const CorrectionsCard = lazy(() => import('./acts/CorrectionsCard.tsx'), 'CorrectionsCard')
const SettlementsCard = lazy(() => import('./acts/SettlementsCard.tsx'), 'SettlementsCard')

/** What there is to do and to know of a round beside its payments: each card only while the round has something for it. */
export function RoundCards({ group }: { group: AnswerOf<typeof payrolls.read>['payrollGroup'] }) {
  return (
    <>
      {group.successful > 0 && (
        <ConfirmedCard
          confirmed={{
            payments_disbursed: group.successful,
            payments_confirmed: group.confirmed,
            total_amount_confirmed: group.confirmed_amount,
          }}
          disbursed={group.disbursed}
        />
      )}
      {group.takes_files && <BankFilesCard groupId={group.id} />}
      {group.exceptions.length > 0 && <ExceptionsCard groupId={group.id} exceptions={group.exceptions} />}
      {group.pending + group.unknown > 0 && <SettlementsCard groupId={group.id} />}
      {group.arrears > 0 && <CorrectionsCard groupId={group.id} />}
    </>
  )
}
