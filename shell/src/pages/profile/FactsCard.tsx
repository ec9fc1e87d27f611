import { Trans, useLingui } from '@lingui/react/macro'
import type { Profile } from '@portal/contracts/profile'
import { roleName } from '@portal/contracts/role-names'
import { currentLocale } from '@portal/i18n/locale'
import { Card } from '@portal/ui/Card'
import { Sheet } from '@portal/ui/Figures'
import { StatusPill, Tag, Tags } from '@portal/ui/StatusPill'

/** What is shown and not changed here: title, email, gender, user type, status, and the roles. */
export function FactsCard({ user }: { user: Profile }) {
  const { t } = useLingui()
  const words: Record<string, string> = {
    mr: t`Mr`,
    mrs: t`Mrs`,
    miss: t`Miss`,
    prof: t`Prof.`,
    dr: t`Dr`,
    male: t`Male`,
    female: t`Female`,
    teacher: t`Teacher`,
    student: t`Student`,
    partner: t`Partner`,
    developer: t`Developer`,
  }
  const word = (value: string | null) => (value ? words[value] : t`N/A`)
  const facts = [
    { key: 'title', label: t({ message: 'Title', context: 'of a person' }), value: word(user.user_title) },
    { key: 'email', label: t`Email`, value: user.email ?? t`N/A` },
    { key: 'gender', label: t`Gender`, value: word(user.gender) },
    { key: 'type', label: t`User type`, value: word(user.type) },
    {
      key: 'status',
      label: t`Status`,
      value: (
        <StatusPill tone={user.deactivated_at ? 'bad' : 'good'}>
          {user.deactivated_at ? <Trans>Deactivated</Trans> : <Trans>Active</Trans>}
        </StatusPill>
      ),
    },
    {
      key: 'roles',
      label: t`Roles`,
      value:
        user.roles.length > 0 ? (
          <Tags>
            {user.roles.map((role) => (
              <Tag key={role.id}>{roleName(role.name, currentLocale())}</Tag>
            ))}
          </Tags>
        ) : (
          <Trans>No roles</Trans>
        ),
    },
  ]
  return (
    <Card title={t`Kept by the administrators`} className="sheet-list-card">
      <Sheet facts={facts} />
    </Card>
  )
}
