import { useLingui } from '@lingui/react/macro'
import { asProblem } from '@portal/client/problem'
import { problemText } from '@portal/screens/problemText'
import { useHost } from '@portal/sdk'
import { notices, type VisitRecord } from '../visits.ts'

/** Tells colleagues of a student who was referred. The visit stays recorded if nobody can be told. */
export function useTellOfReferral() {
  const { t } = useLingui()
  const { client, notify } = useHost()
  return ({ id, data }: Pick<VisitRecord, 'id' | 'data'>) => {
    if (data.outcome !== 'referred') return
    client
      .call(notices.send, { body: { notice: 'referred', record: id } })
      .catch((fault: unknown) =>
        notify.bad(t`Nobody was told of the referral`, { detail: problemText(asProblem(fault)) }),
      )
  }
}
