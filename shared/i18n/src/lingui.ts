import type { LinguiConfig } from '@lingui/conf'
import { formatter } from '@lingui/format-po'

/**
 * The one Lingui configuration: a package's `lingui.config.ts` is `export default linguiPackage(import.meta.dirname)`.
 * Folders named after it keep their words to themselves, for whatever is fetched apart from the rest.
 */
export function linguiPackage(dir: string, ...apart: string[]): LinguiConfig {
  const catalog = (folder: string, without: string[]) => ({
    path: `${folder}/locales/{locale}`,
    include: [`${folder}/**/*.{ts,tsx}`],
    exclude: [`${folder}/**/locales/**`, `${folder}/**/*.test.{ts,tsx}`, ...without],
  })
  const parts = apart.map((part) => `${dir}/src/${part}`)
  return {
    rootDir: dir,
    locales: ['en', 'fr'],
    sourceLocale: 'en',
    catalogs: [
      catalog(
        `${dir}/src`,
        parts.map((part) => `${part}/**`),
      ),
      ...parts.map((part) => catalog(part, [])),
    ],
    // Origins change with every edit above a message and make catalogs conflict; the id is enough.
    format: formatter({ lineNumbers: false, origins: false, explicitIdAsDefault: false }),
    compileNamespace: 'ts',
  }
}
