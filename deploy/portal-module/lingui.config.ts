import { linguiPackage } from '@portal/i18n/lingui'

const { catalogs, ...config } = linguiPackage(import.meta.dirname, 'gallery')

/** Only the gallery is translated. The commands speak English. */
export default { ...config, catalogs: catalogs?.slice(1) }
