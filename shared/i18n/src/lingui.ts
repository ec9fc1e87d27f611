import type { LinguiConfig } from '@lingui/conf'
import { formatter } from '@lingui/format-po'

/**
 * The one Lingui configuration: a package's `lingui.config.ts` is `export default linguiPackage(import.meta.dirname)`.
 * Folders named after it keep their words to themselves, for whatever is fetched apart from the rest.
 */
export function linguiPackage(dir: string, ...apart: string[]): LinguiConfig {
  const parts = apart.map((part) => `${dir}/src/${part}`)
  const within = (folder: string) =>
    parts.filter((part) => part.startsWith(`${folder}/`)).map((part) => `${part}/**`)
  const catalog = (folder: string) => ({
    path: `${folder}/locales/{locale}`,
    include: [`${folder}/**/*.{ts,tsx}`],
    exclude: [`${folder}/**/locales/**`, `${folder}/**/*.test.{ts,tsx}`, ...within(folder)],
  })
  return {
    rootDir: dir,
    locales: ['en', 'fr'],
    sourceLocale: 'en',
    catalogs: [catalog(`${dir}/src`), ...parts.map(catalog)],
    // Origins change with every edit above a message and make catalogs conflict; the id is enough.
    format: formatter({ lineNumbers: false, origins: false, explicitIdAsDefault: false }),
    compileNamespace: 'ts',
  }
}
