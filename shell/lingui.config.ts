import { linguiPackage } from '@portal/i18n/lingui'

export default linguiPackage(
  import.meta.dirname,
  'public',
  'frame/late',
  'pages/home',
  'pages/profile',
  'platform/states',
)
