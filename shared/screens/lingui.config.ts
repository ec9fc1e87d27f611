import { linguiPackage } from '@portal/i18n/lingui'

export default linguiPackage(import.meta.dirname, 'draft', 'picture', 'reference', 'views')
