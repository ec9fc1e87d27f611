import { payeePayments } from '@portal/contracts/transfers/payee-payments'
import { useList } from '@portal/screens/useList'
import { useParams } from 'react-router-dom'
import { PaymentsPage } from './PaymentsPage.tsx'
import './words.ts'

/** All payments for the girls of a guardian, whoever received them. */
export default function GuardianPaymentsPage() {
  const { id } = useParams()
  const list = useList(payeePayments.ofGuardian, 'payments', { params: { id: Number(id) } })
  return <PaymentsPage list={list} ofGuardian />
}
