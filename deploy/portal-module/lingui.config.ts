import { linguiPackage } from '@portal/i18n/lingui'

const { catalogs, ...config } = linguiPackage(import.meta.dirname, 'gallery')

/** Only the gallery has words; commands speak English. */
export default { ...config, catalogs: catalogs?.slice(1) }
