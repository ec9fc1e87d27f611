import { Trans, useLingui } from '@lingui/react/macro'
import { queryOf } from '@portal/client/query'
import { payeeHolds } from '@portal/contracts/transfers/payee-holds'
import { useCan, useHost, useQuery } from '@portal/sdk'
import { DateText } from '@portal/ui/Money'
import { Notice } from '@portal/ui/Notice'

/** Says that a girl is on hold, and why. Only people who may see transfers see it. */
export function HoldNotice({ studentId }: { studentId: number }) {
  const { t } = useLingui()
  const { client } = useHost()
  const can = useCan()
  const { data } = useQuery({
    ...queryOf(client, payeeHolds.list, { query: { student_id: studentId, state: 'open' } }),
    enabled: can('transfers.view'),
  })
  const [hold] = data?.holds.data ?? []
  if (!hold) return null
  return (
    <Notice tone="waiting" title={t`Payments to this girl are on hold.`}>
      <q>{hold.reason}</q>{' '}
      <Trans>
        since <DateText iso={hold.created_at} />
      </Trans>
    </Notice>
  )
}
