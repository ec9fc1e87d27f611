import { payeePayments } from '@portal/contracts/transfers/payee-payments'
import { useList } from '@portal/screens/useList'
import { useParams } from 'react-router-dom'
import { PaymentsPage } from './PaymentsPage.tsx'
import './words.ts'

/** All payments for one girl. */
export default function GirlPaymentsPage() {
  const { id } = useParams()
  const list = useList(payeePayments.ofGirl, 'payments', { params: { id: Number(id) } })
  return <PaymentsPage list={list} />
}
