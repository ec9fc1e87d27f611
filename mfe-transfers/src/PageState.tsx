import { problemText } from '@portal/screens/problemText'
import type { List } from '@portal/screens/useList'
import { Skeleton } from '@portal/ui/Blank'
import { Card } from '@portal/ui/Card'
import { Failed } from '@portal/ui/Table'
import { TransferPage } from './TransferPage.tsx'

type Props = {
  title: string
  back: { to: string; label: string }
  list: Pick<List<unknown>, 'problem' | 'retry'>
}

/** A page whose subject is still being read, or could not be. */
export function PageState({ title, back, list: { problem, retry } }: Props) {
  return (
    <TransferPage title={problem ? title : <Skeleton width={260} height={28} />} back={back}>
      <Card padded>
        {problem ? (
          <Failed title={problemText(problem)} reference={problem.request_id ?? undefined} onRetry={retry} />
        ) : (
          <div aria-busy="true">
            <Skeleton width="60%" height={96} />
          </div>
        )}
      </Card>
    </TransferPage>
  )
}
