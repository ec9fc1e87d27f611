import { linguiPackage } from '@portal/i18n/lingui'

export default linguiPackage(
  import.meta.dirname,
  'arrears',
  'changes',
  'cohorts',
  'dialogs',
  'exceptions',
  'hold',
  'overview',
  'parameters',
  'payees',
  'payments',
  'payrolls',
  'payrolls/acts',
  'reconciliations',
  'report',
  'settings',
  'statements',
  'summary',
  'summary/approval',
  'summary/decisions',
)
