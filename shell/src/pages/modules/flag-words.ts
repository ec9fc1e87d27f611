import { t } from '@lingui/core/macro'
import { roleName } from '@portal/contracts/access/role-names'
import type { ModuleFlag } from '@portal/contracts/module-flags'
import { formatRate } from '@portal/i18n/format'
import { currentLocale } from '@portal/i18n/locale'

export type Role = { id: number; name: string }

/** Who has a switch as its team has declared it. */
export const declaredText = ({ default: usual }: Pick<ModuleFlag, 'default'>): string =>
  usual ? t`As declared by its team: everybody` : t`As declared by its team: nobody`

/** Who has a switch, in words. */
export function audienceText(flag: ModuleFlag, roles: readonly Role[]): string {
  if (flag.who === 'declared') return declaredText(flag)
  if (flag.who === 'everybody') return t`Everybody`
  if (flag.who === 'nobody') return t`Nobody`
  const names = roles
    .filter(({ id }) => flag.roles.includes(id))
    .map(({ name }) => roleName(name, currentLocale()))
  const part = flag.percent > 0 ? [t`${formatRate(flag.percent)} of the people`] : []
  return [...names, ...part].join(', ')
}
