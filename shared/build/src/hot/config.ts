import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { RsbuildConfig, RsbuildPlugin } from '@rsbuild/core'
import type { PluginReactOptions } from '@rsbuild/plugin-react'

/** The path of a file of this folder. It is TypeScript here, and JavaScript in the installed package. */
const own = (name: string) => fileURLToPath(import.meta.resolve(`@portal/build/hot/${name}`))

/** What a module under development exposes in place of its `module.ts`. */
export const hotModule: string = own('module')

/** New translations are added without a reload of the files that import them, so that the page keeps its state. */
const hotWords: RsbuildPlugin = {
  name: 'hot-words',
  setup(api) {
    api.transform({ test: /[\\/]src[\\/]locales[\\/](en|fr)\.ts$/ }, ({ code, resourcePath }) => {
      const locale = /(en|fr)\.ts$/.exec(resourcePath)?.[1]
      return `import { takeWords } from ${JSON.stringify(own('words'))}\n${code}\ntakeWords(import.meta.webpackHot, '${locale}', messages)\n`
    })
  },
}

/**
 * The bundler's own replacement of modules, and React's. A page with React's production build cannot refresh components:
 * there a change goes up to `module.ts`, and the page draws the module anew.
 */
export const developed: { react: PluginReactOptions; config: (dir: string, name: string) => RsbuildConfig } =
  {
    react: { fastRefresh: true, reactRefreshOptions: { reactRefreshLoader: own('refresh-loader') } },
    config: (dir, name) => ({
      mode: 'development',
      // Faults are passed on, to the command and to the pages.
      logLevel: 'silent',
      plugins: [hotWords],
      dev: { hmr: true, lazyCompilation: false, assetPrefix: 'auto' },
      source: {
        define: {
          'process.env.NODE_ENV': '"development"',
          MODULE_NAME: JSON.stringify(name),
        },
      },
      resolve: {
        alias: {
          'portal-module$': join(dir, 'src/module.ts'),
          // It uses the portal's React, which has no `jsxDEV` in most pages.
          'react/jsx-dev-runtime$': own('jsx-dev-runtime'),
        },
      },
      output: {
        minify: false,
        sourceMap: { js: 'source-map', css: true },
        // A page asks for what it has not loaded yet by the same name, also after a change.
        filename: { js: '[name].js', css: '[name].css' },
      },
      tools: {
        rspack: (config) => {
          // A bundle with errors is not served, so that pages keep what they have.
          const own = { chunkIds: 'named', moduleIds: 'named', emitOnErrors: false } as const
          config.optimization = { ...config.optimization, ...own }
        },
      },
    }),
  }
