import { Plural, Trans, useLingui } from '@lingui/react/macro'
import type { HomeStatistics } from '@portal/contracts/home'
import type { Permission } from '@portal/contracts/permissions'
import { useCan } from '@portal/sdk'
import { moduleFor } from '@portal/sdk/registry'
import { Skeleton } from '@portal/ui/Blank'
import { Icon, type IconName } from '@portal/ui/Icon'
import { Count, Money } from '@portal/ui/Money'
import type { ReactNode } from 'react'
import { renderLink } from '../../platform/links.tsx'
import { registry } from '../../platform/place.ts'

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
        href="/admin/transfers/reconciliations"
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
        href="/admin/schools"
        permission="schools.view"
        icon="school"
        label={t`Schools`}
        figure={statistics?.totalSchools}
        note={statistics && <Trans>in {caps} CAP</Trans>}
      />
      <Stat
        href="/admin/schools/students"
        permission="students.view"
        icon="user"
        label={t`Student beneficiaries`}
        figure={statistics?.totalStudents}
        note={<Trans>enrolled in the programme</Trans>}
      />
      <Stat
        wide
        href="/admin/schools/parents"
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
  href: string
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
function Stat({ href, permission, icon, label, figure, note, wide, long }: StatProps) {
  const can = useCan()
  const module = moduleFor(registry, href)
  const opens = can(permission) && module !== undefined && !module.disabled
  const className = wide ? 'card stat wide' : 'card stat'
  const children = (
    <>
      <span className="label">
        <Icon name={icon} />
        <span>{label}</span>
        {opens && <Icon name="arrow" size={16} className="go" />}
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
  return opens ? renderLink({ href, className, children }) : <div className={className}>{children}</div>
}
