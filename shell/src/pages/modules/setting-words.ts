import { useLingui } from '@lingui/react/macro'
import type { ModuleSetting, SettingValue } from '@portal/contracts/module-settings'
import { formatDate, formatNumber } from '@portal/i18n/format'
import { currentLocale } from '@portal/i18n/locale'

/** The value of a setting as people read it. */
export function useSettingText() {
  const { t } = useLingui()
  return ({ type, values }: ModuleSetting, value: SettingValue): string => {
    if (typeof value === 'boolean') return value ? t`Yes` : t`No`
    if (typeof value === 'number') return formatNumber(value, Number.isInteger(value) ? 0 : 2)
    if (type === 'day') return formatDate(value)
    return values?.find((each) => each.value === value)?.label[currentLocale()] ?? value
  }
}
