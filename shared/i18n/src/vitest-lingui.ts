import { transformAsync } from '@babel/core'
import macro from '@lingui/babel-plugin-lingui-macro'
import { makeConfig } from '@lingui/conf'

const linguiConfig = makeConfig({ locales: ['en', 'fr'], sourceLocale: 'en' }, { skipValidation: true })

/** Vitest plugin that expands Lingui's macros; English texts stay in the code, so tests need no catalogs. */
export const vitestLingui = () => ({
  name: 'portal-lingui-macro',
  enforce: 'pre' as const,
  async transform(code: string, id: string) {
    if (id.includes('/node_modules/') || !/\.tsx?$/.test(id) || !/@lingui\/(react|core)\/macro/.test(code))
      return
    const done = await transformAsync(code, {
      filename: id,
      babelrc: false,
      configFile: false,
      sourceMaps: true,
      parserOpts: { plugins: ['typescript', 'jsx'] },
      plugins: [[macro, { linguiConfig, descriptorFields: 'message' }]],
    })
    return done?.code ? { code: done.code, map: done.map } : undefined
  },
})
