import type { LinguiConfig } from '@lingui/conf'
import { formatter } from '@lingui/format-po'

/** The one Lingui configuration: a package's `lingui.config.ts` is `export default linguiPackage(import.meta.dirname)`. */
export function linguiPackage(dir: string): LinguiConfig {
  return {
    rootDir: dir,
    locales: ['en', 'fr'],
    sourceLocale: 'en',
    catalogs: [
      {
        path: `${dir}/src/locales/{locale}`,
        include: [`${dir}/src/**/*.{ts,tsx}`],
        exclude: [`${dir}/src/locales/**`, `${dir}/src/**/*.test.{ts,tsx}`],
      },
    ],
    // Origins change with every edit above a message and make catalogs conflict; the id is enough.
    format: formatter({ lineNumbers: false, origins: false, explicitIdAsDefault: false }),
    compileNamespace: 'ts',
  }
}
