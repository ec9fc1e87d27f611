import { Skeleton } from '@portal/ui/Blank'
import { Card } from '@portal/ui/Card'

/** A page's place before it is there: head, then rows. */
export function PageSkeleton() {
  return (
    <div className="stack page-skeleton" aria-busy="true">
      <Skeleton width={240} height={28} />
      <Skeleton width={420} />
      <Card>
        <div className="card-body stack">
          {[70, 52, 64, 48, 58].map((width) => (
            <Skeleton key={width} width={`${width}%`} />
          ))}
        </div>
      </Card>
    </div>
  )
}
