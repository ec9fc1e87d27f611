import { linguiPackage } from '@portal/i18n/lingui'

export default linguiPackage(
  import.meta.dirname,
  'public',
  'frame/lazy',
  'pages/attendance',
  'pages/home',
  'pages/messages',
  'pages/modules',
  'pages/profile',
  'pages/survey',
  'pages/sync',
  'pages/system',
  'platform/states',
)
