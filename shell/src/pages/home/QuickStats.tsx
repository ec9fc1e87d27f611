import { Plural, Trans, useLingui } from '@lingui/react/macro'
import type { HomeStatistics } from '@portal/contracts/home'
import type { Permission } from '@portal/contracts/permissions'
import { useCan } from '@portal/sdk'
import { Skeleton } from '@portal/ui/Blank'
import { Icon, type IconName } from '@portal/ui/Icon'
import { Count, Money } from '@portal/ui/Money'
import type { ReactNode } from 'react'
import { linkTo } from '../../platform/announced.ts'
import { renderLink } from '../../platform/links.tsx'
import { registry } from '../../platform/live-registry.ts'

/** Four figures, each a way to its page for whoever may open it. */
export function QuickStats({ statistics }: { statistics: HomeStatistics | undefined }) {
  const { t } = useLingui()
  const caps = statistics?.disbursementByCap.length ?? 0
  const rounds = statistics?.totalMonths ?? 0
  return (
    <div className="stats">
      <Stat
        wide
        long
        kind="list.payments"
        permission="transfers.view"
        icon="transfers"
        label={t`Cash transfers`}
        figure={statistics?.totalBeneficiaries}
        note={
          statistics && (
            <Trans>
              <Money amount={statistics.totalDisbursed} /> spent in{' '}
              <Plural value={rounds} one="# disbursement round" other="# disbursement rounds" />
            </Trans>
          )
        }
      />
      <Stat
        kind="list.schools"
        permission="schools.view"
        icon="school"
        label={t`Schools`}
        figure={statistics?.totalSchools}
        note={statistics && <Plural value={caps} one="in # CAP" other="in # CAPs" />}
      />
      <Stat
        kind="list.students"
        permission="students.view"
        icon="user"
        label={t`Student beneficiaries`}
        figure={statistics?.totalStudents}
        note={<Trans>enrolled in the programme</Trans>}
      />
      <Stat
        wide
        kind="list.parents"
        permission="parents.view"
        icon="users"
        label={t`Beneficiary guardians`}
        figure={statistics?.totalParents}
        note={<Trans>who receive for a student</Trans>}
      />
    </div>
  )
}

type StatProps = {
  /** What it counts: a module says where that is shown. */
  kind: string
  permission: Permission
  icon: IconName
  label: string
  figure: number | undefined
  note?: ReactNode
  wide?: boolean
  /** Its note takes two lines. */
  long?: boolean
}

/** Everybody sees the figures. A figure is a link only for people who may open its page, and while that page is available. */
function Stat({ kind, permission, icon, label, figure, note, wide, long }: StatProps) {
  const can = useCan()
  const href = can(permission) ? linkTo(registry, kind) : undefined
  const className = wide ? 'card stat noted wide' : 'card stat noted'
  const children = (
    <>
      <span className="label">
        <Icon name={icon} />
        <span>{label}</span>
        {href && <Icon name="arrow" size={16} className="go" />}
      </span>
      <span className="figure" style={{ minHeight: 32 }}>
        {figure === undefined ? <Skeleton width={96} height={28} /> : <Count value={figure} />}
      </span>
      {/* As high as its words will be, so that nothing moves when they come. */}
      <span className="note" style={{ minHeight: long ? 40 : 20 }}>
        {note ?? <Skeleton width={140} />}
      </span>
    </>
  )
  return href ? renderLink({ href, className, children }) : <div className={className}>{children}</div>
}
