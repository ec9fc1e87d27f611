import { useLingui } from '@lingui/react/macro'
import { pageLink } from '@portal/screens/ListPage'
import { StatCard, Stats } from '@portal/ui/Figures'
import { Count } from '@portal/ui/Money'
import { paths } from '../paths.ts'

/** The figures of all accounts, independent of filters. */
export type UserCounts = Record<'total' | 'active' | 'invited' | 'inactive', number>

/** How many accounts there are and how many may sign in, each a link to them. */
export function UserStats({ counts }: { counts: UserCounts | undefined }) {
  const { t } = useLingui()
  const { total, active, invited = 0, inactive } = counts ?? {}
  return (
    <Stats columns={3}>
      <StatCard wide href={paths.users} icon="users" label={t`Total users`} {...figure(total)} />
      <StatCard
        href={`${paths.users}?status=active`}
        icon="good"
        label={t`Active users`}
        {...figure(active)}
        note={invited > 0 && t`Of them invited: ${invited}`}
      />
      <StatCard
        href={`${paths.users}?status=inactive`}
        icon="bad"
        label={t`Deactivated users`}
        {...figure(inactive)}
      />
    </Stats>
  )
}

const figure = (count: number | undefined) => ({ figure: <Count value={count} />, renderLink: pageLink })
