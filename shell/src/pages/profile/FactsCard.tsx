import { Trans, useLingui } from '@lingui/react/macro'
import type { Profile } from '@portal/contracts/access/profile'
import { roleName } from '@portal/contracts/access/role-names'
import { accountFields } from '@portal/contracts/access/users.fields'
import { currentLocale } from '@portal/i18n/locale'
import { fieldWords } from '@portal/screens/fieldWords'
import { Card } from '@portal/ui/Card'
import { Sheet } from '@portal/ui/Figures'
import { StatusPill, Tag, Tags } from '@portal/ui/StatusPill'

/** What is shown and not changed here: title, email, gender, user type, status, and the roles. */
export function FactsCard({ user }: { user: Profile }) {
  const { t } = useLingui()
  const { label, text } = fieldWords(accountFields)
  const fact = (name: 'user_title' | 'email' | 'gender' | 'type') => ({
    key: name,
    label: label(name),
    value: text(name, user[name]) || t`N/A`,
  })
  const facts = [
    fact('user_title'),
    fact('email'),
    fact('gender'),
    fact('type'),
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
