import { Skeleton } from '@portal/ui/Blank'
import { Card } from '@portal/ui/Card'

/** The place of a tab before its module is there. */
export const PartWaiting = () => (
  <Card>
    <div className="card-body stack" aria-busy="true">
      <Skeleton width="46%" height={28} />
      <Skeleton width="72%" />
      <Skeleton width="60%" />
    </div>
  </Card>
)
