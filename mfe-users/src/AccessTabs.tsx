import { useLingui } from '@lingui/react/macro'
import { queryOf } from '@portal/client/query'
import { users } from '@portal/contracts/access'
import { formatNumber } from '@portal/i18n/format'
import { pageLink } from '@portal/screens/ListPage'
import { useHost, useQuery } from '@portal/sdk'
import { Tabs } from '@portal/ui/Filters'
import { paths } from './paths.ts'

/** 'System Users (count)' beside 'Roles & Permissions'; only what the person may open. */
export function AccessTabs({ current }: { current: 'users' | 'roles' }) {
  const { t } = useLingui()
  const { client, can } = useHost()
  const { data } = useQuery({ ...queryOf(client, users.list, {}), enabled: can('users.view') })
  const count = data && formatNumber(data.total)
  const tabs = [
    can('users.view') && {
      href: paths.users,
      label: count ? t`System Users (${count})` : t`System Users`,
      current: current === 'users',
    },
    can('roles.view') && { href: paths.roles, label: t`Roles & Permissions`, current: current === 'roles' },
  ]
  return <Tabs label={t`Users and roles`} tabs={tabs.filter((tab) => tab !== false)} renderLink={pageLink} />
}
