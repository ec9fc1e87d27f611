import { linguiPackage } from '@portal/i18n/lingui'

export default linguiPackage(
  import.meta.dirname,
  'dialogs',
  'hold',
  'overview',
  'payees',
  'payrolls',
  'payrolls/acts',
  'reconciliations',
  'settings',
  'statements',
  'summary/decisions',
)
